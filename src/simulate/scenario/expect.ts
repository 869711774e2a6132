import { isList, isObject, stringAt, type Json, type JsonObject } from '../../core/json.ts'
import { missesOfEnd } from './expect-end.ts'
import { missesOfError } from './expect-error.ts'
import { missesOfWork } from './expect-work.ts'
import type { ExpectedRuns, Expectation, Run } from './format.ts'
import { label } from './label.ts'
import { matched, nearest } from './names.ts'
import type { ScenarioRun } from './play.ts'

/** Where a scenario came out otherwise than expected. */
export interface Miss {
  readonly where: string
  readonly expected: string
  readonly got: string
}

/**
 * Holds what was played against the expectation. Jobs that nobody names are not judged, and prose
 * (an `end_state` in words) is not compared.
 */
export function missesOf(
  played: readonly ScenarioRun[],
  expected: Expectation,
  { start, hasNamed }: { readonly start: number; readonly hasNamed: boolean },
): readonly Miss[] {
  const unplayable = played.flatMap(({ variant, unplayable: why }) =>
    why === undefined ? [] : [{ where: label(variant), expected: 'to be played', got: why }],
  )
  if (unplayable.length > 0) return unplayable
  const cut = played.flatMap(({ variant, history }) =>
    (history?.warnings ?? [])
      .filter(({ id }) => id === 'runs-without-bound')
      .map(({ what }) => ({
        where: label(variant),
        expected: 'to be played to its end',
        got: what,
      })),
  )
  if (cut.length > 0) return cut
  return [
    ...missesOfRuns(played, expected.runs_7d, { start, hasNamed }),
    ...missesOfError(played, expected.error),
    ...missesOfEnd(played, expected.end_state),
    ...missesOfWork(played, expected),
  ]
}

function missesOfRuns(
  played: readonly ScenarioRun[],
  expected: Expectation['runs_7d'],
  { start, hasNamed }: { readonly start: number; readonly hasNamed: boolean },
): readonly Miss[] {
  if (expected === undefined) return []
  if (isRows(expected)) {
    return expected.flatMap((row) => {
      const chosen = chosenBy(row, played, hasNamed)
      if (chosen.length === 0) return [noVariant(row.variant ?? '')]
      return chosen.flatMap(({ run, own }) => missesOfRow(own, run, start))
    })
  }
  const names = Object.keys(expected)
  const places = matched(
    names,
    played.map(({ variant }) => variant),
  )
  return Object.entries(expected).flatMap(([name, rows], at) => {
    const one = played[places[at] ?? -1]
    if (one === undefined) {
      return [noVariant(name)]
    }
    return (isList(rows) ? rows : [rows]).flatMap((row) =>
      isObject(row) ? missesOfRow(row, one, start) : [],
    )
  })
}

function noVariant(name: string): Miss {
  return { where: `variant ${name}`, expected: 'to be played', got: 'there is no such variant' }
}

interface Chosen {
  readonly run: ScenarioRun
  readonly own: ExpectedRuns
}

/**
 * A row without a variant is about all named variants, or about the first value of a setting that
 * has several; a row with an answer for each value is about each. A row whose variant nothing
 * describes is about the scenario as it is written.
 */
function chosenBy(
  row: ExpectedRuns,
  played: readonly ScenarioRun[],
  hasNamed: boolean,
): readonly Chosen[] {
  const variant = row.variant ?? stringAt(row, ['policy'])
  const as = (runs: readonly ScenarioRun[]): readonly Chosen[] =>
    runs.map((run) => ({ run, own: row }))
  if (variant !== undefined) {
    const own = played.filter((one) => one.variant === variant)
    if (own.length > 0) return as(own)
    const written = played.filter((one) => one.variant === '')
    const names = played.map((one) => one.variant)
    const close = played[nearest(variant, names) ?? -1]
    return as(written.length > 0 || close === undefined ? written : [close])
  }
  const answers = ANSWERED.map((key) => row[key]).find(
    (value) => isAnswers(value) && Object.keys(value).length === played.length,
  )
  if (played.length > 1 && isObject(answers)) {
    const names = played.map((one) => one.variant)
    const places = matched(Object.keys(answers), names)
    return played.map((run, at) => {
      const name = Object.keys(answers)[places.indexOf(at)] ?? ''
      const own = Object.fromEntries(
        Object.entries(row).map(([key, value]) => [
          key,
          isAnswers(value) && Object.hasOwn(value, name) ? value[name] : value,
        ]),
      )
      return { run, own }
    })
  }
  return as(hasNamed ? played : played.slice(0, 1))
}

