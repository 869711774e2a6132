import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/core/json.ts'
import { render } from '../../src/render/render.ts'
import { errorsOf, namesOf, oneJob, renderText, SHOP } from './harness.ts'

type More = Parameters<typeof oneJob>[0]

/** The name, and the digest in the annotation, of one job with more in its values. */
function named(more: More, options: Partial<typeof SHOP> = {}): string {
  const result = render(oneJob(more), { ...SHOP, engine: 'none', ...options })
  expect(errorsOf(result)).toEqual([])
  return namesOf(result).join()
}

const EXAMPLES = readdirSync('fixtures/render')
  .filter((name) => name.startsWith('example-'))
  .sort()
  .map((name) => [name, readFileSync(`fixtures/render/${name}/values.yaml`, 'utf8')] as const)

const BASE = 'shop-db-migrate-0231d2e9'
const podFailurePolicy = {
  rules: [{ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] }],
}

describe('the included list: each of these is a new name', () => {
  it.each<[string, More]>([
    ['image.repository', { job: { image: { repository: 'my/other' } } }],
    ['image.tag', { job: { image: { tag: 'v2' } } }],
    ['image.digest', { job: { image: { digest: 'sha256:1' } } }],
    ['image.pullPolicy', { job: { image: { pullPolicy: 'Always' } } }],
    ['command', { job: { command: './other.sh' } }],
    ['args', { job: { args: ['up'] } }],
    ['tasks', { job: { command: null, tasks: { a: { command: 'x' } } } }],
    ['env', { job: { env: { A: 'x' } } }],
    ['env of the group', { group: { env: { A: 'x' } } }],
    ['env of the root', { root: { env: { A: 'x' } } }],
    ['global.env', { root: { global: { env: { A: 'x' } } } }],
    ['envSecrets', { job: { envSecrets: ['a'] } }],
    ['envConfigMaps', { job: { envConfigMaps: ['a'] } }],
    ['volumes', { job: { volumes: { a: { emptyDir: {} } } } }],
    [
      'volumeMounts',
      { job: { volumes: { a: { emptyDir: {} } }, volumeMounts: { a: { mountPath: '/a' } } } },
    ],
    ['securityContext', { job: { securityContext: { runAsUser: 1 } } }],
    ['podSecurityContext', { job: { podSecurityContext: { fsGroup: 1 } } }],
    ['resources', { job: { resources: { limits: { memory: '1Gi' } } } }],
    ['nodeSelector', { job: { nodeSelector: { a: 'b' } } }],
    ['affinity', { job: { affinity: { podAffinity: {} } } }],
    ['tolerations', { job: { tolerations: [{ key: 'a' }] } }],
    ['topologySpreadConstraints', { job: { topologySpreadConstraints: [{ maxSkew: 1 }] } }],
    ['serviceAccountName', { job: { serviceAccountName: 'a' } }],
    ['automountServiceAccountToken', { job: { automountServiceAccountToken: true } }],
    ['terminationGracePeriodSeconds', { job: { terminationGracePeriodSeconds: 0 } }],
    ['restartPolicy', { job: { restartPolicy: 'OnFailure' } }],
    ['priorityClassName', { root: { priorityClassName: 'low' } }],
    ['imagePullSecrets', { root: { imagePullSecrets: ['a'] } }],
    ['hostAliases', { root: { hostAliases: [{ ip: '10.0.0.1' }] } }],
    ['podAnnotations', { job: { podAnnotations: { a: 'b' } } }],
    ['podAnnotations of the root', { root: { podAnnotations: { a: 'b' } } }],
    ['jobPodAnnotations', { root: { jobPodAnnotations: { a: 'b' } } }],
    ['completions', { job: { completions: 2 } }],
    ['completionMode', { job: { completionMode: 'NonIndexed' } }],
    ['podFailurePolicy', { job: { podFailurePolicy } }],
    [
      'the data of a mounted ConfigMap',
      { root: { configMaps: { a: { enabled: true, mountPath: '/a', data: { x: '1' } } } } },
    ],
  ])('%s', (_field, more) => {
    const name = named(more)
    expect(name).toMatch(/^shop-db-migrate-[0-9a-f]{8}$/)
    expect(name).not.toBe(BASE)
  })

  it.each<[string, JsonObject]>([
    ['backoffLimitPerIndex', { backoffLimitPerIndex: 1 }],
    ['successPolicy', { successPolicy: { rules: [{ succeededCount: 1 }] } }],
  ])('%s, of an Indexed Job', (_field, more) => {
    const indexed = { completionMode: 'Indexed', completions: 2 }
    expect(named({ job: { ...indexed, ...more } })).not.toBe(named({ job: indexed }))
  })

  it('jobCompletionImage and completionImage, with tasks', () => {
    const tasks = { command: null, tasks: { a: { command: 'x' } } }
    const base = named({ job: tasks })
    expect(named({ root: { jobCompletionImage: 'busybox:1' }, job: tasks })).not.toBe(base)
    expect(named({ job: { ...tasks, completionImage: 'busybox:1' } })).not.toBe(base)
  })

  it('the order of tasks, which is that of their names', () => {
    const one = { command: null, tasks: { a: { command: 'x' }, b: { command: 'y' } } }
    const other = { command: null, tasks: { a: { command: 'y' }, b: { command: 'x' } } }
    expect(named({ job: one })).not.toBe(named({ job: other }))
  })

  it('kind, as Job and CronJob of the same pod have other digests', () => {
    const cron = render(oneJob({ group: { kind: 'CronJob', schedule: '0 1 * * *' } }), SHOP)
    expect(cron.objects[0]?.intent.digest.startsWith('0231d2e9')).toBe(false)
  })
})

