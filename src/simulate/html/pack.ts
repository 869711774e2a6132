import type {
  Happening,
  HappeningKind,
  History,
  JobLife,
  Lane,
  Outcome,
  RunCause,
  Step,
  Timing,
  Warning,
} from '../history/history.ts'
import type { TriggerKind } from '../../cluster/actor.ts'
import { thinned } from './thin.ts'

/**
 * A history as the page carries it: every text once, instants as distances, a cause chain that many
 * runs share once. 10,080 runs of a CronJob take well under a megabyte. `unpack` gives the history
 * back, all but the uids, which mean nothing outside of the simulation.
 */
export interface Packed {
  readonly start: number
  readonly end: number
  readonly timing: Timing
  /** Place 0 is `absent`. */
  readonly texts: readonly string[]
  readonly steps: readonly Row[]
  /** Pairs of distance from the creation (ms) and place in `steps`. */
  readonly chains: readonly Row[]
  /** Of lives; a number is the life before once more, so many milliseconds later. */
  readonly lanes: readonly (readonly [LaneFacts, readonly (Row | number)[]])[]
  readonly happenings: readonly Row[]
  readonly warnings: readonly Warning[]
  /** Chains were left out for size. */
  readonly isShortened: boolean
}

type Row = readonly (number | null)[]
type LaneFacts = Omit<Lane, 'lives'>

const OUTCOMES: readonly Outcome[] = ['complete', 'failed', 'running', 'gone', 'waiting']
const CAUSES: readonly RunCause[] = [
  'first',
  'changed',
  'restored',
  'replaced',
  'retried',
  'hook',
  'schedule',
  'manual',
]
const ROLES: readonly Step['role'][] = ['trigger', 'state', 'effect']
const KINDS: readonly HappeningKind[] = [
  'commit',
  'round',
  'sync',
  'refused',
  'failed',
  'created',
  'deleted',
  'pruned',
  'outage',
  'drift',
  'request',
  'note',
]

/** Beyond this many lives, only those that people look at keep their chains. */
const MANY_LIVES = 60_000
const KEPT_AT_EACH_END = 10

/** Stands in words for the name of the Job, so that the runs of a CronJob share their words. */
const NAME = '\u0001'

export function pack(history: History): Packed {
  const { start, end, timing, warnings } = history
  const texts = new Table<string>((text) => text)
  texts.place('')
  const steps = new Table<Row>(JSON.stringify)
  const chains = new Table<Row>(JSON.stringify)
  chains.place([])
  const isShortened = history.lanes.reduce((sum, { lives }) => sum + lives.length, 0) > MANY_LIVES

  const stepRow = (step: Step, name: string): Row => [
    ROLES.indexOf(step.role),
    texts.place(step.actor),
    texts.place(withoutName(step.words, name)),
    texts.place(step.rule),
    texts.place(step.page),
    step.unconfirmed === true ? 1 : 0,
    texts.place(step.trigger),
  ]
  const chain = (list: readonly Step[] | undefined, { createdAt, name }: JobLife): number =>
    chains.place(
      (list ?? []).flatMap((step) => [step.at - createdAt, steps.place(stepRow(step, name))]),
    )
  const lifeRow = (life: JobLife, keepsChains: boolean): Row => {
    const { createdAt } = life
    return [
      createdAt - start,
      distance(life.startedAt, createdAt),
      distance(life.endedAt, createdAt),
      distance(life.deletedAt, createdAt),
      OUTCOMES.indexOf(life.outcome),
      CAUSES.indexOf(life.cause),
      life.pods,
      texts.place(life.name),
      texts.place(life.namespace),
      texts.place(life.image),
      texts.place(life.cronJob),
      keepsChains ? chain(life.created, life) : 0,
      keepsChains ? chain(life.deleted, life) : 0,
      life.executions ?? null,
      texts.place(life.held),
    ]
  }
  const lanes = history.lanes.map(({ lives, ...facts }): Packed['lanes'][number] => {
    const isKept = (at: number): boolean =>
      !isShortened ||
      Math.min(at, lives.length - 1 - at) < KEPT_AT_EACH_END ||
      lives[at]?.outcome !== 'complete'
    return [facts, withoutRepeats(lives.map((life, at) => lifeRow(life, isKept(at))))]
  })
  const happenings = thinned(history).map((one): Row => [
    one.at - start,
    distance(one.until, one.at),
    KINDS.indexOf(one.kind),
    texts.place(one.row),
    texts.place(one.words),
    texts.place(one.rule),
    texts.place(one.page),
    texts.place(one.object),
  ])
  return {
    start,
    end,
    timing,
    texts: texts.values,
    steps: steps.values,
    chains: chains.values,
    lanes,
    happenings,
    warnings,
    isShortened,
  }
}