const ANSWERED = ['started', 'completed', 'failed', 'at_hours', 'period_seconds', 'images'] as const

/** One answer for each of several settings, and no range. */
function isAnswers(value: Json | undefined): value is JsonObject {
  return isObject(value) && value['min'] === undefined && value['max'] === undefined
}

function isRows(value: NonNullable<Expectation['runs_7d']>): value is readonly ExpectedRuns[] {
  return Array.isArray(value)
}

function missesOfRow(
  row: ExpectedRuns,
  { variant, runs }: ScenarioRun,
  start: number,
): readonly Miss[] {
  const mine = runs.filter((run) => isOf(run, row))
  const name = row.job ?? row.cronjob ?? 'all Jobs'
  const where = [label(variant), name].filter((part) => part !== '').join(', ')
  const misses: Miss[] = []
  const check = (what: string, expected: Json | undefined, got: number): void => {
    if (expected === undefined || holds(expected, got)) return
    misses.push({ where: `${where}, ${what}`, expected: rangeText(expected), got: String(got) })
  }
  check('started', row.started, mine.length)
  check('completed', row.completed, mine.filter(({ outcome }) => outcome === 'complete').length)
  check('failed', row.failed, mine.filter(({ outcome }) => outcome === 'failed').length)
  const compare = (what: string, expected: string, got: string): void => {
    if (expected !== got) misses.push({ where: `${where}, ${what}`, expected, got })
  }
  if (isList(row.at_hours)) {
    compare(
      'at hours',
      row.at_hours.map((hour) => hours(Number(hour))).join(' '),
      mine.map((run) => hours(run.startedAtSeconds / 3600)).join(' '),
    )
  }
  const [first, second] = mine
  if (typeof row.period_seconds === 'number' && first !== undefined && second !== undefined) {
    const period = second.startedAtSeconds - first.startedAtSeconds
    compare('period in seconds', String(row.period_seconds), String(period))
  }
  if (isList(row.images)) {
    compare(
      'images',
      row.images.map(shownText).join(' '),
      [...new Set(mine.map(({ image }) => image))].join(' '),
    )
  }
  const times = row['times']
  if (isList(times)) {
    compare(
      'times',
      times.filter((time) => typeof time === 'string').join(', '),
      mine.map((run) => weekTime(start, run)).join(', '),
    )
  }
  return misses
}

/** `*` and `<words>` stand for any text. */
function isOf(run: Run, { job, cronjob }: ExpectedRuns): boolean {
  const wanted = job ?? cronjob
  if (wanted === undefined) return true
  const name = `${run.namespace}/${cronjob === undefined ? run.job : (run.cronjob ?? '')}`
  const pattern = wanted
    .split(/\*|<[^>]*>/)
    .map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'))
    .join('.*')
  return new RegExp(`^${pattern}$`).test(name)
}

/** A number is exact; `{min, max}` a range; several named answers: the first is this engine's. */
function holds(expected: Json, got: number): boolean {
  if (typeof expected === 'number') return expected === got
  if (!isObject(expected)) return true
  const { min, max } = expected
  if (typeof min === 'number' || typeof max === 'number') {
    return got >= Number(min ?? -Infinity) && got <= Number(max ?? Infinity)
  }
  const [first] = Object.values(expected)
  return first === undefined || holds(first, got)
}

function rangeText(expected: Json): string {
  if (!isObject(expected)) return JSON.stringify(expected)
  const { min, max } = expected
  return `${JSON.stringify(min ?? 0)} to ${max === undefined ? 'any' : JSON.stringify(max)}`
}

function shownText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function hours(value: number): string {
  return String(Math.round(value * 100) / 100)
}

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

function weekTime(start: number, { startedAtSeconds }: Run): string {
  const date = new Date(start + startedAtSeconds * 1000)
  return `${DAYS[date.getUTCDay()] ?? ''} ${date.toISOString().slice(11, 16)}`
}
