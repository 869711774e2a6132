import type { Finding, Severity } from '../../core/findings.ts'
import type { Place } from '../../core/source.ts'
import type { ReadyFix } from '../../lint/fix.ts'
import type { Rule } from '../../lint/rule.ts'
import type { Lines } from '../lines.ts'
import type { Problem } from '../problem.ts'
import { pageOf, type Report } from '../report.ts'
import { Fingerprints } from './fingerprints.ts'
import type { FormatContext } from './format.ts'

/**
 * SARIF 2.1.0 for code scanning. Suppressed findings are in it too, marked as such. The
 * fingerprint of a result keeps its value when lines move, so a dashboard sees the same finding.
 */
export function sarif(report: Report, context: FormatContext): string {
  const { lines, rules, version } = context
  const { findings, suppressed } = report.result
  const { known = [] } = report
  const used = [...findings, ...[...suppressed, ...known].map(({ finding }) => finding)].map(
    ({ rule }) => rule,
  )
  const listed = rules.filter(({ id }) => used.includes(id))
  const index = new Map(listed.map(({ id }, at) => [id, at]))
  const fingerprints = new Fingerprints(lines)
  const resultOf = (finding: Finding, suppression?: Suppression): object => ({
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
    ...fixesOf(report.result.fixes.get(finding), lines),
    ...(suppression === undefined ? {} : { suppressions: [suppression] }),
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
      ...suppressed.map(({ finding, reason }) =>
        resultOf(finding, { kind: 'inSource', justification: reason }),
      ),
      ...known.map(({ finding, entry }) =>
        resultOf(finding, { kind: 'external', justification: entry.reason }),
      ),
    ],
  }
  return `${JSON.stringify({ $schema: SCHEMA, version: '2.1.0', runs: [run] }, null, 2)}\n`
}

interface Suppression {
  readonly kind: 'inSource' | 'external'
  readonly justification: string
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

/** Editors offer these as quick fixes. */
function fixesOf(fix: ReadyFix | undefined, lines: Lines): object {
  if (fix === undefined) return {}
  const { source, splices, title } = fix
  const replacements = splices.map(({ start, end, text }) => ({
    deletedRegion: regionOf({ source, span: { start, end } }, lines),
    insertedContent: { text },
  }))
  const change = { artifactLocation: artifact(source.path), replacements }
  return { fixes: [{ description: { text: title }, artifactChanges: [change] }] }
}

function location(place: Place, lines: Lines): object {
  const artifactLocation = artifact(place.source.path)
  return { physicalLocation: { artifactLocation, region: regionOf(place, lines) } }
}

function regionOf(place: Place, lines: Lines): object {
  const { start, end } = lines.region(place)
  return {
    startLine: start.line,
    startColumn: start.column,
    endLine: end.line,
    endColumn: end.column,
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
