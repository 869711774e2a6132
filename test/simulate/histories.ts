import type {
  Happening,
  History,
  JobLife,
  Lane,
  Outcome,
  RunCause,
  Step,
} from '../../src/simulate/history/history.ts'

/** Histories in the shapes that simulations give, made by hand: small, large and very large. */

export const START: number = Date.UTC(2025, 0, 6)
const MINUTE = 60_000
export const HOUR: number = 60 * MINUTE
const DAY: number = 24 * HOUR

type LifeOptions = Partial<Omit<JobLife, 'createdAt'>> & { readonly took?: number }

export function life(lane: string, at: number, options: LifeOptions = {}): JobLife {
  const { took = 5 * MINUTE, ...own } = options
  const [namespace = '', name = ''] = lane.split('/')
  const createdAt = START + at
  const outcome = own.outcome ?? 'complete'
  const hasEnded = outcome === 'complete' || outcome === 'failed'
  return {
    uid: `${lane}-${at}`,
    namespace,
    name,
    image: 'registry.example/shop/migrate:1.4.2',
    createdAt,
    created: [
      step(createdAt, 'trigger', 'kustomize-controller', 'its interval of 1h0m0s was over'),
      step(createdAt, 'effect', 'kustomize-controller', `created Job ${lane}`, 'F-3'),
    ],
    cause: 'first',
    startedAt: createdAt,
    pods: 1,
    ...(hasEnded ? { endedAt: createdAt + took } : {}),
    ...own,
    outcome,
  }
}

function step(at: number, role: Step['role'], actor: string, words: string, rule?: string): Step {
  return {
    at,
    role,
    actor,
    words,
    ...(rule === undefined ? {} : { rule, page: 'engines/flux.md#applying' }),
    ...(role === 'trigger' ? { trigger: 'interval' as const } : {}),
  }
}

export function history(
  days: number,
  lanes: readonly Lane[],
  rest: Partial<History> = {},
): History {
  return {
    start: START,
    end: START + days * DAY,
    timing: { mode: 'idealised' },
    lanes,
    happenings: [],
    warnings: [],
    ...rest,
  }
}

/** Case 001: a TTL of a day deletes the Job, Flux restores it at the next hour. */
export function ttlLoop(): History {
  const name = 'ledger/rotate-bucket-keys'
  const starts = [0, 25, 50, 75, 100, 125, 150]
  const lives = starts.map((hour, at) => {
    const createdAt = START + hour * HOUR
    const deletedAt = createdAt + 5 * MINUTE + DAY
    const before = deletedAt - 25 * HOUR
    const created = [
      step(createdAt, 'trigger', 'kustomize-controller', 'its interval of 1h0m0s was over'),
      at === 0
        ? step(createdAt, 'state', 'kustomize-controller', `Job ${name} was not there`)
        : step(
            before,
            'state',
            'ttl-after-finished-controller',
            `Job ${name} had been deleted`,
            'K-40',
          ),
      step(createdAt, 'effect', 'kustomize-controller', `created Job ${name}`, 'F-3'),
    ]
    const isOver = deletedAt < START + 7 * DAY
    return life(name, hour * HOUR, {
      cause: at === 0 ? 'first' : 'restored',
      created,
      ...(isOver
        ? {
            deletedAt,
            deleted: [
              step(
                deletedAt,
                'trigger',
                'ttl-after-finished-controller',
                'its TTL of 86400 s was over',
              ),
              step(
                deletedAt,
                'effect',
                'ttl-after-finished-controller',
                `deleted Job ${name}`,
                'K-40',
              ),
            ],
          }
        : {}),
    })
  })
  const row = 'Kustomization flux-system/ledger-jobs'
  const rounds = Array.from({ length: 168 }, (_, hour): Happening => ({
    at: START + hour * HOUR,
    row,
    kind: 'round',
    words: 'reconciled, because its interval of 1h0m0s was over',
  }))
  const others = lives.flatMap(({ deletedAt, createdAt }): readonly Happening[] => [
    { at: createdAt, row, kind: 'created', words: `created Job ${name}`, object: `Job ${name}` },
    ...(deletedAt === undefined
      ? []
      : [
          {
            at: deletedAt,
            row: 'cluster',
            kind: 'deleted' as const,
            words: `deleted Job ${name}`,
            rule: 'K-40',
            page: 'engines/kubernetes.md',
          },
        ]),
  ])
  return history(
    7,
    [
      {
        name,
        kind: 'Job',
        appliedBy: 'Flux Kustomization flux-system/ledger-jobs',
        ttlSeconds: 86_400,
        lives,
      },
    ],
    {
      happenings: sorted([
        { at: START, row: 'Git', kind: 'commit', words: 'commit: ledger/job.yaml' },
        ...rounds,
        ...others,
      ]),
    },
  )
}