export function unpack(packed: Packed): History {
  const { start, end, timing, warnings } = packed
  const text = (place: number | null | undefined): string => packed.texts[place ?? 0] ?? ''
  const step = (at: number, row: Row | undefined, name: string): Step => ({
    at,
    role: ROLES[row?.[0] ?? 2] ?? 'effect',
    actor: text(row?.[1]),
    words: text(row?.[2]).replaceAll(NAME, () => name),
    ...present('rule', text(row?.[3])),
    ...present('page', text(row?.[4])),
    ...(row?.[5] === 1 ? { unconfirmed: true as const } : {}),
    ...(present('trigger', text(row?.[6])) as { trigger?: TriggerKind }),
  })
  const chain = (place: number | null | undefined, createdAt: number, name: string): Step[] => {
    const row = packed.chains[place ?? 0] ?? []
    const list: Step[] = []
    for (let at = 0; at < row.length; at += 2) {
      list.push(step(createdAt + (row[at] ?? 0), packed.steps[row[at + 1] ?? 0], name))
    }
    return list
  }
  const life = (row: Row, at: number, laneAt: number): JobLife => {
    const createdAt = start + (row[0] ?? 0)
    const name = text(row[7])
    const deleted = chain(row[12], createdAt, name)
    return {
      uid: `${laneAt}.${at}`,
      namespace: text(row[8]),
      name,
      ...present('cronJob', text(row[10])),
      image: text(row[9]),
      createdAt,
      created: chain(row[11], createdAt, name),
      cause: CAUSES[row[5] ?? 0] ?? 'first',
      ...instant('startedAt', row[1], createdAt),
      pods: row[6] ?? 0,
      ...(row[13] === null || row[13] === undefined ? {} : { executions: row[13] }),
      ...present('held', text(row[14])),
      ...instant('endedAt', row[2], createdAt),
      outcome: OUTCOMES[row[4] ?? 0] ?? 'waiting',
      ...instant('deletedAt', row[3], createdAt),
      ...(deleted.length === 0 ? {} : { deleted }),
    }
  }
  const lanes = packed.lanes.map(([facts, rows], laneAt) => ({
    ...facts,
    lives: withRepeats(rows).map((row, at) => life(row, at, laneAt)),
  }))
  const happenings = packed.happenings.map((row): Happening => {
    const at = start + (row[0] ?? 0)
    return {
      at,
      ...instant('until', row[1], at),
      row: text(row[3]),
      kind: KINDS[row[2] ?? 0] ?? 'note',
      words: text(row[4]),
      ...present('rule', text(row[5])),
      ...present('page', text(row[6])),
      ...present('object', text(row[7])),
    }
  })
  return { start, end, timing, lanes, happenings, warnings }
}

/** A row that is the one before but for its first number becomes the distance of the two. */
function withoutRepeats(rows: readonly Row[]): readonly (Row | number)[] {
  return rows.map((row, at) => {
    const before = rows[at - 1]
    const isSame = before?.every((value, column) => column === 0 || value === row[column]) === true
    return isSame ? (row[0] ?? 0) - (before[0] ?? 0) : row
  })
}

function withRepeats(rows: readonly (Row | number)[]): readonly Row[] {
  const full: Row[] = []
  for (const row of rows) {
    const before = full.at(-1) ?? []
    full.push(typeof row === 'number' ? [(before[0] ?? 0) + row, ...before.slice(1)] : row)
  }
  return full
}

function withoutName(words: string, name: string): string {
  const plain = words.replaceAll(NAME, '\ufffd')
  return name === '' ? plain : plain.replaceAll(name, NAME)
}

function distance(at: number | undefined, from: number): number | null {
  return at === undefined ? null : at - from
}

function instant<Key extends string>(
  key: Key,
  passed: number | null | undefined,
  from: number,
): { readonly [K in Key]?: number } {
  return (passed === null || passed === undefined ? {} : { [key]: from + passed }) as {
    readonly [K in Key]?: number
  }
}

function present<Key extends string>(key: Key, text: string): { readonly [K in Key]?: string } {
  return (text === '' ? {} : { [key]: text }) as { readonly [K in Key]?: string }
}

/** Gives each distinct value one place. */
class Table<Value> {
  readonly values: Value[] = []
  readonly #places = new Map<string, number>()
  readonly #key: (value: Value) => string

  constructor(key: (value: Value) => string) {
    this.#key = key
  }

  /** An absent value is the first one. */
  place(value: Value | undefined): number {
    if (value === undefined) return 0
    const key = this.#key(value)
    const known = this.#places.get(key)
    if (known !== undefined) return known
    this.#places.set(key, this.values.length)
    return this.values.push(value) - 1
  }
}
