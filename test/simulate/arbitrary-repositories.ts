import fc from 'fast-check'
import type { EngineId } from '../../src/engines/engine.ts'
import type { World, WorldEvent } from '../../src/simulate/world/world.ts'
import type { Files } from '../ownership/harness.ts'

/**
 * Small repositories with one Job or CronJob under one engine, in all settings that decide how often
 * it runs while nobody changes anything.
 */
export interface RepositoryCase {
  /** What a failure prints first. */
  readonly title: string
  readonly files: Files
  /** Said by a person, where no carrier tells. */
  readonly engine: EngineId | undefined
  readonly workSeconds: number
  readonly outcome: 'ok' | 'fail'
  /** Short loops are watched for a day. */
  readonly days: number
  readonly isCron: boolean
}

interface JobCase {
  readonly ttl: number | undefined
  readonly retries: number
  readonly suspended: boolean
}

const TTLS = [undefined, 0, 1, 47, 900, 3600, 21_600, 86_400, 864_000]

const jobs: fc.Arbitrary<JobCase> = fc.record({
  ttl: fc.constantFrom(...TTLS),
  retries: fc.constantFrom(0, 1, 2),
  suspended: fc.integer({ min: 0, max: 19 }).map((one) => one === 0),
})

/** Never a multiple of five: a look at the very second of an end is a race. */
const works: fc.Arbitrary<number> = fc.constantFrom(3, 33, 61, 287, 1402)

const schedules: fc.Arbitrary<string> = fc.constantFrom(
  '0 * * * *',
  '*/7 * * * *',
  '30 2 * * *',
  '0 8,20 * * mon-fri',
  '15 4 1 * *',
  '15 4 10 * *',
  '@hourly',
  '@weekly',
  '@every 95m',
)

interface Carried {
  readonly title: string
  files(object: string): Files
  readonly annotations?: Readonly<Record<string, string>>
  readonly engine?: EngineId
}

const kustomizations: fc.Arbitrary<Carried> = fc
  .record({
    interval: fc.constantFrom('10m', '30m', '1h', '25h'),
    retryInterval: fc.constantFrom(undefined, '7m'),
    timeout: fc.constantFrom(undefined, '40s', '5m'),
    wait: fc.boolean(),
    force: fc.boolean(),
    prune: fc.boolean(),
    suspend: fc.integer({ min: 0, max: 19 }).map((one) => one === 0),
    mark: fc.constantFrom(
      undefined,
      undefined,
      undefined,
      'force: enabled',
      'ssa: IfNotPresent',
      'reconcile: disabled',
    ),
  })
  .map(({ mark, ...spec }) => {
    const [key, value = ''] = mark?.split(': ') ?? []
    return {
      title: `Kustomization ${JSON.stringify(spec)} ${mark ?? ''}`,
      files: (object) => ({
        'flux.yaml': manifest('kustomize.toolkit.fluxcd.io/v1', 'Kustomization', 'flux-system', {
          ...spec,
          path: './apps',
          sourceRef: { kind: 'GitRepository', name: 'flux-system' },
        }),
        'apps/job.yaml': object,
      }),
      ...(key === undefined
        ? {}
        : { annotations: { [`kustomize.toolkit.fluxcd.io/${key}`]: value } }),
    }
  })

const HOOKS: readonly Readonly<Record<string, string>>[] = [
  { hook: 'PreSync' },
  { hook: 'Sync', 'hook-delete-policy': 'HookSucceeded' },
  { hook: 'PostSync', 'hook-delete-policy': 'BeforeHookCreation' },
  { hook: 'SyncFail' },
  { 'sync-options': 'Replace=true,Force=true' },
  { 'sync-options': 'Force=true' },
]

const applications: fc.Arbitrary<Carried> = fc
  .record({
    automated: fc.constantFrom(undefined, {}, { selfHeal: true }, { selfHeal: true, prune: true }),
    marks: fc.option(fc.constantFrom(...HOOKS), { nil: undefined, freq: 2 }),
  })
  .map(({ automated, marks }) => ({
    title: `Application ${JSON.stringify({ automated, marks })}`,
    files: (object) => ({
      'app.yaml': manifest('argoproj.io/v1alpha1', 'Application', 'argocd', {
        project: 'default',
        source: {
          repoURL: 'https://git.example.test/apps.git',
          path: 'apps',
          targetRevision: 'main',
        },
        destination: { server: 'https://kubernetes.default.svc', namespace: 'shop' },
        ...(automated === undefined ? {} : { syncPolicy: { automated } }),
      }),
      'apps/job.yaml': object,
      'apps/config.yaml': JSON.stringify({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'settings', namespace: 'shop' },
        data: { level: 'info' },
      }),
    }),
    ...(marks === undefined
      ? {}
      : {
          annotations: Object.fromEntries(
            Object.entries(marks).map(([key, value]) => [`argocd.argoproj.io/${key}`, value]),
          ),
        }),
  }))

