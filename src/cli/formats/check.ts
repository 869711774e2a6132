import type { Finding, Severity } from '../../core/findings.ts'
import type { Forecast } from '../../simulate/forecast/index.ts'
import { jobRows, worstOf, type JobRow } from '../jobs.ts'
import { besides, jobWords, SEVERITIES, severityWords, type Note, type Report } from '../report.ts'
import { table, type Column } from '../table.ts'
import { count, printable, shorten, widthOf, wrap } from '../words.ts'
import { findingBlock } from './findings.ts'
import type { FormatContext } from './format.ts'
import { bodyOf, regionJson } from './json.ts'

/** The shape is described in docs/reference/output.md. */
const CHECK_FORMAT = 'semel.dev/check/v1'

/**
 * The page for a newcomer: every Job with what applies it, the worst findings with what to do, and
 * one line of counts that says how to go on.
 */
export function checkText(report: Report, context: FormatContext): string {
  const { repository, result, notes } = report
  const rows = jobRows(repository, result)
  const worst = worstFindings(result.findings)
  const shown = worst.slice(0, MAX_FINDINGS)
  const parts = [
    ...(rows.length === 0 ? [] : [...jobTable(rows, context), '']),
    ...forecastRows(rows, context),
    ...(shown.length === 0 ? [] : [context.paint.strong(worstTitle(shown, worst.length)), '']),
    ...shown.flatMap((finding) => findingBlock(finding, context, { withPath: true })),
    ...noteRows(notes, context),
    ...closing(report, rows, context),
  ]
  return `${parts.join('\n')}\n`
}

export function checkJson(report: Report, context: FormatContext): string {
  const jobs = jobRows(report.repository, report.result).map((row) => jobJson(row, context))
  const body = { format: CHECK_FORMAT, jobs, ...bodyOf(report, context) }
  return `${JSON.stringify(body, null, 2)}\n`
}

const MAX_FINDINGS = 5
const MAX_FORECASTS = 5
const MAX_NOTES = 3
/** From here on there is room for where each Job stands. */
const WIDE = 120
/** Below this only the columns stay that nobody can do without. */
const NARROW = 72

function jobTable(
  rows: readonly JobRow[],
  { paint, width, lines }: FormatContext,
): readonly string[] {
  const columns: readonly (Column & { readonly cell: (row: JobRow) => string })[] = [
    ...(width < NARROW ? [] : [{ title: 'KIND', cell: ({ subject }: JobRow) => subject.kind }]),
    { title: 'NAME', flexible: true, shorten: shortenName, cell: ({ name }) => name },
    { title: 'APPLIED BY', flexible: true, cell: ({ appliedBy }) => appliedBy },
    { title: 'CONTRACT', cell: ({ contract }) => contract },
    ...(width < NARROW
      ? []
      : [
          {
            title: 'HASHED',
            cell: ({ follows }: JobRow) => (follows === 'not needed' ? '-' : follows),
            paint: (shown: string) => paint.faint(shown),
          },
          {
            title: 'FORECAST',
            cell: ({ forecast }: JobRow) => forecast.short,
            paint: (shown: string, at: number) =>
              isOdd(rows[at]) ? paint.warning(shown) : paint.faint(shown),
          },
        ]),
    {
      title: 'FINDINGS',
      cell: ({ counts }) => countCell(counts),
      paint: (shown, at) => {
        const severity = worstOf(rows[at]?.counts ?? NO_COUNTS)
        return severity === undefined ? paint.good(shown) : paint[severity](shown)
      },
    },
    ...(width < WIDE
      ? []
      : [
          {
            title: 'FILE',
            flexible: true,
            cell: ({ place }: JobRow) =>
              `${place.source.path}:${lines.position(place.source, place.span.start).line}`,
            paint: (shown: string) => paint.faint(shown),
          },
        ]),
  ]
  const cells = rows.map((row) => columns.map(({ cell }) => printable(cell(row))))
  return table(columns, cells, { width, paintTitle: paint.faint })
}

/** Who reads `once` as a promise must know of it: it repeats, or it does not run at all. */
function isOdd(row: JobRow | undefined): boolean {
  return row !== undefined && ODD.includes(row.forecast.kind)
}

/** The worst first. A CronJob that runs by its schedule is as it should be. */
const ODD: readonly Forecast['kind'][] = ['period', 'occasions', 'never']

function forecastRows(rows: readonly JobRow[], context: FormatContext): readonly string[] {
  const { paint, width } = context
  const odd = rows
    .filter(isOdd)
    .toSorted(
      (one, other) =>
        ODD.indexOf(one.forecast.kind) - ODD.indexOf(other.forecast.kind) ||
        (other.forecast.runs ?? 0) - (one.forecast.runs ?? 0),
    )
  if (odd.length === 0) return []
  const reading = Math.min(width, 120)
  const told = odd
    .slice(0, MAX_FORECASTS)
    .flatMap(({ name, forecast }) =>
      wrap(printable(`${name} ${forecast.sentence}`), reading - 4).map((row, index) =>
        index === 0 ? `  - ${row}` : `    ${row}`,
      ),
    )
  const left = odd.length - MAX_FORECASTS
  const more = left > 0 ? [`    ${left} more: -o json has the forecast of each Job`] : []
  return [paint.strong('How often, while nobody changes anything'), '', ...told, ...more, '']
}

