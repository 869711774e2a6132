import type { Finding } from '../../core/findings.ts'
import { outermost, type Place } from '../../core/source.ts'
import { placeOf } from '../../core/manifest.ts'
import { label } from '../../lint/helpers.ts'
import type { Subject } from '../../ownership/subject.ts'
import type { Problem } from '../problem.ts'
import { SEVERITIES, type Report } from '../report.ts'
import type { FormatContext } from './format.ts'
import { element, XML_HEAD } from './xml.ts'

/**
 * JUnit's XML, for test reports: a suite for each file, and a test for each finding and for each
 * Job without one, so that the number of tests says how much was judged. What does not fail the
 * run (see `--fail-on`) does not fail its test either.
 */
export function junit(report: Report, context: FormatContext): string {
  const suites = new Map<string, Case[]>()
  const add = (path: string, test: Case): void => {
    const tests = suites.get(path)
    if (tests === undefined) suites.set(path, [test])
    else tests.push(test)
  }
  for (const problem of report.problems) add(problem.path ?? 'semel', problemCase(problem))
  for (const finding of report.result.findings) {
    add(finding.place.source.path, findingCase(finding, context))
  }
  for (const { finding, reason } of report.result.suppressed) {
    add(finding.place.source.path, skippedCase(finding, `suppressed: ${reason}`, context))
  }
  for (const { finding, entry } of report.known ?? []) {
    add(
      finding.place.source.path,
      skippedCase(finding, `in the baseline: ${entry.reason}`, context),
    )
  }
  for (const subject of cleanSubjects(report)) {
    const { source } = placeOfSubject(subject)
    add(source.path, { outcome: 'passed', element: testcase(label(subject), source.path, []) })
  }
  const paths = [...suites.keys()].sort()
  const all = [...suites.values()].flat()
  const head = { name: 'semel lint', ...countsOf(all) }
  const body = paths.map((path) => {
    const tests = suites.get(path) ?? []
    return element(
      'testsuite',
      { name: path, ...countsOf(tests) },
      tests.map((one) => one.element),
    )
  })
  return `${XML_HEAD}\n${element('testsuites', head, body)}\n`
}

interface Case {
  readonly outcome: 'passed' | 'failed' | 'error' | 'skipped'
  readonly element: string
}

function countsOf(tests: readonly Case[]): Record<string, number> {
  const of = (wanted: Case['outcome']): number =>
    tests.filter(({ outcome }) => outcome === wanted).length
  return {
    tests: tests.length,
    failures: of('failed'),
    errors: of('error'),
    skipped: of('skipped'),
  }
}

function testcase(name: string, classname: string, content: readonly string[]): string {
  return element('testcase', { name, classname }, content)
}

function findingCase(finding: Finding, context: FormatContext): Case {
  const { severity, rule, what, why, remedy, place } = finding
  const { path, start } = context.lines.region(place)
  const where = `${path}:${start.line}:${start.column}`
  const text = `${where}\n${what}\nwhy: ${why}\nremedy: ${remedy}`
  const fails = SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(context.failOn)
  const body = fails
    ? element('failure', { type: severity, message: what }, text)
    : element('system-out', {}, `${severity}: ${text}`)
  return {
    outcome: fails ? 'failed' : 'passed',
    element: testcase(nameOf(finding, rule), path, [body]),
  }
}

function skippedCase(finding: Finding, message: string, { lines }: FormatContext): Case {
  const { path } = lines.region(finding.place)
  const body = element('skipped', { message })
  return { outcome: 'skipped', element: testcase(nameOf(finding, finding.rule), path, [body]) }
}

function problemCase({ code, what, why, remedy, path = 'semel' }: Problem): Case {
  const body = element(
    'error',
    { type: code, message: what },
    `${what}\nwhy: ${why}\nremedy: ${remedy}`,
  )
  return { outcome: 'error', element: testcase(code, path, [body]) }
}

function nameOf({ object, pointer }: Finding, rule: string): string {
  return `${rule}: ${object}${pointer === '' ? '' : ` ${pointer}`}`
}

/** Jobs of which nothing at all is said. */
function cleanSubjects({ repository, result, known = [] }: Report): readonly Subject[] {
  const spoken = new Set([
    ...[...result.subjects.values()].flat(),
    ...known.flatMap(({ finding }) => result.subjects.get(finding) ?? []),
  ])
  return repository.subjects.filter((subject) => !spoken.has(subject))
}

function placeOfSubject({ manifest }: Subject): Place {
  return outermost(placeOf(manifest, []))
}
