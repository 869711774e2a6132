import * as fc from 'fast-check'
import type { Json, JsonObject } from '../../src/core/json.ts'
import { ENGINES, TAG_POLICIES, type RenderOptions } from '../../src/render/options.ts'

export interface Case {
  readonly values: JsonObject
  readonly options: RenderOptions
}

/** Values with much of what the schema knows; most of them are right, some fail a guard. */
export function arbitraryCase(): fc.Arbitrary<Case> {
  return fc.record({ values: arbitraryValues(), options: arbitraryOptions() })
}

const word = fc.constantFrom('a', 'b', 'c', 'x-1', 'db', 'cache')
const odd = fc.constantFrom(
  '<a> & "b" \'c\'',
  String.raw`\u2028 \\u003c \n`,
  'line\u2028sep\u2029end',
  '\b\f\t\u0001\u007f\u0085',
  '\u{1f600} é ﬀ \ufeff',
  '  #!/bin/sh\nset -e\n\techo "$HOME" \r\n\n',
  '\u00a0\u3000trim me\ufeff ',
  '{{ .Values }} ${X} $(A) $$(B)',
  '0o17',
  '1_000',
  '1:20',
  '2026-01-01',
  '~',
  '=',
  '<<',
  '- a',
  'a: b',
  '*x',
  '%',
  'null',
  '.inf',
  '0x1F',
  '1e3',
  'NO',
)
const text: fc.Arbitrary<string> = fc.oneof(
  word,
  odd,
  fc.string({ maxLength: 8 }),
  fc.string({ maxLength: 6, unit: 'grapheme' }),
  fc.constantFrom('yes', '012', '', 'x'.repeat(200), 'migrate up --all $(A)'),
)
const key = fc.constantFrom('a', 'b', 'example.com/x', 'kubernetes.io/os', 'ü', '<&>', '0', 'true')
const texts = fc.array(text, { maxLength: 3 })
const textMap = fc.dictionary(key, text, { maxKeys: 3 })
const textMapOrNull = fc.dictionary(key, orNull(text), { maxKeys: 3 })
const number = fc.oneof(fc.nat(9), fc.constantFrom(0, 1_000_000, 30_000_000, 9_007_199_254_740_991))

function orNull<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> {
  return fc.option(arbitrary, { freq: 6, nil: null })
}

const { shape } = fc.letrec<{ shape: JsonObject; value: Json }>((tie) => ({
  shape: fc.dictionary(key, tie('value'), { maxKeys: 3 }),
  value: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.boolean(),
    number,
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 2 }),
    tie('shape'),
  ),
}))
const list = fc.array(shape, { maxLength: 2 })

const variable = fc.oneof(
  text,
  fc.constantFrom('$(A)', '$(B)x', '$$(A)', '$(C)$(D)'),
  fc.constant(null),
  text.map((value) => ({ value })),
  word.map((name): JsonObject => ({ valueFrom: { configMapKeyRef: { name, key: 'k' } } })),
  fc.constantFrom<JsonObject>(
    { value: null, valueFrom: { secretKeyRef: { name: 's', key: 'k', optional: null } } },
    { valueFrom: { configMapKeyRef: { name: 'shop-cfg', key: 'k' } } },
  ),
)
const env = orNull(
  fc.dictionary(fc.constantFrom('A', 'B', 'C', 'D', 'NAMESPACE', 'a-b'), variable, { maxKeys: 4 }),
)
const image = fc.record(
  {
    repository: fc.constantFrom('my/app', 'x'),
    tag: orNull(fc.constantFrom('v1', '1.20', '', 'latest')),
    digest: orNull(fc.constantFrom('sha256:11', '')),
    pullPolicy: fc.constantFrom('Always', 'IfNotPresent', 'Never', null),
  },
  { requiredKeys: [] },
)
const volumeSource = fc.constantFrom<Json>(
  { emptyDir: {} },
  { emptyDir: { sizeLimit: '1Gi', medium: null } },
  { configMap: { name: 'shop-cfg' } },
  { secret: { secretName: 's', defaultMode: 256 } },
  { projected: { sources: [{ secret: { name: 's' } }, { configMap: { name: 'shop-files' } }] } },
)
const volumes = fc.dictionary(fc.constantFrom('a', 'cache', 'cm-cfg'), orNull(volumeSource), {
  maxKeys: 3,
})
const mounts = fc.dictionary(
  fc.constantFrom('a', 'cache', 'cm-files'),
  orNull(fc.constantFrom<Json>({ mountPath: '/a' }, { mountPath: '/b/', subPath: 'x' })),
  { maxKeys: 2 },
)
const hooks = orNull(
  fc.record(
    {
      argocd: orNull(
        fc.record(
          {
            hook: orNull(fc.constantFrom('PreSync', 'Sync,PostSync', ['PreSync', 'Sync'])),
            syncWave: fc.constantFrom(-2, 0, '3', null),
            deletePolicy: fc.constantFrom('HookFailed', 'Never', ['HookFailed'], 'hook_succeeded'),
          },
          { requiredKeys: [] },
        ),
      ),
      helm: fc.constantFrom({}, { weight: 1 }, { hook: 'pre-install' }, null),
    },
    { requiredKeys: [] },
  ),
)