describe('the excluded list: the name stays', () => {
  it.each<[string, More]>([
    ['nothing', {}],
    ['backoffLimit', { job: { backoffLimit: 0 } }],
    ['activeDeadlineSeconds', { job: { activeDeadlineSeconds: 60 } }],
    ['ttlSecondsAfterFinished', { job: { ttlSecondsAfterFinished: 60 } }],
    ['parallelism', { job: { parallelism: 2 } }],
    ['suspend', { job: { suspend: true } }],
    ['podReplacementPolicy', { job: { podReplacementPolicy: 'Failed' } }],
    ['commonLabels', { root: { commonLabels: { team: 'a' } } }],
    ['commonAnnotations', { root: { commonAnnotations: { team: 'a' } } }],
    ['metadataAnnotations', { job: { metadataAnnotations: { team: 'a' } } }],
    ['labels.standard', { root: { labels: { standard: { enabled: false } } } }],
    ['hooks.argocd', { job: { hooks: { argocd: { hook: 'PreSync', syncWave: 5 } } } }],
    ['hooks.argocd.syncWave alone', { group: { hooks: { argocd: { syncWave: -1 } } } }],
    ['an env that comes to the same', { root: { env: { A: 'x' } }, job: { env: { A: null } } }],
    [
      'the data of a ConfigMap that the job does not read',
      {
        root: { configMaps: { a: { enabled: true, mountPath: '/a', data: { x: '1' } } } },
        job: { inherit: { configMapMount: { a: false } } },
      },
    ],
    ['a ConfigMap that is switched off', { root: { configMaps: { a: { mountPath: '/a' } } } }],
    ['root volumes that the job does not use', { root: { volumes: { a: { emptyDir: {} } } } }],
    ['the same command as a list', { job: { command: ['sh', '-c', './migrate.sh'] } }],
    ['white space around the script', { job: { command: '\n ./migrate.sh \n' } }],
    [
      'hashIncludePodAnnotations without annotations',
      { job: { hashIncludePodAnnotations: false } },
    ],
  ])('%s', (_field, more) => {
    expect(named(more)).toBe(BASE)
  })

  it('pod annotations with hashIncludePodAnnotations: false', () => {
    const more = { job: { podAnnotations: { a: 'b' }, hashIncludePodAnnotations: false } }
    expect(named(more)).toBe(BASE)
  })

  it('namespace, appVersion and engine, which are no part of the values', () => {
    const release = { name: 'shop', namespace: 'other', appVersion: '9' }
    expect(named({}, { release })).toBe(BASE)
    expect(named({}, { engine: 'kro' })).toBe(BASE)
  })

  it('another group or job with other content', () => {
    const values = oneJob({})
    const more = {
      ...values,
      jobGroups: {
        ...(values['jobGroups'] as JsonObject),
        other: { jobs: { x: { command: 'x', image: { repository: 'a', tag: 'b' } } } },
      },
    }
    expect(namesOf(render(more, SHOP))).toEqual([BASE, expect.stringMatching(/^shop-other-x-/)])
  })

  it.each<[string, JsonObject]>([
    ['schedule', { schedule: '5 1 * * *' }],
    ['timeZone', { timeZone: 'Etc/UTC' }],
    ['concurrencyPolicy', { concurrencyPolicy: 'Forbid' }],
    ['startingDeadlineSeconds', { startingDeadlineSeconds: 9 }],
    ['successfulJobsHistoryLimit', { successfulJobsHistoryLimit: 0 }],
    ['failedJobsHistoryLimit', { failedJobsHistoryLimit: 0 }],
    ['suspend', { suspend: true }],
  ])('%s of a CronJob changes neither name nor intent', (_field, more) => {
    const cron = (job: JsonObject): JsonObject =>
      oneJob({ group: { kind: 'CronJob', schedule: '0 1 * * *' }, job })
    const [base] = render(cron({}), SHOP).objects
    const [other] = render(cron(more), SHOP).objects
    expect(other?.name).toBe('shop-db-migrate')
    expect(other?.intent.digest).toBe(base?.intent.digest)
  })
})

