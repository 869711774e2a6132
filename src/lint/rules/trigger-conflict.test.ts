import { describe, expect, it } from 'vitest'
import { lintTree } from '../../../test/lint/rules-harness.ts'
import { context, hook, made, type Made } from '../../../test/lint/subject.ts'
import { triggerConflict } from './trigger-conflict.ts'

const judge = (options: Made) => triggerConflict.check?.(made(options), context()) ?? []

const runs = (image: string) => ({ template: { spec: { containers: [{ name: 'task', image }] } } })
const listing = (list: string) => ({
  kind: 'Application',
  metadata: {
    name: 'shop',
    annotations: { 'argocd-image-updater.argoproj.io/image-list': list },
  },
})

describe('trigger-conflict', () => {
  it.each([
    'reloader.stakater.com/auto',
    'reloader.stakater.com/search',
    'secret.reloader.stakater.com/reload',
    'configmap.reloader.stakater.com/auto',
  ])('knows Reloader by %s', (key) => {
    const [finding] = judge({ annotations: { [key]: 'true' } })
    expect(finding?.what).toContain('Reloader deletes Job shop/migrate')
    expect(finding?.at).toEqual(['metadata', 'annotations', key])
  })

  it('looks at the annotations of the pod template too', () => {
    const template = { metadata: { annotations: { 'reloader.stakater.com/auto': 'true' } } }
    expect(judge({ spec: { template } })[0]?.at?.[1]).toBe('template')
  })

  it('only informs for CronJobs, which run again anyway', () => {
    const annotations = { 'reloader.stakater.com/auto': 'true' }
    expect(judge({ kind: 'CronJob', annotations })[0]?.severity).toBe('info')
  })

  it.each(['registry.example.test/shop/api', 'api=registry.example.test/shop/api:1.x, other'])(
    'knows the image updater of Argo CD by %s',
    (list) => {
      const spec = runs('registry.example.test/shop/api:1.2')
      expect(judge({ spec, carrier: listing(list) })[0]?.what).toContain('Argo CD Image Updater')
    },
  )

  it('knows the marker of an image policy, which is a comment', () => {
    const job = `apiVersion: batch/v1
kind: Job
metadata: {name: migrate, namespace: shop}
spec:
  template:
    spec:
      containers:
        - name: task
          image: registry.example.test/api:1 # {"$imagepolicy": "flux-system:api"}
`
    const found = lintTree({ 'job.yaml': job }, { rules: [triggerConflict] })
    expect(found[0]?.what).toContain('the image policy flux-system/api')
  })

  it('says that Keel and an engine that looks at what is there work against each other', () => {
    const traits = { restoresAbsent: { when: 'watch', delaySeconds: 0, rule: 'test' } } as const
    const annotations = { 'keel.sh/policy': 'minor' }
    expect(judge({ kind: 'CronJob', annotations, traits })[0]?.what).toContain('changes it back')
  })

  it.each<[string, Made]>([
    ['Reloader that is switched off', { annotations: { 'reloader.stakater.com/auto': 'false' } }],
    [
      'Reloader where a repeat converges',
      {
        annotations: { 'reloader.stakater.com/auto': 'true', 'semel.dev/contract': 'converges' },
      },
    ],
    [
      'another image',
      { spec: runs('registry.example.test/web:1'), carrier: listing('registry.example.test/api') },
    ],
    [
      'a hook, which takes the new image at its next run',
      {
        spec: runs('registry.example.test/api:1'),
        carrier: listing('registry.example.test/api'),
        traits: { hook: hook() },
      },
    ],
    [
      'an engine that re-creates a changed Job',
      {
        spec: runs('registry.example.test/api:1'),
        carrier: listing('registry.example.test/api'),
        traits: { templateChange: 'recreates' },
      },
    ],
    [
      'a name that rendering makes',
      {
        name: 'migrate-{{ .Values.tag }}',
        spec: runs('registry.example.test/api:1'),
        carrier: listing('registry.example.test/api'),
      },
    ],
    ['Keel on a Job, which it does not know', { annotations: { 'keel.sh/policy': 'minor' } }],
  ])('is silent for %s', (_, options) => {
    expect(judge(options)).toEqual([])
  })
})
