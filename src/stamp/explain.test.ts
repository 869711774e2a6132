import { describe, expect, it } from 'vitest'
import { fingerprint } from '../core/fingerprint.ts'
import type { JsonObject } from '../core/json.ts'
import { diffFingerprints, valueAtField } from './diff.ts'
import { explainFingerprint, type ExplainedField } from './explain.ts'

const job: JsonObject = {
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'migrate' },
  spec: {
    ttlSecondsAfterFinished: 60,
    completions: 1,
    template: {
      metadata: { labels: { 'helm.sh/chart': 'shop-1.2.0', app: 'shop' } },
      spec: {
        restartPolicy: 'Never',
        enableServiceLinks: true,
        tolerations: [{ key: 'a' }, { key: 'b' }],
        containers: [
          {
            name: 'main',
            image: 'app:1.2',
            args: ['up'],
            env: [{ name: 'REGION', value: 'eu' }],
            resources: { requests: { cpu: '1000m', memory: '1Gi' }, limits: {} },
          },
        ],
      },
    },
  },
}

function explained(object: JsonObject, path: string): ExplainedField | undefined {
  return explainFingerprint(object).fields.find((field) => field.path === path)
}

const POD = 'spec.template.spec'
const MAIN = `${POD}.containers[0]`

describe('a field of a Job', () => {
  it.each([
    ['counts', 'kind'],
    ['counts', `${MAIN}.image`],
    ['counts', `${MAIN}.args`],
    ['counts', `${MAIN}.env[0].value`],
    ['counts', 'spec.template.metadata.labels.app'],
    ['default', 'spec.completions'],
    ['default', `${MAIN}.resources.limits`],
    ['idle', `${POD}.enableServiceLinks`],
    ['left-out', 'spec.ttlSecondsAfterFinished'],
    ['left-out', 'spec.template.metadata.labels["helm.sh/chart"]'],
    ['left-out', 'metadata'],
    ['left-out', 'apiVersion'],
  ])('%s: %s', (effect, path) => {
    const field = explained(job, path)
    expect(field?.effect).toBe(effect)
    if (effect !== 'counts') expect(field?.why).not.toBe('')
  })

  it('counts by its value where it is a quantity', () => {
    expect(explained(job, `${MAIN}.resources.requests.cpu`)).toMatchObject({
      countsAs: '1',
      value: '1000m',
    })
    expect(explained(job, `${MAIN}.image`)?.countsAs).toBeUndefined()
  })

  it('is named with the part of the fingerprint that holds it', () => {
    const { fields } = fingerprint(job)
    expect(explained(job, `${MAIN}.env[0].value`)).toMatchObject({
      part: `${POD}.containers[main].env[REGION]`,
      digest: fields[`${POD}.containers[main].env[REGION]`],
    })
  })

  it('may be a list whose order does not count', () => {
    const withCapabilities = {
      ...job,
      spec: {
        template: {
          spec: {
            containers: [{ image: 'a', securityContext: { capabilities: { drop: ['B', 'A'] } } }],
          },
        },
      },
    }
    const path = `${MAIN}.securityContext.capabilities.drop`
    expect(explained(withCapabilities, path)).toMatchObject({
      effect: 'counts',
      why: expect.stringContaining('order') as string,
    })
  })

  it('of a CronJob says when, or what', () => {
    const cron: JsonObject = {
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      spec: { schedule: '0 3 * * *', jobTemplate: { spec: { ...(job['spec'] as JsonObject) } } },
    }
    expect(explained(cron, 'spec.schedule')).toMatchObject({
      effect: 'left-out',
      why: expect.stringContaining('when') as string,
    })
    expect(explained(cron, 'spec.jobTemplate.spec.template.spec.containers[0].image')?.effect).toBe(
      'counts',
    )
    expect(explained(cron, 'spec.jobTemplate.spec.ttlSecondsAfterFinished')?.why).toContain('kept')
  })

  it('may come from what is followed', () => {
    const inputs = {
      settings: 'a'.repeat(64),
      'Secret/db': 'b'.repeat(64),
      'semel.dev/salt': 'c'.repeat(64),
    }
    const { fields } = explainFingerprint(job, { inputs })
    const added = fields.filter(({ path }) => path.startsWith('config'))
    expect(added.map(({ path, digest }) => [path, digest?.length])).toEqual([
      ['config.settings', 8],
      ['config["Secret/db"]', 8],
      ['config["semel.dev/salt"]', 8],
    ])
  })

  it('under adr-012 counts as written, or is not covered', () => {
    const { fields } = explainFingerprint(job, { policy: 'adr-012' })
    const of = (path: string): ExplainedField | undefined =>
      fields.find((field) => field.path === path)
    expect(of('spec.completions')?.effect).toBe('counts')
    expect(of(`${MAIN}.resources.requests.cpu`)).toMatchObject({
      effect: 'counts',
      part: 'template.spec.containers[main].resources',
    })
    expect(of('spec.template.metadata.labels.app')?.effect).toBe('left-out')
  })
})

describe('the difference of two fingerprints', () => {
  const change = (container: JsonObject): JsonObject => {
    const spec = job['spec'] as JsonObject
    const template = spec['template'] as JsonObject
    const pod = template['spec'] as JsonObject
    const [main] = pod['containers'] as readonly JsonObject[]
    return {
      ...job,
      spec: {
        ...spec,
        template: { ...template, spec: { ...pod, containers: [{ ...main, ...container }] } },
      },
    }
  }

  it('names the fields with their values before and after', () => {
    const after = change({
      image: 'app:1.3',
      args: undefined,
      env: [{ name: 'REGION', value: 'us' }, { name: 'NEW' }],
    })
    expect(diffFingerprints(fingerprint(job), fingerprint(after))).toEqual([
      {
        path: `${POD}.containers[main].args`,
        change: 'removed',
        before: '["up"]',
        after: undefined,
      },
      {
        path: `${POD}.containers[main].env[NEW]`,
        change: 'added',
        before: undefined,
        after: '{"name":"NEW"}',
      },
      {
        path: `${POD}.containers[main].env[REGION]`,
        change: 'changed',
        before: '{"name":"REGION","value":"eu"}',
        after: '{"name":"REGION","value":"us"}',
      },
      {
        path: `${POD}.containers[main].image`,
        change: 'changed',
        before: '"app:1.2"',
        after: '"app:1.3"',
      },
    ])
  })

  it('is nothing for another spelling', () => {
    const same = change({ resources: { requests: { cpu: 1, memory: '1024Mi' } } })
    expect(diffFingerprints(fingerprint(job), fingerprint(same))).toEqual([])
  })

  it('shows the order of containers by their names', () => {
    const value = { spec: { template: { spec: { containers: [{ name: 'b' }, { name: 'a' }] } } } }
    expect(valueAtField(value, `${POD}.containers`)).toEqual(['b', 'a'])
    expect(valueAtField(value, `${POD}.containers[a]`)).toEqual({ name: 'a' })
    expect(valueAtField({ labels: { 'a.b/c"d': 1 } }, 'labels["a.b/c\\"d"]')).toBe(1)
  })

  it('says when the policies differ', () => {
    const changes = diffFingerprints(fingerprint(job), fingerprint(job, { policy: 'adr-012' }))
    expect(changes[0]).toEqual({
      path: 'policy',
      change: 'changed',
      before: 'intent',
      after: 'adr-012',
    })
  })
})
