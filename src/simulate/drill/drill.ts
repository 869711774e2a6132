import type { Instant } from '../../cluster/time.ts'
import { runsOf, type History, type Lane, type Run } from '../history/history.ts'
import { offsetOf } from '../tell/spans.ts'
import type { World, WorldEvent } from '../world/world.ts'

/** An accident that is tried out: `controller-down=2h`, `restore=1h@36h`. */
export interface Drill {
  /** As it was asked for. */
  readonly text: string
  readonly at: Instant
  readonly event: WorldEvent
}

interface DrillKind {
  readonly name: string
  /** What follows `=`: a span, a version, or nothing. */
  readonly value: 'span' | 'version' | 'none'
  readonly example: string
  event(at: Instant, value: string, ms: number): WorldEvent
}

function outage(name: string, of: string, words: string): DrillKind {
  return {
    name,
    value: 'span',
    example: `${name}=2h`,
    event: (at, value, ms) => {
      return { kind: 'outage', at, of, until: at + ms, words: `${words} down for ${value}` }
    },
  }
}

/** One line for each accident that `--drill` knows. */
export const drillKinds: readonly DrillKind[] = [
  outage('controller-down', 'engine', 'the engine is'),
  outage('controllers-down', 'controllers', 'kube-controller-manager is'),
  outage('api-down', 'api-server', 'the API server is'),
  outage('registry-down', 'registry', 'the image registry is'),
  outage('git-down', 'sources', 'Git and the charts are'),
  {
    name: 'restart',
    value: 'none',
    example: 'restart',
    event: (at) => ({ kind: 'restart', at, of: 'engine', words: 'the engine is restarted' }),
  },
  {
    name: 'restore',
    value: 'span',
    example: 'restore=1h',
    event: (at, value, ms) => {
      return { kind: 'restore', at, to: at - ms, words: `etcd is restored to ${value} before` }
    },
  },
  {
    name: 'rebuild',
    value: 'none',
    example: 'rebuild',
    event: (at) => ({ kind: 'rebuild', at, words: 'the cluster is built anew' }),
  },
  {
    name: 'upgrade',
    value: 'version',
    example: 'upgrade=3.6',
    event: (at, value) => {
      return { kind: 'upgrade', at, engine: 0, version: value, words: `the engine is now ${value}` }
    },
  },
]

/** What is wrong with a drill, for a message. */
export interface DrillProblem {
  readonly what: string
  readonly why: string
  readonly remedy: string
}

/** Reads `KIND[=VALUE][@TIME]`. Without a time it happens in the middle, at a full hour. */
export function drillOf(
  text: string,
  { start, end }: Pick<World, 'start' | 'end'>,
): Drill | DrillProblem {
  const [whole = '', time] = text.split('@')
  const [name = '', value] = whole.split('=')
  const kind = drillKinds.find((one) => one.name === name)
  if (kind === undefined) {
    const known = drillKinds.map(({ example }) => example).join(', ')
    return {
      what: `there is no drill ${name}`,
      why: `the drills are ${known}`,
      remedy: 'write one of them, with @TIME if it must not happen in the middle',
    }
  }
  const bad = (why: string): DrillProblem => ({
    what: `--drill ${text} cannot be played`,
    why,
    remedy: `write for example --drill ${kind.example}@36h`,
  })
  const ms = kind.value === 'span' ? (offsetOf(value ?? '') ?? 0) : 0
  if (kind.value === 'span' && ms <= 0) return bad('it needs how long, above zero')
  if (kind.value === 'version' && value === undefined) return bad('it needs a version')
  if (kind.value === 'none' && value !== undefined) return bad(`${name} takes no value`)
  const offset = time === undefined ? middle(end - start) : offsetOf(time)
  if (offset === undefined || offset < 0) return bad(`${time ?? ''} is no time from the start`)
  if (start + offset >= end) return bad('it would happen after the end')
  if (kind.name === 'restore' && ms > offset) {
    return bad('nobody has a backup from before the start')
  }
  const at = start + offset
  return { text, at, event: kind.event(at, value ?? '', ms) }
}

function middle(span: number): number {
  const half = Math.floor(span / 2)
  return half > HOUR ? Math.floor(half / HOUR) * HOUR : half
}

const HOUR = 3_600_000

export function withDrill(world: World, { event }: Drill): World {
  const events =
    event.kind === 'upgrade' ? world.engines.map((_, engine) => ({ ...event, engine })) : [event]
  return { ...world, events: [...world.events, ...events] }
}

/** How one Job fared in the drill, against the same time without it. */
export interface DrillRow {
  readonly lane: Lane
  readonly before: number
  readonly with: number
  /** Runs of the drill, after it began, that have none at their time otherwise. */
  readonly again: readonly Run[]
  /** Runs that the drill took away. */
  readonly missed: readonly Run[]
}

/** The lanes that run otherwise because of the drill, those with more runs first. */
export function compareDrill(
  base: History,
  drilled: History,
  { at }: Pick<Drill, 'at'>,
): readonly DrillRow[] {
  const names = new Set([...base.lanes, ...drilled.lanes].map(({ name }) => name))
  const rows: DrillRow[] = []
  for (const name of names) {
    const lane = drilled.lanes.find((one) => one.name === name)
    const was = base.lanes.find((one) => one.name === name)
    const shown = lane ?? was
    if (shown === undefined) continue
    const mine =
      lane === undefined ? [] : runsOf(lane, drilled).filter((run) => run.startedAt >= at)
    const theirs = was === undefined ? [] : runsOf(was, base).filter((run) => run.startedAt >= at)
    const again = unmatched(mine, theirs)
    const missed = unmatched(theirs, mine)
    if (again.length === 0 && missed.length === 0) continue
    rows.push({ lane: shown, before: theirs.length, with: mine.length, again, missed })
  }
  return rows.sort((one, other) => other.with - other.before - (one.with - one.before))
}

/** Those without one of the same second among the others. */
function unmatched(mine: readonly Run[], others: readonly Run[]): readonly Run[] {
  const seconds = new Map<number, number>()
  for (const { startedAt } of others) {
    const second = Math.floor(startedAt / 1000)
    seconds.set(second, (seconds.get(second) ?? 0) + 1)
  }
  return mine.filter(({ startedAt }) => {
    const second = Math.floor(startedAt / 1000)
    const left = seconds.get(second) ?? 0
    if (left > 0) seconds.set(second, left - 1)
    return left === 0
  })
}
