import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/core/json.ts'
import type { RenderEngine, RenderOptions } from '../../src/render/options.ts'
import { render } from '../../src/render/render.ts'
import { errorsOf, namesOf, oneJob, SHOP, warningsOf } from './harness.ts'

type More = Parameters<typeof oneJob>[0]

function codes(more: More, options: Partial<RenderOptions> = {}): readonly string[] {
  const { problems, objects } = render(oneJob(more), { ...SHOP, ...options })
  const errors = problems.filter(({ severity }) => severity === 'error').map(({ code }) => code)
  expect(objects.length).toBe(errors.length === 0 ? 1 : 0)
  return errors
}

const argocd = (fields: JsonObject): More => ({
  job: { hooks: { argocd: { hook: 'Sync', ...fields } } },
})
const raw = (annotations: JsonObject): More => ({ job: { metadataAnnotations: annotations } })
const HOOK = 'argocd.argoproj.io/hook'
const POLICY = 'argocd.argoproj.io/hook-delete-policy'

describe('JG108: a hash in the name of what is deleted or replaced at every sync', () => {
  it.each<[string, More]>([
    ['HookSucceeded', argocd({ deletePolicy: 'HookSucceeded' })],
    ['BeforeHookCreation', argocd({ deletePolicy: 'BeforeHookCreation' })],
    ['hook-succeeded, in the spelling of Helm', argocd({ deletePolicy: 'hook-succeeded' })],
    [
      'before-hook-creation, in the spelling of Helm',
      argocd({ deletePolicy: 'before-hook-creation' }),
    ],
    ['a list with commas', argocd({ deletePolicy: 'HookFailed,HookSucceeded' })],
    ['a list with commas and spaces', argocd({ deletePolicy: 'HookFailed , BeforeHookCreation' })],
    ['a YAML list', argocd({ deletePolicy: ['HookFailed', 'HookSucceeded'] })],
    [
      'a word that Argo CD does not know, so that its default counts',
      argocd({ deletePolicy: 'Nevr' }),
    ],
    [
      'hook-failed, which Argo CD does not know in its own annotation',
      argocd({ deletePolicy: 'hook-failed' }),
    ],
    ['an empty policy, so that its default counts', argocd({ deletePolicy: '' })],
    ['a raw annotation', raw({ [HOOK]: 'Sync', [POLICY]: 'HookSucceeded' })],
    [
      'a raw policy over a good one',
      {
        job: { ...argocd({}).job, metadataAnnotations: { [POLICY]: 'HookSucceeded' } },
      },
    ],
    ['a raw hook without a policy: the default of Argo CD', raw({ [HOOK]: 'Sync' })],
    [
      'a raw annotation on the group',
      { group: { metadataAnnotations: { [POLICY]: 'HookSucceeded' } } },
    ],
    ['commonAnnotations', { root: { commonAnnotations: { [POLICY]: 'HookSucceeded' } } }],
    [
      'Helm’s policy, which Argo CD reads too',
      raw({ [HOOK]: 'Sync', 'helm.sh/hook-delete-policy': 'hook-succeeded' }),
    ],
    ['a Helm hook', { job: { hooks: { helm: { hook: 'pre-install' } } } }],
    [
      'a Helm hook with a list',
      { job: { hooks: { helm: { hook: ['pre-install', 'pre-upgrade'] } } } },
    ],
    [
      'a Helm hook that says nothing about deleting: the default of Helm',
      raw({ 'helm.sh/hook': 'pre-upgrade' }),
    ],
    [
      'a Helm hook with a policy that keeps it',
      {
        job: { hooks: { helm: { hook: 'pre-upgrade', deletePolicy: 'hook-failed' } } },
      },
    ],
    [
      'a Helm hook in commonAnnotations',
      { root: { commonAnnotations: { 'helm.sh/hook': 'post-install' } } },
    ],
    [
      'a CronJob with hash and raw annotations',
      {
        group: { kind: 'CronJob', schedule: '0 1 * * *', hashSuffix: true },
        ...raw({ [HOOK]: 'Sync', [POLICY]: 'HookSucceeded' }),
      },
    ],
  ])('%s', (_case, more) => {
    expect(codes(more)).toEqual(['JG108'])
  })

  it.each<[string, More]>([
    ['no hook at all', {}],
    ['a hook without a policy, which gets HookFailed', argocd({})],
    ['HookFailed', argocd({ deletePolicy: 'HookFailed' })],
    ['Never, which newer versions know', argocd({ deletePolicy: 'Never' })],
    ['a wave without a hook', { job: { hooks: { argocd: { syncWave: 1 } } } }],
    [
      'a good raw policy over a bad one',
      {
        job: {
          ...argocd({ deletePolicy: 'HookSucceeded' }).job,
          metadataAnnotations: { [POLICY]: 'HookFailed' },
        },
      },
    ],
    [
      'a hook of the group that the job takes away',
      {
        group: { hooks: { argocd: { hook: 'Sync', deletePolicy: 'HookSucceeded' } } },
        job: { hooks: { argocd: null } },
      },
    ],
    [
      'hashSuffix: false, with what replaces it',
      {
        job: { ...argocd({ deletePolicy: 'BeforeHookCreation' }).job, hashSuffix: false },
      },
    ],
    [
      'hashSuffix: false, with a Helm hook',
      {
        job: { hooks: { helm: { hook: 'pre-install' } }, hashSuffix: false },
      },
    ],
  ])('is silent for %s', (_case, more) => {
    expect(codes(more)).toEqual([])
  })
})

