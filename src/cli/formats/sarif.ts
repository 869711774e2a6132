import { createHash } from 'node:crypto'
import type { Finding, Severity } from '../../core/findings.ts'
import type { Place } from '../../core/source.ts'
import type { Rule } from '../../lint/rule.ts'
import type { SuppressedFinding } from '../../lint/run.ts'
import type { Lines } from '../lines.ts'
import type { Problem } from '../problem.ts'
import { pageOf, type Report } from '../report.ts'
import type { FormatContext } from './format.ts'

/**
 * SARIF 2.1.0 for code scanning. Suppressed findings are in it too, marked as such. The
 * fingerprint of a result keeps its value when lines move, so a dashboard sees the same finding.
 */
export function sarif(report: Report, context: FormatContext): string {
  const { lines, rules, version } = context
  const { findings, suppressed } = report.result
  const used = [...findings, ...suppressed.map(({ finding }) => finding)].map(({ rule }) => rule)
  const listed = rules.filter(({ id }) => used.includes(id))
  const index = new Map(listed.map(({ id }, at) => [id, at]))
  const fingerprints = new Fingerprints(lines)
  const resultOf = (finding: Finding, suppression?: SuppressedFinding): object => ({
    ruleId: finding.rule,
    ruleIndex: index.get(finding.rule),
    level: LEVELS[finding.severity],
    message: { text: `${finding.what}\n\nWhy: ${finding.why}\n\nRemedy: ${finding.remedy}` },
    locations: [{ ...location(finding.place, lines), logicalLocations: logical(finding) }],
    relatedLocations: finding.related.map(({ place, note }, id) => ({
      id,
      ...location(place, lines),
      message: { text: note },
    })),
    partialFingerprints: { 'semelFinding/v1': fingerprints.of(finding) },
    ...(suppression === undefined
      ? {}
      : { suppressions: [{ kind: 'inSource', justification: suppression.reason }] }),
  })
  const run = {
    tool: { driver: { name: 'semel', semanticVersion: version, rules: listed.map(ruleJson) } },
    columnKind: 'utf16CodeUnits',
    originalUriBaseIds: { '%SRCROOT%': { description: { text: 'The folder semel ran in' } } },
    invocations: [
      {
        executionSuccessful: report.problems.length === 0,
        toolExecutionNotifications: report.problems.map((problem) => notification(problem, lines)),
      },
    ],
    results: [
      ...findings.map((finding) => resultOf(finding)),
      ...suppressed.map((one) => resultOf(one.finding, one)),
    ],
  }
  return `${JSON.stringify({ $schema: SCHEMA, version: '2.1.0', runs: [run] }, null, 2)}\n`
}

const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json'

const LEVELS: Readonly<Record<Severity, string>> = {
  error: 'error',
  warning: 'warning',
  info: 'note',
}

function ruleJson({ id, summary, severity }: Rule): object {
  return {
    id,
    name: id.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    shortDescription: { text: summary },
    help: {
      text: `${summary} \`semel explain ${id}\` tells more.`,
      markdown: `${summary}\n\n\`semel explain ${id}\` tells more.`,
    },
    helpUri: pageOf(id),
    defaultConfiguration: { level: LEVELS[severity] },
  }
}

function location(place: Place, lines: Lines): object {
  const { path, start, end } = lines.region(place)
  return {
    physicalLocation: {
      artifactLocation: artifact(path),
      region: {
        startLine: start.line,
        startColumn: start.column,
        endLine: end.line,
        endColumn: end.column,
      },
    },
  }
}

function artifact(path: string): object {
  const uri = path.split('/').map(encodeURIComponent).join('/')
  return path.startsWith('/') ? { uri: `file://${uri}` } : { uri, uriBaseId: '%SRCROOT%' }
}

function logical({ object, pointer, place }: Finding): readonly object[] {
  if (object === place.source.path) return []
  return [{ fullyQualifiedName: `${object}${pointer === '' ? '' : ` ${pointer}`}`, kind: 'object' }]
}

function notification({ code, what, why, remedy, path, place }: Problem, lines: Lines): object {
  const where =
    place !== undefined
      ? [location(place, lines)]
      : path !== undefined
        ? [{ physicalLocation: { artifactLocation: artifact(path) } }]
        : []
  return {
    descriptor: { id: code },
    level: 'error',
    message: { text: `${what}\n\nWhy: ${why}\n\nRemedy: ${remedy}` },
    ...(where.length === 0 ? {} : { locations: where }),
  }
}

/** Rule, object, field and the text of the line; a number tells equal ones apart. */
class Fingerprints {
  private readonly lines: Lines
  private readonly seen = new Map<string, number>()

  constructor(lines: Lines) {
    this.lines = lines
  }

  of({ rule, object, pointer, place }: Finding): string {
    const { start } = this.lines.region(place)
    const line = (this.lines.text(place.source, start.line) ?? '').trim()
    const key = JSON.stringify([rule, place.source.path, object, pointer, line])
    const number = (this.seen.get(key) ?? 0) + 1
    this.seen.set(key, number)
    return createHash('sha256').update(`${key} ${number}`).digest('hex').slice(0, 32)
  }
}