/** Keys that stand on a group and on a job. */
const level: Readonly<Record<string, fc.Arbitrary<Json>>> = {
  enabled: often(true, fc.boolean()),
  image: orNull(image),
  completionImage: orNull(text),
  env: env,
  envSecrets: orNull(fc.array(word, { maxLength: 3 })),
  envConfigMaps: orNull(fc.array(fc.constantFrom('cfg', 'files', 'other'), { maxLength: 3 })),
  inherit: orNull(
    fc.record(
      {
        env: orNull(fc.record({ global: fc.boolean(), root: fc.boolean() }, { requiredKeys: [] })),
        envSecrets: orNull(fc.boolean()),
        configMaps: orNull(fc.boolean()),
        configMapMount: fc.constantFrom<Json>(true, false, null, { cfg: false, files: true }),
      },
      { requiredKeys: [] },
    ),
  ),
  volumes: orNull(volumes),
  volumeMounts: often<Json>({}, orNull(mounts)),
  useRootVolumes: orNull(fc.boolean()),
  securityContext: orNull(shape),
  podSecurityContext: orNull(shape),
  resources: orNull(shape),
  nodeSelector: orNull(textMapOrNull),
  affinity: orNull(shape),
  tolerations: orNull(list),
  topologySpreadConstraints: orNull(
    fc.array(fc.constantFrom<Json>({ maxSkew: 1 }, { labelSelector: null }, { labelSelector: {} })),
  ),
  serviceAccountName: orNull(text),
  automountServiceAccountToken: orNull(fc.boolean()),
  terminationGracePeriodSeconds: orNull(number),
  restartPolicy: orNull(fc.constantFrom('Never', 'OnFailure')),
  podAnnotations: orNull(textMapOrNull),
  metadataAnnotations: often<Json>({}, orNull(textMapOrNull)),
  backoffLimit: orNull(number),
  activeDeadlineSeconds: orNull(fc.constantFrom(1, 600, 1_000_000)),
  ttlSecondsAfterFinished: often<Json>(null, number),
  completions: orNull(fc.constantFrom(0, 1, 3, 100)),
  parallelism: orNull(fc.nat(9)),
  completionMode: often<Json>('NonIndexed', fc.constantFrom('Indexed', null)),
  podReplacementPolicy: orNull(fc.constantFrom('TerminatingOrFailed', 'Failed')),
  podFailurePolicy: often<Json>(null, shape),
  successPolicy: often<Json>(null, shape),
  suspend: orNull(fc.boolean()),
  hashIncludePodAnnotations: orNull(fc.boolean()),
}
const cron: Readonly<Record<string, fc.Arbitrary<Json>>> = {
  schedule: fc.constantFrom('0 2 * * *', '@daily', '*/5 1-3 ? jan-mar mon,fri', '@every 1h30m'),
  timeZone: orNull(fc.constantFrom('Etc/UTC', 'Europe/Berlin', 'UTC')),
  concurrencyPolicy: orNull(fc.constantFrom('Allow', 'Forbid', 'Replace')),
  startingDeadlineSeconds: orNull(number),
  successfulJobsHistoryLimit: orNull(fc.nat(9)),
  failedJobsHistoryLimit: orNull(fc.nat(9)),
}

/** What is harmless four times of five, so that most values are right. */
function often<T>(usual: T, other: fc.Arbitrary<T>): fc.Arbitrary<T> {
  return fc.oneof({ weight: 19, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: other })
}

/** A few of the fields: all of them at once would hide each other. */
function some(
  fields: Readonly<Record<string, fc.Arbitrary<Json>>>,
  most: number,
): fc.Arbitrary<JsonObject> {
  return fc
    .subarray(Object.keys(fields), { maxLength: most })
    .chain((keys) =>
      fc.record(Object.fromEntries(keys.map((name) => [name, fields[name] ?? fc.constant(null)]))),
    )
}

const task = fc.oneof(
  text.map((command) => ({ command })),
  fc.record({ command: texts, args: texts }),
)
const runs: fc.Arbitrary<JsonObject> = fc.oneof(
  text.map((command) => ({ command })),
  fc.record({ command: texts, args: texts }),
  fc.constant({}),
  fc
    .dictionary(fc.constantFrom('01-a', '02-b', '9-c', 'z'), orNull(task), { maxKeys: 3 })
    .map((tasks) => ({ tasks })),
)
const jobName = fc.constantFrom('migrate', 'a', 'rebuild-search-index-for-every-tenant-and-region')
const groupName = fc.constantFrom('db', 'web', 'nightly', 'customer-data-migrations', 'abcdefg-h')