/** Case 008: an Argo CD hook runs at each sync, and there is a commit every 16 hours. */
export function hookRuns(): History {
  const name = 'shop/migrate'
  const at = Array.from({ length: 11 }, (_, index) => index * 16 * HOUR)
  const outcomes: readonly Outcome[] = ['complete', 'complete', 'failed', 'complete']
  const lives = at.map((offset, index) => {
    const outcome = outcomes[index % 4] ?? 'complete'
    const createdAt = START + offset
    return life(name, offset, {
      cause: 'hook',
      outcome,
      took: 2 * HOUR,
      pods: outcome === 'failed' ? 7 : 1,
      ...(outcome === 'failed' ? {} : { deletedAt: createdAt + 2 * HOUR }),
      created: [
        step(
          createdAt,
          'trigger',
          'argocd-application-controller',
          `revision main@sha1:${index}f3c came`,
        ),
        {
          ...step(
            createdAt,
            'effect',
            'argocd-application-controller',
            `ran hook Job ${name}`,
            'A-12',
          ),
          unconfirmed: true,
        },
      ],
    })
  })
  const happenings = at.flatMap((offset, index): readonly Happening[] => [
    { at: START + offset, row: 'Git', kind: 'commit', words: `commit ${index}f3c` },
    { at: START + offset, row: 'Application argocd/shop', kind: 'sync', words: 'synced' },
    ...(index % 4 === 2
      ? [
          {
            at: START + offset + 2 * HOUR,
            row: 'Application argocd/shop',
            kind: 'failed' as const,
            words: 'sync failed: hook shop/migrate failed',
          },
        ]
      : []),
  ])
  const lane: Lane = {
    name,
    kind: 'Job',
    appliedBy: 'Argo CD Application argocd/shop',
    contract: 'once',
    lives,
  }
  const other = life('shop/seed-catalogue', 30 * HOUR, {
    outcome: 'gone',
    took: 0,
    deletedAt: START + 34 * HOUR,
  })
  const waiting = life('shop/warm-cache', 60 * HOUR, { outcome: 'waiting', pods: 0 })
  const { startedAt: _, ...never } = waiting
  return history(
    7,
    [
      lane,
      {
        name: 'shop/seed-catalogue',
        kind: 'Job',
        appliedBy: 'Argo CD Application argocd/shop',
        lives: [other],
      },
      {
        name: 'shop/warm-cache',
        kind: 'Job',
        appliedBy: 'Argo CD Application argocd/shop',
        lives: [never],
      },
      {
        name: 'ops/report',
        kind: 'Job',
        lives: [life('ops/report', 150 * HOUR, { outcome: 'running', cause: 'manual' })],
      },
      {
        name: 'ops/purge-*',
        kind: 'Job',
        lives: [],
        unknown: 'its name is filled in by a template',
      },
    ],
    {
      timing: { mode: 'realistic', seed: 7 },
      happenings: sorted([
        ...happenings,
        {
          at: START + 90 * HOUR,
          until: START + 101 * HOUR,
          row: 'cluster',
          kind: 'outage',
          words: 'API server down',
        },
        {
          at: START + 70 * HOUR,
          row: 'Application argocd/shop',
          kind: 'refused',
          words: 'refused Job shop/warm-cache: field is immutable',
          object: 'Job shop/warm-cache',
        },
      ]),
      warnings: [
        {
          id: 'unconfirmed-rule',
          lanes: [name],
          what: '11 runs rest on rule A-12, which no recording has shown',
          why: 'it was read from the source of Argo CD 3.1',
          remedy:
            'record one sync on your own cluster and compare it with `semel simulate --trace`',
        },
        {
          id: 'race',
          lanes: [name],
          what: 'a second run within 5 s is possible after self-heal',
          why: 'the comparison may be stale',
        },
      ],
    },
  )
}

/** A CronJob every minute for a week. */
export function everyMinute(failing: number = 997): History {
  const lives = Array.from({ length: 10_080 }, (_, minute) => {
    const name = `tick-${29_000_000 + minute}`
    const at = START + minute * MINUTE
    return life('ops/x', minute * MINUTE, {
      name,
      cronJob: 'tick',
      cause: 'schedule',
      took: 20_000,
      outcome: minute % failing === failing - 1 ? 'failed' : 'complete',
      created: [
        step(at, 'trigger', 'cronjob-controller', 'its schedule * * * * * came due'),
        step(at, 'effect', 'cronjob-controller', `created Job ops/${name}`, 'K-50'),
      ],
      deletedAt: at + 4 * MINUTE,
    })
  })
  return history(7, [{ name: 'ops/tick', kind: 'CronJob', schedule: '* * * * *', lives }])
}

/** Many lanes in groups of ten, each run by one of the causes. */
export function manyLanes(number: number): History {
  const causes: readonly RunCause[] = [
    'first',
    'changed',
    'restored',
    'replaced',
    'retried',
    'hook',
    'schedule',
    'manual',
  ]
  const lanes = Array.from({ length: number }, (_, index): Lane => {
    const name = `team-${index % 20}/job-${index}`
    const lives = Array.from({ length: 1 + (index % 7) }, (_, run) =>
      life(name, ((index * 7 + run * 23) % 165) * HOUR, {
        cause: causes[index % 8] ?? 'first',
        outcome: index % 17 === 3 ? 'failed' : 'complete',
        took: (5 + (index % 300)) * MINUTE,
      }),
    ).sort((one, other) => one.createdAt - other.createdAt)
    return {
      name,
      kind: 'Job',
      appliedBy: `Flux Kustomization flux-system/apps-${Math.floor(index / 10)}`,
      lives,
    }
  })
  const happenings = Array.from({ length: 40 }, (_, index): Happening => ({
    at: START + index * 4 * HOUR,
    row: index % 2 === 0 ? 'Git' : `Kustomization flux-system/apps-${index % 9}`,
    kind: index % 2 === 0 ? 'commit' : 'round',
    words: `event ${index}`,
  }))
  return history(7, lanes, { happenings })
}

function sorted(happenings: readonly Happening[]): readonly Happening[] {
  return [...happenings].sort((one, other) => one.at - other.at)
}