const CHART_HOOKS: readonly Readonly<Record<string, string>>[] = [
  { hook: 'pre-install' },
  { hook: 'pre-install,pre-upgrade' },
  { hook: 'post-delete' },
]

const releases: fc.Arbitrary<Carried> = fc
  .record({
    interval: fc.constantFrom('10m', '1h'),
    mode: fc.constantFrom(undefined, 'warn', 'enabled', 'enabled'),
    marks: fc.option(fc.constantFrom(...CHART_HOOKS), { nil: undefined, freq: 2 }),
  })
  .map(({ interval, mode, marks }) => ({
    title: `HelmRelease ${JSON.stringify({ interval, mode, marks })}`,
    files: (object) => ({
      'release.yaml': manifest('helm.toolkit.fluxcd.io/v2', 'HelmRelease', 'shop', {
        interval,
        chart: {
          spec: {
            chart: './charts/shop',
            sourceRef: { kind: 'GitRepository', name: 'flux-system', namespace: 'flux-system' },
          },
        },
        ...(mode === undefined ? {} : { driftDetection: { mode } }),
      }),
      'charts/shop/Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
      'charts/shop/values.yaml': '{}\n',
      'charts/shop/templates/job.yaml': object,
    }),
    ...(marks === undefined
      ? {}
      : {
          annotations: Object.fromEntries(
            Object.entries(marks).map(([key, value]) => [`helm.sh/${key}`, value]),
          ),
        }),
  }))

const sets: fc.Arbitrary<Carried> = fc
  .record({ every: fc.constantFrom('10m', '1h'), wait: fc.boolean() })
  .map(({ every, wait }) => ({
    title: `ResourceSet ${JSON.stringify({ every, wait })}`,
    files: (object) => ({
      'set.yaml': manifest(
        'fluxcd.controlplane.io/v1',
        'ResourceSet',
        'flux-system',
        { wait, resources: [JSON.parse(object) as unknown] },
        { 'fluxcd.controlplane.io/reconcileEvery': every },
      ),
    }),
  }))

const graphs: fc.Arbitrary<Carried> = fc.constant({
  title: 'ResourceGraphDefinition',
  files: (object) => ({
    'graph.yaml': manifest('kro.run/v1alpha1', 'ResourceGraphDefinition', undefined, {
      schema: { apiVersion: 'v1alpha1', kind: 'Shop', spec: { title: 'string' } },
      resources: [{ id: 'job', template: JSON.parse(object) as unknown }],
    }),
    'shop.yaml': manifest('kro.run/v1alpha1', 'Shop', 'shop', { title: 'one' }),
  }),
})

const bundles: fc.Arbitrary<Carried> = fc.boolean().map((corrects) => ({
  title: `fleet.yaml ${corrects ? 'correctDrift' : ''}`,
  files: (object) => ({
    'apps/fleet.yaml': JSON.stringify({
      defaultNamespace: 'shop',
      ...(corrects ? { correctDrift: { enabled: true } } : {}),
    }),
    'apps/job.yaml': object,
  }),
}))

const commands: fc.Arbitrary<Carried> = fc.constant({
  title: 'kubectl apply',
  files: (object: string) => ({ 'apps/job.yaml': object }),
  engine: 'kubectl' as const,
})

/** Engines by the name that a test can ask for. */
export const CARRIERS: Readonly<Record<string, fc.Arbitrary<Carried>>> = {
  flux: kustomizations,
  argocd: applications,
  helm: releases,
  resourceset: sets,
  kro: graphs,
  fleet: bundles,
  kubectl: commands,
}

export function repositoryCases(carriers: fc.Arbitrary<Carried>): fc.Arbitrary<RepositoryCase> {
  return fc
    .record({
      carried: carriers,
      job: jobs,
      work: works,
      outcome: fc.constantFrom('ok' as const, 'ok' as const, 'fail' as const),
      cron: fc.option(schedules, { nil: undefined, freq: 2 }),
      policy: fc.constantFrom('Allow', 'Forbid'),
    })
    .map(({ carried, job, work, outcome, cron, policy }) => {
      const isCron = cron !== undefined && carried.annotations === undefined
      const object = isCron ? cronJob(cron, policy, job) : plainJob(job, carried.annotations ?? {})
      const details = isCron ? { cron, policy } : job
      const isRare = isCron ? /^(30|15|0 8|@w)/.test(cron) : (job.ttl ?? 86_400) >= 21_600
      return {
        title: `${carried.title} ${JSON.stringify(details)} ${work} s ${outcome}`,
        files: carried.files(JSON.stringify(object)),
        engine: carried.engine,
        workSeconds: work,
        outcome,
        days: isRare ? 7 : 1,
        isCron,
      }
    })
}

function plainJob({ ttl, retries, suspended }: JobCase, annotations: object): object {
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'migrate', namespace: 'shop', annotations },
    spec: { ...spec({ ttl, retries }), ...(suspended ? { suspend: true } : {}) },
  }
}