describe('the switches of the hashing ADR', () => {
  it('hashSuffix: a CronJob keeps its name, a Job has the hash', () => {
    expect(named({ group: { kind: 'CronJob', schedule: '0 1 * * *' } })).toBe('shop-db-migrate')
    expect(named({})).toBe(BASE)
    const cron = { group: { kind: 'CronJob', schedule: '0 1 * * *', hashSuffix: true } }
    expect(named(cron)).toMatch(/^shop-db-migrate-[0-9a-f]{8}$/)
    const hook = { argocd: { hook: 'PreSync', deletePolicy: 'BeforeHookCreation' } }
    expect(named({ job: { hashSuffix: false, hooks: hook } })).toBe('shop-db-migrate')
  })

  it('mutable tags: the digest decides, whatever the tag is called', () => {
    const withDigest = (tag: string, digest: string): string =>
      named({ job: { image: { tag, digest } } }, { tagPolicy: 'immutable' })
    expect(withDigest('v1', 'sha256:1')).not.toBe(withDigest('v1', 'sha256:2'))
    expect(withDigest('v1', 'sha256:1')).not.toBe(withDigest('v2', 'sha256:1'))
  })

  it('adoptName: the object keeps the name, and the intent is told all the same', () => {
    const { objects } = render(oneJob({ job: { adoptName: 'shop-migrate' } }), SHOP)
    expect(objects).toMatchObject([{ name: 'shop-migrate', isAdopted: true }])
    expect(objects[0]?.intent.digest.startsWith('0231d2e9')).toBe(true)
  })

  it('a TTL is never set by itself: what is deleted may be created and run again', () => {
    for (const engine of ['any', 'argocd', 'helm', 'none'] as const) {
      const { objects } = render(oneJob({}), { ...SHOP, engine })
      expect(JSON.stringify(objects[0]?.object)).not.toContain('ttlSecondsAfterFinished')
    }
  })
})