describe('JG120: no hash, and nothing that replaces the Job', () => {
  it.each<[string, More]>([
    ['nothing at all', { job: { hashSuffix: false } }],
    ['on the group', { group: { hashSuffix: false } }],
    ['HookFailed', { job: { ...argocd({}).job, hashSuffix: false } }],
    [
      'HookSucceeded, which leaves a failed one',
      {
        job: { ...argocd({ deletePolicy: 'HookSucceeded' }).job, hashSuffix: false },
      },
    ],
  ])('%s', (_case, more) => {
    expect(codes(more)).toEqual(['JG120'])
  })

  it('is silent for a CronJob, which is changed in place', () => {
    expect(codes({ group: { kind: 'CronJob', schedule: '@daily', hashSuffix: false } })).toEqual([])
  })
})

describe('JG109: a TTL where missing objects are restored', () => {
  it.each<[RenderEngine | undefined, readonly string[]]>([
    [undefined, ['JG109']],
    ['any', ['JG109']],
    ['flux', ['JG109']],
    ['argocd-selfheal', ['JG109']],
    ['kro', ['JG109']],
    ['argocd', []],
    ['helm', []],
    ['none', []],
  ])('engine %s', (engine, expected) => {
    const options = engine === undefined ? {} : { engine }
    for (const seconds of [0, 3600]) {
      expect(codes({ job: { ttlSecondsAfterFinished: seconds } }, options)).toEqual(expected)
    }
  })

  it.each<[string, More]>([
    [
      'the TTL of a CronJob’s Jobs, which nobody restores',
      {
        group: { kind: 'CronJob', schedule: '@daily', ttlSecondsAfterFinished: 60 },
      },
    ],
    [
      'a TTL that null takes away',
      {
        group: { ttlSecondsAfterFinished: 60 },
        job: { ttlSecondsAfterFinished: null },
      },
    ],
    [
      'no hash',
      {
        job: {
          ttlSecondsAfterFinished: 60,
          hashSuffix: false,
          ...argocd({ deletePolicy: 'BeforeHookCreation' }).job,
        },
      },
    ],
  ])('is silent for %s', (_case, more) => {
    expect(codes(more)).toEqual([])
  })
})

describe('JG111 and JG201: tags', () => {
  const latest: More = { job: { image: { tag: 'latest' } } }
  it.each<[string, More, Partial<RenderOptions>, readonly string[]]>([
    ['a tag', {}, {}, ['JG201']],
    ['a tag that is allowed', {}, { tagPolicy: 'allow' }, []],
    ['a tag where none may be', {}, { tagPolicy: 'immutable' }, ['JG111']],
    [
      'a digest where no tag may be',
      { job: { image: { digest: 'sha256:1' } } },
      { tagPolicy: 'immutable' },
      [],
    ],
    ['latest', latest, { tagPolicy: 'allow' }, ['JG111']],
    [
      'latest that is always pulled',
      { job: { image: { tag: 'latest', pullPolicy: 'Always' } } },
      {},
      ['JG201'],
    ],
    ['latest with a digest', { job: { image: { tag: 'latest', digest: 'sha256:1' } } }, {}, []],
    ['a digest and no tag', { job: { image: { tag: null, digest: 'sha256:1' } } }, {}, []],
    ['neither', { job: { image: { tag: '' } } }, {}, ['JG110']],
    ['no repository', { job: { image: { repository: null } } }, {}, ['JG110']],
  ])('%s', (_case, more, options, expected) => {
    const { problems } = render(oneJob(more), { ...SHOP, ...options })
    expect(problems.map(({ code }) => code)).toEqual(expected)
  })
})

describe('JG112, JG113, JG107: fields that do not go together', () => {
  it.each<[string, More, readonly string[]]>([
    ['a limit per index without indexes', { job: { backoffLimitPerIndex: 0 } }, ['JG112']],
    ['a success policy without indexes', { job: { successPolicy: { rules: [] } } }, ['JG112']],
    ['Indexed without completions', { job: { completionMode: 'Indexed' } }, ['JG112']],
    [
      'a failure policy with OnFailure',
      {
        job: { podFailurePolicy: { rules: [] }, restartPolicy: 'OnFailure' },
      },
      ['JG112'],
    ],
    ['a schedule on a Job', { job: { schedule: '@daily' } }, ['JG113']],
    [
      'every field of CronJobs on a group of Jobs',
      {
        group: {
          schedule: '@daily',
          timeZone: 'Etc/UTC',
          concurrencyPolicy: 'Allow',
          startingDeadlineSeconds: 1,
          successfulJobsHistoryLimit: 1,
          failedJobsHistoryLimit: 1,
        },
      },
      Array.from({ length: 6 }, () => 'JG113'),
    ],
    [
      'a hook on a CronJob',
      { group: { kind: 'CronJob', schedule: '@daily' }, ...argocd({}) },
      ['JG107'],
    ],
    [
      'a schedule that Kubernetes refuses',
      { group: { kind: 'CronJob', schedule: '61 * * * *' } },
      ['JG104'],
    ],
    [
      'a zone in the schedule',
      { group: { kind: 'CronJob', schedule: 'TZ=UTC 1 * * * *' } },
      ['JG104'],
    ],
    [
      'a zone that there is not',
      { group: { kind: 'CronJob', schedule: '@daily', timeZone: 'Mars/Dune' } },
      ['JG104'],
    ],
  ])('%s', (_case, more, expected) => {
    expect(codes(more)).toEqual(expected)
  })
})