function jobs(fields: typeof level): fc.Arbitrary<JsonObject> {
  const job = fc
    .tuple(some(fields, 8), runs, often<JsonObject>({}, fc.constant({ adoptName: 'old.name' })))
    .map((parts): JsonObject => ({ ...parts[0], ...parts[1], ...parts[2] }))
  return fc.dictionary(jobName, orNull(job), { minKeys: 1, maxKeys: 2 })
}

const jobGroup = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .tuple(some({ ...level, hooks: often<Json>({}, hooks) }, 6), jobs(level))
      .map(([group, entries]): JsonObject => ({ ...group, jobs: entries })),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        some(level, 5),
        jobs({ ...level, ...cron }),
        fc.record(cron, { requiredKeys: ['schedule'] }),
      )
      .map(([group, entries, times]): JsonObject => ({
        kind: 'CronJob',
        ...group,
        ...times,
        jobs: entries,
      })),
  },
)

const rootLevel: Readonly<Record<string, fc.Arbitrary<Json>>> = {
  global: fc.record({ env, other: shape }, { requiredKeys: [] }),
  env: env,
  envSecrets: orNull(fc.array(word, { maxLength: 2 })),
  envConfigMaps: orNull(fc.array(fc.constantFrom('cfg', 'other'), { maxLength: 2 })),
  imagePullSecrets: orNull(texts),
  jobCompletionImage: orNull(text),
  podAnnotations: orNull(textMapOrNull),
  jobPodAnnotations: orNull(textMapOrNull),
  commonAnnotations: orNull(textMapOrNull),
  commonLabels: orNull(textMapOrNull),
  serviceAccount: orNull(fc.record({ name: orNull(text) })),
  automountServiceAccountToken: orNull(fc.boolean()),
  priorityClassName: orNull(text),
  podSecurityContext: orNull(shape),
  securityContext: orNull(shape),
  resources: orNull(shape),
  terminationGracePeriodSeconds: orNull(number),
  nodeSelector: orNull(textMap),
  affinity: orNull(shape),
  tolerations: orNull(list),
  topologySpreadConstraints: orNull(list),
  hostAliases: orNull(list),
  volumes: orNull(volumes),
  labels: orNull(
    fc.record({
      standard: fc.record(
        {
          enabled: fc.boolean(),
          partOf: fc.boolean(),
          version: fc.boolean(),
          managedBy: fc.boolean(),
        },
        { requiredKeys: [] },
      ),
    }),
  ),
}

const configMap = fc.record(
  {
    enabled: orNull(fc.boolean()),
    mountPath: fc.constantFrom('/etc/cfg', '', null),
    readOnly: orNull(fc.boolean()),
    defaultMode: orNull(fc.constantFrom(256, 420)),
    data: orNull(textMapOrNull),
  },
  { requiredKeys: [] },
)

function arbitraryValues(): fc.Arbitrary<JsonObject> {
  return fc
    .record(
      {
        root: some(rootLevel, 7),
        image: fc.constantFrom<Json>(
          { repository: 'my/app', tag: 'v1' },
          { repository: 'my/app', digest: 'sha256:22', pullPolicy: 'Always' },
        ),
        configMaps: fc.dictionary(fc.constantFrom('cfg', 'files', 'Odd_Key'), orNull(configMap)),
        names: often<JsonObject>(
          { fullnameOverride: 'shop' },
          fc.constantFrom<JsonObject>({}, { nameOverride: 'api' }, { fullnameOverride: 'Shop' }),
        ),
        groups: fc.dictionary(groupName, jobGroup, { minKeys: 1, maxKeys: 2 }),
      },
      { requiredKeys: ['root', 'image', 'names', 'groups'] },
    )
    .map(({ root, image: its, configMaps, names, groups }) => ({
      ...names,
      ...root,
      image: its,
      ...(configMaps === undefined ? {} : { configMaps }),
      jobGroups: groups,
    }))
}

function arbitraryOptions(): fc.Arbitrary<RenderOptions> {
  return fc.record({
    release: fc.record({
      name: fc.constantFrom('shop', 'my-app', 'x'.repeat(53)),
      namespace: often('prod', fc.constant('Not_A_Label')),
      chart: fc.constantFrom('app', 'shop'),
      appVersion: fc.constantFrom('', '4.2.0', 'v'.repeat(70)),
    }),
    engine: fc.constantFrom(...ENGINES),
    tagPolicy: often<RenderOptions['tagPolicy'] & string>('warn', fc.constantFrom(...TAG_POLICIES)),
    configMaps: fc.boolean(),
    sharedValues: fc.boolean(),
  })
}
