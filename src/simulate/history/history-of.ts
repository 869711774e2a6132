import type { Instant } from '../../cluster/time.ts'
import { objectAt, stringAt } from '../../core/json.ts'
import type { Play } from '../world/play.ts'
import type { Happening, History, JobLife, Lane, Step, Timing, Warning } from './history.ts'

/** What is known of a lane before anything is played. */
export interface Declared {
  readonly name: string
  readonly kind: 'Job' | 'CronJob'
  readonly appliedBy?: string
  readonly contract?: string
  readonly ttlSeconds?: number
  readonly schedule?: string
  readonly unknown?: string
}

/** Says where a rule is written and whether a recording has shown it. */
export type Rules = (id: string) => { readonly page?: string; readonly unconfirmed?: boolean }

export interface HistoryOptions {
  readonly timing: Timing
  readonly declared?: readonly Declared[]
  readonly rules?: Rules
  readonly warnings?: readonly Warning[]
  /** `flux-system/shop` is said to be of `Flux`. */
  readonly titleOf?: (actor: string) => string | undefined
}

/** The history of a play that is finished or was cut. */
export function historyOf(play: Play, options: HistoryOptions): History {
  const { world, chronicle, cut } = play
  const rules = options.rules ?? (() => ({}))
  const end = cut === undefined ? world.end : cut.at
  const lanes = lanesOf(play, end, rules, options)
  const own = [
    ...(options.warnings ?? []),
    ...cutWarnings(play, lanes),
    ...raceWarnings(play),
    ...unconfirmedWarnings(lanes),
  ]
  return {
    start: world.start,
    end,
    timing: options.timing,
    lanes,
    happenings: chronicle.happenings().map((one) => withPage(one, rules)),
    warnings: own,
  }
}

function lanesOf(
  play: Play,
  end: Instant,
  rules: Rules,
  { declared = [], titleOf }: HistoryOptions,
): readonly Lane[] {
  const known = new Map(declared.map((one) => [one.name, one]))
  const played = play.chronicle.lanes().map(({ name, kind, carrier, lives, suspended }): Lane => {
    const about = known.get(name)
    known.delete(name)
    const actor = carrier?.actor ?? creatorOf(lives, kind)
    const title = actor === undefined ? undefined : titleOf?.(actor)
    const appliedBy = about?.appliedBy ?? titled(carrier?.carrier, title)
    return {
      ...specOf(play, name, kind),
      name,
      kind,
      ...(appliedBy === undefined ? {} : { appliedBy }),
      ...definedOf(about),
      ...(suspended.length === 0 ? {} : { suspended }),
      lives: lives.filter(({ createdAt }) => createdAt < end).map((life) => paged(life, rules)),
    }
  })
  const never = [...known.values()].map((about): Lane => {
    const { appliedBy, name, kind } = about
    return {
      ...specOf(play, name, kind),
      name,
      kind,
      ...(appliedBy === undefined ? {} : { appliedBy }),
      ...definedOf(about),
      lives: [],
    }
  })
  return [...played, ...never]
}

/** Who creates a Job that no carrier is known of; a CronJob's Jobs say nothing about that. */
function creatorOf(lives: readonly JobLife[], kind: 'Job' | 'CronJob'): string | undefined {
  return kind === 'CronJob' ? undefined : lives[0]?.created.at(-1)?.actor
}

/** What the live CronJob says, where nobody declared it. */
function specOf(
  { cluster }: Play,
  lane: string,
  kind: 'Job' | 'CronJob',
): Pick<Lane, 'schedule' | 'timeZone' | 'ttlSeconds' | 'held'> {
  const [namespace, name = ''] = lane.split('/')
  const resource = kind === 'Job' ? 'jobs' : 'cronjobs'
  const live = cluster.api.read.get({ group: 'batch', version: 'v1', resource }, namespace, name)
  const schedule = stringAt(live, ['spec', 'schedule'])
  const timeZone = stringAt(live, ['spec', 'timeZone'])
  const spec = objectAt(live, ['spec'])
  const ttl = spec?.['ttlSecondsAfterFinished']
  return {
    ...(schedule === undefined ? {} : { schedule }),
    ...(timeZone === undefined ? {} : { timeZone }),
    ...(kind === 'CronJob' && spec?.['suspend'] === true ? { held: 'is suspended' } : {}),
    ...(typeof ttl === 'number' ? { ttlSeconds: ttl } : {}),
  }
}