describe('names that meet', () => {
  const pair = (one: JsonObject, other: JsonObject): JsonObject => ({
    fullnameOverride: 'shop',
    image: { repository: 'a', tag: 'b' },
    jobGroups: { 'customer-a': { jobs: { x: one } }, 'customer-b': { jobs: { x: other } } },
  })

  it('JG115 only where the content is the same too', () => {
    const same = { command: 'x' }
    expect(errorsOf(render(pair(same, same), SHOP))).toHaveLength(1)
    expect(namesOf(render(pair(same, { command: 'y' }), SHOP))).toHaveLength(2)
  })

  it('JG121 where an adopted name is taken, or too long for its kind', () => {
    const [name = ''] = namesOf(render(pair({ command: 'x' }, { command: 'y' }), SHOP))
    const taken = errorsOf(render(pair({ command: 'x' }, { command: 'y', adoptName: name }), SHOP))
    expect(taken).toEqual([
      `error JG121: jobGroups.customer-b.jobs.x: adoptName '${name}' is taken by jobGroups.customer-a.jobs.x`,
    ])
    expect(codes({ job: { adoptName: 'a'.repeat(63) } })).toEqual([])
    expect(codes({ job: { adoptName: 'a'.repeat(64) } })).toEqual(['JG121'])
    const cron = { kind: 'CronJob', schedule: '@daily' }
    expect(codes({ group: cron, job: { adoptName: 'a'.repeat(52) } })).toEqual([])
    expect(codes({ group: cron, job: { adoptName: 'a'.repeat(53) } })).toEqual(['JG121'])
    expect(codes({ job: { adoptName: 'Shop' } })).toEqual(['JG103'])
    expect(codes({ job: { adoptName: 'shop.migrate' } })).toEqual([])
  })
})

describe('one problem is told once', () => {
  it.each<[string, More, readonly string[]]>([
    ['a tag that is no text is not missing as well', { job: { image: { tag: 5 } } }, ['JG116']],
    [
      'a schedule that is no text is not missing as well',
      { group: { kind: 'CronJob', schedule: 5 } },
      ['JG116'],
    ],
    ['a name that is no text is not wrong as a name', { root: { fullnameOverride: 5 } }, ['JG116']],
    ['a removed key that null takes away is not there', { root: { dbJob: null } }, []],
    ['a policy that is no text is not judged', argocd({ deletePolicy: 5 }), ['JG116']],
    [
      'a kind that there is not is not taken for Job',
      { group: { kind: 'Cron', schedule: '@daily' } },
      ['JG104'],
    ],
  ])('%s', (_case, more, expected) => {
    expect(codes(more)).toEqual(expected)
  })

  it('jobs of another type are not missing as well', () => {
    const given = { fullnameOverride: 'shop', jobGroups: { db: { jobs: [] }, web: {} } }
    expect(errorsOf(render(given, SHOP))).toEqual([
      'error JG104: jobGroups.db.jobs: must be a mapping, is a list',
      'error JG104: jobGroups.web: the group has no jobs',
    ])
  })

  it('all errors of all jobs come together, sorted by path, and nothing is rendered', () => {
    const result = render(
      {
        fullnameOverride: 'shop',
        imge: {},
        jobGroups: {
          b: { jobs: { x: { command: 'x', image: { repository: 'a', tag: 'b' } } } },
          a: { jobs: { y: { command: 1 }, x: { ttlSecondsAfterFinished: 1 } } },
          c: { kind: 'CronJob', jobs: { x: { image: { repository: 'a', tag: 'b' } } } },
        },
      },
      SHOP,
    )
    expect(result.objects).toEqual([])
    expect(errorsOf(result).map((line) => line.split(':').slice(0, 2).join(':'))).toEqual([
      'error JG102: imge',
      'error JG109: jobGroups.a.jobs.x',
      'error JG110: jobGroups.a.jobs.x',
      'error JG110: jobGroups.a.jobs.y',
      'error JG116: jobGroups.a.jobs.y.command',
      'error JG106: jobGroups.c.jobs.x',
    ])
    expect(warningsOf(result).length).toBeGreaterThan(0)
  })
})