/** The namespace goes before any part of the name does. */
function shortenName(name: string, width: number): string {
  const own = name.slice(name.indexOf('/') + 1)
  return widthOf(own) + 2 <= width ? `…/${own}` : shorten(own, width)
}

const NO_COUNTS = { error: 0, warning: 0, info: 0 }

/** The worst kind only: the table is to be read at a glance. */
function countCell(counts: Readonly<Record<Severity, number>>): string {
  const severity = worstOf(counts)
  return severity === undefined ? 'none' : count(counts[severity], severity)
}

/** Errors before warnings, and each rule once before any rule comes again. */
function worstFindings(findings: readonly Finding[]): readonly Finding[] {
  return SEVERITIES.flatMap((severity) => {
    const own = findings.filter((finding) => finding.severity === severity)
    const firstOfRule = new Map<string, Finding>()
    for (const finding of own) {
      if (!firstOfRule.has(finding.rule)) firstOfRule.set(finding.rule, finding)
    }
    const isFirst = (finding: Finding): boolean => firstOfRule.get(finding.rule) === finding
    return [...firstOfRule.values(), ...own.filter((finding) => !isFirst(finding))]
  })
}

function worstTitle(shown: readonly Finding[], total: number): string {
  if (shown.length === total) return total === 1 ? 'The finding' : `All ${total} findings`
  return `The worst ${shown.length} of ${total} findings`
}

function noteRows(notes: readonly Note[], { paint, width }: FormatContext): readonly string[] {
  if (notes.length === 0) return []
  const reading = Math.min(width, 120)
  const rows = notes
    .slice(0, MAX_NOTES)
    .flatMap(({ path, what, why }) =>
      wrap(printable(`${path}: ${what}; ${why}`), reading - 4).map((row, index) =>
        index === 0 ? `  - ${row}` : `    ${row}`,
      ),
    )
  const left = notes.length - MAX_NOTES
  const more = left > 0 ? [`    ${left} more: -o json lists them`] : []
  return [paint.strong('Could not be followed'), '', ...rows.map(paint.faint), ...more, '']
}

/** One line of counts, and what to do next. */
function closing(
  report: Report,
  rows: readonly JobRow[],
  { paint, width }: FormatContext,
): readonly string[] {
  const { result, numbers } = report
  const { counts, findings } = result
  const seen = `${jobWords(numbers)} in ${count(numbers.documents, 'document')}`
  const brush = counts.error > 0 ? paint.error : findings.length > 0 ? paint.warning : paint.good
  const words = findings.length === 0 ? 'No findings' : severityWords(counts)
  const line = [`${brush(words)}: ${seen}`, ...besides(report)].join('; ')
  const next = wrap(nextStep(findings, rows), Math.min(width, 120) - 6)
  return [line, ...next.map((row, index) => (index === 0 ? `Next: ${row}` : `      ${row}`))]
}

function nextStep(findings: readonly Finding[], rows: readonly JobRow[]): string {
  const [first] = worstFindings(findings)
  if (first !== undefined) {
    const explain = `\`semel explain ${first.rule}\` tells what is behind the first one`
    return findings.length === 1 ? explain : `${explain}, \`semel lint\` shows all of them`
  }
  if (rows.length === 0) return 'give the folder that holds your Jobs: `semel check path/to/it`'
  return '`semel lint -o github` in your pull requests keeps it so'
}

function jobJson(row: JobRow, { lines }: FormatContext): object {
  const { subject, contract, follows, forecast, place, counts } = row
  const { kind, object, engine, carrier, chain, traits, engineGiven } = subject
  const metadata = object['metadata'] as { name?: unknown; namespace?: unknown } | undefined
  return {
    kind,
    ...(typeof metadata?.namespace === 'string' ? { namespace: metadata.namespace } : {}),
    ...(typeof metadata?.name === 'string' ? { name: metadata.name } : {}),
    ...regionJson(place, lines),
    engine: engine.id,
    engineIs: engineGiven ? 'given' : traits.assumed ? 'unknown' : 'found',
    ...(carrier === undefined
      ? {}
      : { carrier: { kind: carrier.kind, namespace: carrier.namespace, name: carrier.name } }),
    chain: chain.map(({ label, path }) => ({ label, path })),
    contract,
    nameFollowsContent: follows,
    forecast: forecastJson(forecast),
    findings: { errors: counts.error, warnings: counts.warning, infos: counts.info },
  }
}

function forecastJson(forecast: Forecast): object {
  const { kind, runs, firstSeconds, periodSeconds, cause, again, rules, short, sentence } = forecast
  return {
    kind,
    ...(runs === undefined ? {} : { runs }),
    ...(firstSeconds === undefined ? {} : { firstSeconds }),
    ...(periodSeconds === undefined ? {} : { periodSeconds }),
    ...(cause === undefined ? {} : { cause }),
    ...(again === undefined ? {} : { again }),
    rules,
    short,
    sentence,
  }
}