describe('the examples of the specification, to the digit', () => {
  const example = (number: number, from?: string, to?: string): ReturnType<typeof renderText> => {
    const [, text = ''] = EXAMPLES[number - 1] ?? []
    return renderText(from === undefined ? text : text.replace(from, to ?? ''))
  }

  it.each<[number, string, string, string]>([
    [1, '', '', 'shop-db-migrate-0231d2e9'],
    [1, 'tag: v1', 'tag: v2', 'shop-db-migrate-9d5fdc30'],
    [1, 'command:', 'backoffLimit: 0\n        command:', 'shop-db-migrate-0231d2e9'],
    [2, '', '', 'shop-db-prepare-48efdbe7'],
    [3, '', '', 'shop-nightly-cleanup,shop-nightly-report'],
    [3, '0 2 * * *', '5 2 * * *', 'shop-nightly-cleanup,shop-nightly-report'],
    [4, '', '', 'shop-db-migrate-0231d2e9'],
    [5, '', '', 'shop-production-eu-customer-rebuild-search-index-64e1b-5423a156'],
    [6, '', '', 'shop-db-migrate-f181ba90'],
    [6, '"500"', '"900"', 'shop-db-migrate-6c4c4827'],
    [6, 'x: 1', 'x: 2', 'shop-db-migrate-f181ba90'],
  ])('example %i with %j as %j: %s', (number, from, to, names) => {
    const result = from === '' ? example(number) : example(number, from, to)
    expect(errorsOf(result)).toEqual([])
    expect(namesOf(result).join()).toBe(names)
  })

  it('example 1: the canonical intent on one line', () => {
    expect(example(1).objects[0]?.intent.canonical).toBe(
      '{"kind":"Job","spec":{},"template":{"spec":{"automountServiceAccountToken":false,"containers":[{"command":["sh","-c","./migrate.sh"],"env":[{"name":"NAMESPACE","valueFrom":{"fieldRef":{"fieldPath":"metadata.namespace"}}}],"image":"my/migrator:v1","imagePullPolicy":"IfNotPresent","name":"migrate"}],"restartPolicy":"Never","serviceAccountName":"default"}}}',
    )
  })

  it('example 3: the intents, and the errors for a hook and a missing schedule', () => {
    const digests = example(3).objects.map(({ intent }) => intent.digest)
    expect(digests).toEqual([
      '062906347bca90de262d8e8ef6be79fb6aaaad0487f6c20130485f7afbb2752f',
      '9dd8569ae608b6871eda356f0f86c806e76290cbde9ae70ef73180d200df8093',
    ])
    const hooked = errorsOf(
      example(3, 'timeZone:', 'hooks: { argocd: { hook: Sync } }\n    timeZone:'),
    )
    expect(hooked).toHaveLength(2)
    expect(hooked.every((line) => line.startsWith('error JG107: jobGroups.nightly.jobs.'))).toBe(
      true,
    )
    expect(errorsOf(example(3, 'schedule: "0 6 * * *"\n', '\n'))).toEqual([
      'error JG106: jobGroups.nightly.jobs.report: schedule is required when kind is CronJob',
    ])
  })

  it('example 4: the two texts of JG108', () => {
    const before = 'jobGroups.db.jobs.migrate: hashSuffix is on, but'
    expect(errorsOf(example(4, 'syncWave: -2', 'deletePolicy: HookSucceeded'))).toEqual([
      `error JG108: ${before} Argo CD delete policy 'HookSucceeded' removes or replaces the Job on every sync, so it would run on every sync`,
    ])
    const helm = 'helm: { hook: "pre-install,pre-upgrade" }'
    expect(errorsOf(example(4, 'argocd: { hook: PreSync, syncWave: -2 }', helm))).toEqual([
      `error JG108: ${before} Helm runs hook Jobs on every 'pre-install,pre-upgrade' whatever their name is`,
    ])
  })

  it('example 5: a second group with the same beginning', () => {
    const job = 'rebuild-search-index-for-every-tenant-and-region'
    const [, text = ''] = EXAMPLES[4] ?? []
    const second = `  customer-reports:\n    image: { repository: my/migrator, tag: v1 }\n    jobs:\n      ${job}: { command: ./rebuild.sh }\n`
    expect(errorsOf(renderText(text + second))).toEqual([
      `error JG115: jobGroups.customer-reports.jobs.${job}: renders the same name as jobGroups.customer-data-migrations.jobs.${job}`,
    ])
  })

  it('example 6: what the intent says of ConfigMaps, and the warning', () => {
    const result = example(6)
    expect(result.objects[0]?.intent.canonical).toMatch(
      /^\{"config":\{"shop-app-cfg":"8944e70d[0-9a-f]{56}","shop-job-env":"b585c0a4[0-9a-f]{56}"\}/,
    )
    expect(result.problems.map(({ code }) => code)).toEqual(['JG201', 'JG203'])
  })
})
