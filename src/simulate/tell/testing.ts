import type { Happening, History, JobLife, Lane, Step } from '../history/history.ts'

/** Histories by hand, for tests. Times are hours from the start. */
export const START: number = Date.UTC(2026, 0, 5)
const HOUR = 3_600_000

export function at(hours: number): number {
  return START + Math.round(hours * HOUR)
}

export function history(
  lanes: readonly Lane[],
  rest: Partial<Omit<History, 'lanes'>> & { readonly hours?: number } = {},
): History {
  const { hours = 168, ...given } = rest
  return {
    start: START,
    end: at(hours),
    timing: { mode: 'idealised' },
    happenings: [],
    warnings: [],
    ...given,
    lanes,
  }
}

export interface LifeGiven extends Partial<Omit<JobLife, 'created' | 'deleted'>> {
  readonly trigger?: Step['trigger']
  readonly actor?: string
  readonly rule?: string
  readonly created?: readonly Step[]
  readonly deleted?: readonly Step[]
  /** Hours after the start at which it is created, and for how many its pods run. */
  readonly from: number
  readonly runs?: number
  /** Hours after the start at which its TTL deletes it. */
  readonly expires?: number
}

export function life(given: LifeGiven): JobLife {
  const { from, runs = 1 / 12, expires, trigger = 'interval', ...rest } = given
  const { actor = 'kustomize-controller', rule = 'F-8', ...own } = rest
  const name = own.name ?? 'migrate'
  const job = `Job shop/${name}`
  const endedAt = own.outcome === 'running' ? undefined : at(from + runs)
  return {
    uid: `${name}-${from}`,
    namespace: 'shop',
    name,
    image: 'shop/migrate:1',
    createdAt: at(from),
    cause: from === 0 ? 'first' : 'restored',
    created: [
      step(from, 'trigger', actor, WORDS[trigger] ?? trigger, { trigger, rule: 'F-1' }),
      step(from, 'state', 'kube-apiserver', `there was no ${job}`),
      step(from, 'effect', actor, `created ${job}`, { rule }),
    ],
    startedAt: at(from),
    pods: 1,
    outcome: 'complete',
    ...(endedAt === undefined ? {} : { endedAt }),
    ...(expires === undefined
      ? {}
      : { deletedAt: at(expires), deleted: ttlDeletion(expires, job) }),
    ...own,
  }
}

const WORDS: { readonly [kind: string]: string } = {
  interval: 'its interval of 1h0m0s was over',
  revision: 'revision main@sha1:abc came',
  request: 'a person asked for it',
}

export function ttlDeletion(hours: number, job = 'Job shop/migrate'): readonly Step[] {
  const actor = 'ttl-after-finished-controller'
  return [
    step(hours, 'trigger', actor, 'its TTL was over', { trigger: 'expiry', rule: 'K-25' }),
    step(hours, 'effect', actor, `deleted ${job}`, { rule: 'K-26' }),
  ]
}

export function step(
  hours: number,
  role: Step['role'],
  actor: string,
  words: string,
  rest: Partial<Step> = {},
): Step {
  return { at: at(hours), role, actor, words, ...rest }
}

export function lane(lives: readonly JobLife[], rest: Partial<Lane> = {}): Lane {
  return {
    name: 'shop/migrate',
    kind: 'Job',
    appliedBy: 'Flux Kustomization flux-system/shop',
    lives,
    ...rest,
  }
}

export function happening(
  hours: number,
  kind: Happening['kind'],
  words: string,
  rest: Partial<Happening> = {},
): Happening {
  return { at: at(hours), row: 'Kustomization flux-system/shop', kind, words, ...rest }
}

export function commits(...hours: readonly number[]): readonly Happening[] {
  return hours.map((hour) => happening(hour, 'commit', `commit at ${hour} h`, { row: 'Git' }))
}

/** Case 001: a TTL of a day under an interval of an hour. */
export function daily(): History {
  const starts = [0, 25, 50, 75, 100, 125, 150]
  const lives = starts.map((from) =>
    life({ from, ...(from < 150 ? { expires: from + 24 + 1 / 12 } : {}) }),
  )
  return history([lane(lives, { ttlSeconds: 86_400 })], { happenings: commits(0) })
}
