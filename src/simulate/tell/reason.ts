import type { TriggerKind } from '../../cluster/actor.ts'
import type { JobLife, Lane, Run, RunCause, Step } from '../history/history.ts'
import { grouped, spanWords } from './spans.ts'
import { triggerOf } from './pattern.ts'
import { momentOf, whoIs } from './who.ts'

/** Why a run came, as far as it takes to say that two came for the same reason. */
export interface Ground {
  readonly cause: RunCause
  /** Who created the Job. */
  readonly actor: string
  readonly trigger: TriggerKind | undefined
  /** Why the one before was gone. */
  readonly absence: Absence
}

export type Absence =
  | 'expired'
  | 'deleted-by-person'
  | 'pruned'
  | 'collected'
  | 'replaced'
  | 'there'

/**
 * The reason for runs that repeat, for the end of a sentence that has said `because`; the most
 * frequent grounds come first, and each says how often it held where there are several.
 */
export function reasonOf(runs: readonly Run[], lane: Lane): string {
  const kinds = new Map<string, { readonly ground: Ground; readonly moments: Counts }>()
  const before = livesBefore(lane)
  for (const run of runs) {
    const ground = groundOf(run, lane, before)
    // Rounds of several kinds are one reason with several moments.
    const words = groundWords({ ...ground, trigger: undefined }, lane)
    const known = kinds.get(words) ?? { ground, moments: new Map() }
    const moment = ground.trigger === undefined ? '' : momentOf(ground.actor, ground.trigger)
    add(known.moments, moment)
    kinds.set(words, known)
  }
  const ordered = [...kinds.values()]
    .map(({ ground, moments }) => ({ ground, moments, count: total(moments) }))
    .sort((one, other) => other.count - one.count)
  const isOnly = ordered.length === 1
  const shown = ordered.slice(0, MOST_GROUNDS).map(({ ground, moments, count }) => {
    const words = withMoments(ground, moments, lane)
    return isOnly || words.endsWith(')') ? words : `${words} (${times(count)})`
  })
  const rest = ordered.slice(MOST_GROUNDS).reduce((sum, { count }) => sum + count, 0)
  return [...shown, ...(rest === 0 ? [] : [`other reasons (${times(rest)})`])].join('; ')
}

/** `… restores it at the next interval (141 times) or at the next retry (23 times)`. */
function withMoments(ground: Ground, moments: Counts, lane: Lane): string {
  const ordered = [...moments].sort(([, one], [, other]) => other - one)
  const [first, ...others] = ordered
  const usesMoment =
    groundWords(ground, lane) !== groundWords({ ...ground, trigger: undefined }, lane)
  if (first === undefined || others.length === 0 || !usesMoment) return groundWords(ground, lane)
  const head = groundWords({ ...ground, trigger: undefined }, lane)
  const tail = ordered.map(
    ([moment, count]) => `${moment === '' ? 'else' : moment} (${times(count)})`,
  )
  return `${head} ${tail.join(' or ')}`
}

type Counts = Map<string, number>

function add(counts: Counts, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

function total(counts: Counts): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0)
}

const MOST_GROUNDS = 3

function times(count: number): string {
  return count === 1 ? 'once' : count === 2 ? 'twice' : `${grouped(count)} times`
}

export function groundOf(run: Run, lane: Lane, before: Before = livesBefore(lane)): Ground {
  const { deleted } = before.get(run) ?? {}
  return {
    cause: run.cause,
    actor: run.created.at(-1)?.actor ?? '',
    trigger: triggerOf(run)?.trigger,
    absence: deleted === undefined ? 'there' : absenceOf(deleted),
  }
}

type Before = ReadonlyMap<JobLife, JobLife>

/** For each life the one of its name that began last before it; of any name where there is none. */
export function livesBefore({ lives }: Lane): Before {
  const before = new Map<JobLife, JobLife>()
  const byName = new Map<string, JobLife>()
  let last: JobLife | undefined
  for (const life of lives) {
    const name = `${life.namespace}/${life.name}`
    const found = byName.get(name) ?? last
    if (found !== undefined) before.set(life, found)
    byName.set(name, life)
    last = life
  }
  return before
}

export function absenceOf(deleted: readonly Step[]): Absence {
  const last = deleted.at(-1)
  if (deleted.some(({ trigger }) => trigger === 'expiry')) return 'expired'
  if (last === undefined) return 'there'
  if (last.actor === 'ttl-after-finished-controller') return 'expired'
  if (last.actor === 'garbage-collector') return 'collected'
  if (last.actor === 'person' || last.actor === 'scenario') return 'deleted-by-person'
  return /\bprune/.test(last.words) ? 'pruned' : 'replaced'
}

/** `the TTL deletes it after 24 h and Flux restores it at the next interval`. */
export function groundWords(ground: Ground, lane: Lane): string {
  const who = whoIs(ground.actor)
  const moment = ground.trigger === undefined ? '' : ` ${momentOf(ground.actor, ground.trigger)}`
  switch (ground.cause) {
    case 'first':
      return `there was none before, and ${who.name} creates it`
    case 'changed':
      if (ground.absence === 'there') return `${who.name} creates it with other content${moment}`
      return ground.absence === 'replaced'
        ? `${who.name} deletes it and creates it again when its content changes`
        : `${absenceWords(ground.absence, lane)} and ${who.name} creates it with other content${moment}`
    case 'restored':
      if (lane.name.endsWith('*')) return `${who.name} creates a new one${moment}`
      if (ground.absence === 'there') return `${who.name} creates it again${moment}`
      return `${absenceWords(ground.absence, lane)} and ${who.name} restores it${moment}`
    case 'replaced':
      return `${who.name} deletes it and creates it again at every ${who.occasion}, changed or not`
    case 'retried':
      return `it failed and ${who.name} runs it again${moment}`
    case 'hook':
      return `it is a hook, and ${who.name} runs hooks at every ${who.occasion}`
    case 'schedule':
      return 'its schedule says so'
    case 'manual':
    default:
      return `${who.name === 'Kubernetes' ? 'a person' : who.name} starts it by hand`
  }
}

/** Of the spec; else as its Jobs were deleted by it. */
export function ttlOf({ ttlSeconds, lives }: Lane): number | undefined {
  if (ttlSeconds !== undefined) return ttlSeconds
  for (const { endedAt, deletedAt, deleted } of lives) {
    if (endedAt === undefined || deletedAt === undefined || deleted === undefined) continue
    if (absenceOf(deleted) === 'expired') return Math.round((deletedAt - endedAt) / 1000)
  }
  return undefined
}

export function absenceWords(absence: Absence, lane: Lane): string {
  switch (absence) {
    case 'expired': {
      const ttlSeconds = ttlOf(lane)
      if (ttlSeconds === undefined) return 'the TTL deletes it'
      return ttlSeconds === 0
        ? 'the TTL deletes it as soon as it ends'
        : `the TTL deletes it after ${spanWords(ttlSeconds * 1000)}`
    }
    case 'deleted-by-person':
      return 'somebody deletes it'
    case 'pruned':
      return 'it leaves what is declared and comes back,'
    case 'collected':
      return 'it is deleted together with its owner'
    case 'replaced':
      return 'it is deleted'
    case 'there':
    default:
      return 'it is gone'
  }
}