function cronJob(schedule: string, concurrencyPolicy: string, job: JobCase): object {
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: 'nightly', namespace: 'shop' },
    spec: {
      schedule,
      concurrencyPolicy,
      ...(job.suspended ? { suspend: true } : {}),
      jobTemplate: { spec: spec({ ttl: undefined, retries: job.retries }) },
    },
  }
}

function spec({ ttl, retries }: Pick<JobCase, 'ttl' | 'retries'>): object {
  return {
    backoffLimit: retries,
    ...(ttl === undefined ? {} : { ttlSecondsAfterFinished: ttl }),
    template: {
      spec: {
        restartPolicy: 'Never',
        containers: [{ name: 'task', image: 'registry.example.test/app:1' }],
      },
    },
  }
}

function manifest(
  apiVersion: string,
  kind: string,
  namespace: string | undefined,
  body: object,
  annotations: object = {},
): string {
  const name = 'shop'
  const metadata = { name, ...(namespace === undefined ? {} : { namespace }), annotations }
  return JSON.stringify({ apiVersion, kind, metadata, spec: body })
}

/** What goes wrong during a play: seconds from the start, for how long, and what. */
export interface Trouble {
  readonly at: number
  readonly lasts: number
  readonly what:
    | 'commit'
    | 'delete the Job'
    | 'engine is down'
    | 'controllers are down'
    | 'API server is down'
    | 'sources cannot be read'
    | 'engine restarts'
    | 'controllers restart'
    | 'sync'
}

export const troubles: fc.Arbitrary<readonly Trouble[]> = fc.array(
  fc.record({
    at: fc.integer({ min: 1, max: 21_000 }),
    lasts: fc.integer({ min: 5, max: 3600 }),
    what: fc.constantFrom<Trouble['what'][]>(
      'commit',
      'delete the Job',
      'engine is down',
      'controllers are down',
      'API server is down',
      'sources cannot be read',
      'engine restarts',
      'controllers restart',
      'sync',
    ),
  }),
  { maxLength: 4 },
)

export function eventsOf(all: readonly Trouble[], world: World): readonly WorldEvent[] {
  return all.flatMap(({ at: seconds, lasts, what }, index): readonly WorldEvent[] => {
    const at = world.start + seconds * 1000
    const timed = { at, words: what }
    const down = (of: string): readonly WorldEvent[] => [
      { ...timed, kind: 'outage', of, until: at + lasts * 1000 },
    ]
    switch (what) {
      case 'commit':
        return world.events
          .filter((event) => event.kind === 'commit')
          .map((event) => ({ ...event, ...timed, revision: `r${index}` }))
      case 'delete the Job':
        return [
          {
            ...timed,
            kind: 'drift',
            object: { kind: 'Job', namespace: 'shop', name: 'migrate' },
            action: { do: 'delete' },
          },
        ]
      case 'engine is down':
        return down('engine')
      case 'controllers are down':
        return down('controllers')
      case 'API server is down':
        return down('api-server')
      case 'sources cannot be read':
        return down('sources')
      case 'engine restarts':
        return [{ ...timed, kind: 'restart', of: 'engine' }]
      case 'controllers restart':
        return [{ ...timed, kind: 'restart', of: 'controllers' }]
      case 'sync':
      default:
        return [{ ...timed, kind: 'sync', engine: 0, event: {} }]
    }
  })
}

const FIELDS = {
  minute: ['0', '7', '*/20', '5-15/5', '30,59'],
  hour: ['*', '0', '3', '*/6', '9-17', '23'],
  day: ['*', '1', '6,9', '10-12'],
  month: ['*', '1', 'jan-mar', '2'],
  weekday: ['*', '0', 'mon-fri', '6', '2,4'],
}

/** Zones whose clocks do not change in January: what Kubernetes does then has tests of its own. */
const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
  'America/St_Johns',
  'Pacific/Kiritimati',
]

export const cronCase: fc.Arbitrary<{
  readonly schedule: string
  readonly timeZone: string
  readonly files: Files
}> = fc
  .record({
    minute: fc.constantFrom(...FIELDS.minute),
    hour: fc.constantFrom(...FIELDS.hour),
    day: fc.constantFrom(...FIELDS.day),
    month: fc.constantFrom(...FIELDS.month),
    weekday: fc.constantFrom(...FIELDS.weekday),
    timeZone: fc.constantFrom(...ZONES),
  })
  .map(({ minute, hour, day, month, weekday, timeZone }) => {
    const schedule = [minute, hour, day, month, weekday].join(' ')
    const job = JSON.parse(
      JSON.stringify(cronJob(schedule, 'Allow', { ttl: undefined, retries: 0, suspended: false })),
    ) as { spec: object }
    const object = JSON.stringify({ ...job, spec: { ...job.spec, timeZone } })
    const files = {
      'flux.yaml': manifest('kustomize.toolkit.fluxcd.io/v1', 'Kustomization', 'flux-system', {
        interval: '24h',
        prune: true,
        path: './apps',
        sourceRef: { kind: 'GitRepository', name: 'flux-system' },
      }),
      'apps/job.yaml': object,
    }
    return { schedule, timeZone, files }
  })