function definedOf(about: Declared | undefined): Partial<Lane> {
  if (about === undefined) return {}
  const { contract, ttlSeconds, schedule, unknown } = about
  return {
    ...(contract === undefined ? {} : { contract }),
    ...(ttlSeconds === undefined ? {} : { ttlSeconds }),
    ...(schedule === undefined ? {} : { schedule }),
    ...(unknown === undefined ? {} : { unknown }),
  }
}

function titled(carrier: string | undefined, title: string | undefined): string | undefined {
  if (carrier === undefined) return title
  return title === undefined ? carrier : `${title} ${carrier}`
}

function paged(life: JobLife, rules: Rules): JobLife {
  return {
    ...life,
    created: life.created.map((step) => pagedStep(step, rules)),
    ...(life.deleted === undefined
      ? {}
      : { deleted: life.deleted.map((step) => pagedStep(step, rules)) }),
  }
}

function pagedStep(step: Step, rules: Rules): Step {
  if (step.rule === undefined) return step
  const { page, unconfirmed } = rules(step.rule)
  if (page === undefined && unconfirmed !== true) return step
  return {
    ...step,
    ...(page === undefined ? {} : { page }),
    ...(unconfirmed === true ? { unconfirmed } : {}),
  }
}

function withPage(happening: Happening, rules: Rules): Happening {
  const page = happening.rule === undefined ? undefined : rules(happening.rule).page
  return page === undefined ? happening : { ...happening, page }
}

function cutWarnings({ cut, world }: Play, lanes: readonly Lane[]): readonly Warning[] {
  if (cut === undefined) return []
  const lane = lanes.find(({ name }) => name === cut.lane)
  const span = spanWords(cut.at - world.start)
  const chain = lane?.lives.at(-1)?.created.map(({ words }) => words) ?? []
  return [
    {
      id: 'runs-without-bound',
      lanes: [cut.lane],
      what:
        cut.why === 'instant'
          ? `a loop that takes no time began at ${span}; the simulation was cut there`
          : `${cut.lane} runs without bound: ${cut.lives} times in ${span}; ` +
            'the simulation was cut there',
      why: chain.length === 0 ? 'something starts it again and again' : chain.join('; '),
      remedy: 'take away what starts it again: a TTL, a replace at each sync, a failing check',
    },
  ]
}

function raceWarnings({ chronicle }: Play): readonly Warning[] {
  return [...chronicle.races()].map(([words, lanes]) => ({
    id: 'race',
    lanes: [...lanes],
    what: 'the outcome is a race; the common one was taken',
    why: words,
    remedy: '--seed N --runs M draws it with the recorded frequency',
  }))
}

function unconfirmedWarnings(lanes: readonly Lane[]): readonly Warning[] {
  const byRule = new Map<string, Set<string>>()
  for (const { name, lives } of lanes) {
    for (const { created, deleted = [] } of lives) {
      for (const { rule, unconfirmed } of [...created, ...deleted]) {
        if (rule === undefined || unconfirmed !== true) continue
        const own = byRule.get(rule) ?? new Set()
        byRule.set(rule, own.add(name))
      }
    }
  }
  return [...byRule].map(([rule, names]) => ({
    id: 'unconfirmed-rule',
    lanes: [...names],
    what: `this rests on rule ${rule}, which no recording has shown`,
    why: 'it was read from source or documents only',
  }))
}

function spanWords(ms: number): string {
  const seconds = Math.round(ms / 1000)
  const days = Math.floor(seconds / 86_400)
  const hours = Math.floor((seconds % 86_400) / 3600)
  const minutes = Math.floor((seconds % 3600) / 60)
  const parts = [
    ...(days > 0 ? [`${days} d`] : []),
    ...(hours > 0 ? [`${hours} h`] : []),
    ...(minutes > 0 ? [`${minutes} min`] : []),
    ...(seconds < 60 ? [`${seconds} s`] : []),
  ]
  return parts.join(' ')
}
