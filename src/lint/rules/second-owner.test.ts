import { describe, expect, it } from 'vitest'
import { context, made, manifestOf, repositoryOf, type Made } from '../../../test/lint/subject.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Subject } from '../../ownership/subject.ts'
import { secondOwner } from './second-owner.ts'

interface Owned extends Made {
  readonly owner: string
  readonly ownerFile?: string
  readonly ownerSpec?: JsonObject
}

const REMOTE = { destination: { server: 'https://east.example.test', namespace: 'shop' } }

function owned({
  owner,
  ownerFile = 'flux/apps.yaml',
  ownerSpec = {},
  ...options
}: Owned): Subject {
  const carrier = {
    apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
    kind: 'Kustomization',
    metadata: { name: owner, namespace: 'flux-system' },
    spec: ownerSpec,
  }
  const manifest = manifestOf(carrier, ownerFile)
  // Two objects of one file are two documents of it.
  const document = { ...manifest.document, index: owner.length }
  return { ...made(options), carrier: { ...manifest, document } }
}

const judge = (...subjects: readonly Subject[]) =>
  secondOwner.checkRepository?.(repositoryOf(subjects), context()) ?? []

describe('second-owner', () => {
  it('names both owners of one file, once', () => {
    const findings = judge(owned({ owner: 'shop' }), owned({ owner: 'everything' }))
    expect(findings).toHaveLength(1)
    expect(findings[0]?.what).toBe(
      'Job shop/migrate is applied by 2 owners: Kustomization flux-system/shop and Kustomization flux-system/everything',
    )
    expect(findings[0]?.severity).toBeUndefined()
    expect(findings[0]?.related?.map(({ place }) => place.source.path)).toEqual([
      'flux/apps.yaml',
      'flux/apps.yaml',
    ])
  })

  it('says that two who force run their own in turn', () => {
    const traits = { templateChange: 'recreates' } as const
    const [finding] = judge(
      owned({ owner: 'shop', traits }),
      owned({ owner: 'everything', traits }),
    )
    expect(finding?.why).toContain("each deletes the other's Job and runs its own")
  })

  it('speaks of no immutable field for a CronJob, which is updated in place', () => {
    const [finding] = judge(
      owned({ owner: 'shop', kind: 'CronJob' }),
      owned({ owner: 'everything', kind: 'CronJob' }),
    )
    expect(finding?.why).toContain('each takes back what the other wrote')
  })

  it('says what pruning does to the other', () => {
    const restoresAbsent = { when: 'interval', periodSeconds: 600, rule: 'test' } as const
    const [finding] = judge(
      owned({ owner: 'shop', traits: { restoresAbsent } }),
      owned({ owner: 'everything', traits: { restoresAbsent } }),
    )
    expect(finding?.why).toContain(
      'when Kustomization flux-system/shop is deleted or drops it, Flux removes it under ' +
        'Kustomization flux-system/everything, which then runs again',
    )
  })

  it('warns of two files with one name', () => {
    const [finding] = judge(
      owned({ owner: 'shop', file: 'a/job.yaml' }),
      owned({ owner: 'everything', file: 'b/job.yaml' }),
    )
    expect(finding?.severity).toBe('warning')
    expect(finding?.what).toContain('stands in two files with two owners')
    expect(finding?.related?.some(({ place }) => place.source.path === 'b/job.yaml')).toBe(true)
  })

  it('knows one remote cluster from anywhere', () => {
    const findings = judge(
      owned({ owner: 'shop', ownerFile: 'a/app.yaml', ownerSpec: REMOTE }),
      owned({ owner: 'everything', ownerFile: 'b/app.yaml', ownerSpec: REMOTE }),
    )
    expect(findings).toHaveLength(1)
  })

  it.each<[string, Partial<Owned>]>([
    ['the same owner', { owner: 'shop' }],
    ['another name', { name: 'other' }],
    ['a name that rendering decides', { name: '{{ .Release.Name }}' }],
    ['another kind', { kind: 'CronJob' }],
    ['an owner in another folder', { ownerFile: 'clusters/west/apps.yaml' }],
    ['an owner of one name, so of another cluster', { owner: 'shop', ownerFile: 'flux/more.yaml' }],
    ['another cluster', { ownerSpec: { kubeConfig: { secretRef: { name: 'west' } } } }],
    ['a cluster that rendering decides', { ownerSpec: { destination: { server: '{{server}}' } } }],
    ['an owner that leaves the object alone', { traits: { applies: false } }],
  ])('is silent for %s', (_, other) => {
    expect(judge(owned({ owner: 'shop' }), owned({ owner: 'everything', ...other }))).toEqual([])
  })

  it('is silent where nobody is known to carry the file', () => {
    expect(judge(made(), made())).toEqual([])
  })
})
