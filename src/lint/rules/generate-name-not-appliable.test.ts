import { describe, expect, it } from 'vitest'
import {
  context,
  hook,
  made,
  manifestOf,
  repositoryOf,
  type Made,
} from '../../../test/lint/subject.ts'
import type { Link, Subject } from '../../ownership/subject.ts'
import { generateNameNotAppliable } from './generate-name-not-appliable.ts'

const KUSTOMIZE: Link = {
  label: 'kustomization.yaml',
  path: 'apps/kustomization.yaml',
  settings: [],
}
const APP = {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { name: 'ci', namespace: 'argocd' },
}

interface Options extends Made {
  readonly prefix?: string
  readonly chain?: readonly Link[]
}

function subject({ prefix = 'lint-', chain, ...options }: Options = {}): Subject {
  const plain = made(options)
  const { name: _, ...metadata } = plain.object['metadata'] as Record<string, string>
  const object = { ...plain.object, metadata: { ...metadata, generateName: prefix } }
  return {
    ...plain,
    object,
    manifest: { ...plain.manifest, object, name: undefined },
    chain: chain ?? plain.chain,
  }
}

const judge = (options: Options = {}) =>
  generateNameNotAppliable.check?.(subject(options), context()) ?? []

describe('generate-name-not-appliable', () => {
  it('speaks where the engine applies by name', () => {
    const [finding] = judge({ traits: { generateName: 'refused' }, title: 'kro' })
    expect(finding?.what).toBe('the Job with generateName lint- has no name')
    expect(finding?.why).toBe('kro applies objects by name and refuses one without')
  })

  it('speaks below kustomize, whatever the engine takes', () => {
    const hooked = { generateName: 'hooks-only', hook: hook() } as const
    for (const traits of [hooked, { generateName: 'creates-each-time' } as const]) {
      expect(judge({ traits, chain: [KUSTOMIZE] })[0]?.why).toContain(
        'kustomize (apps/kustomization.yaml) knows objects by their name: the build fails',
      )
    }
  })

  it('speaks for a plain Job where only hooks may use it', () => {
    const [finding] = judge({ traits: { generateName: 'hooks-only' }, title: 'Argo CD' })
    expect(finding?.why).toContain('nothing of the app is applied')
  })

  it('only warns when nobody is known to apply it', () => {
    const [finding] = judge({ traits: { generateName: 'hooks-only', assumed: true } })
    expect(finding?.severity).toBe('warning')
    expect(finding?.why).toContain('only kubectl create takes it')
  })

  it.each<[string, Options]>([
    ['a hook that may use it', { traits: { generateName: 'hooks-only', hook: hook() } }],
    [
      'a Job that rendering may make a hook',
      { traits: { generateName: 'hooks-only' }, open: ['metadata.annotations'] },
    ],
    ['an engine that creates', { traits: { generateName: 'creates-each-time' } }],
    ['a name that rendering may add', { open: ['metadata'] }],
    ['an object that the engine leaves alone', { traits: { applies: false } }],
  ])('is silent for %s', (_, options) => {
    expect(judge(options)).toEqual([])
  })

  it('is silent when a name stands beside it', () => {
    expect(generateNameNotAppliable.check?.(made(), context())).toEqual([])
  })
})

describe('two hooks with one generateName', () => {
  const hooked = (options: Options = {}): Subject => {
    const { traits, ...rest } = options
    const phases = {
      hook: hook({ phases: ['PostSync'] }),
      generateName: 'hooks-only',
      ...traits,
    } as const
    return subject({ carrier: APP, ...rest, traits: phases })
  }
  const collide = (...subjects: readonly Subject[]) =>
    generateNameNotAppliable.checkRepository?.(repositoryOf(subjects), context()) ?? []

  it('collide in one phase', () => {
    const findings = collide(hooked({ file: 'a.yaml' }), hooked({ file: 'b.yaml' }))
    expect(findings).toHaveLength(1)
    expect(findings[0]?.what).toBe('generateName lint- is used twice in phase PostSync')
    expect(findings[0]?.related?.[0]?.place.source.path).toBe('a.yaml')
  })

  it.each<[string, Options]>([
    ['another phase', { traits: { hook: hook({ phases: ['PreSync'] }) } }],
    ['another prefix', { prefix: 'check-' }],
    ['another kind', { kind: 'CronJob' }],
    [
      'an engine where the server makes the name',
      { traits: { generateName: 'creates-each-time' } },
    ],
    ['a prefix that rendering decides', { prefix: '{{ .Values.prefix }}-' }],
  ])('do not collide with %s', (_, options) => {
    const first = hooked({ file: 'a.yaml' })
    expect(collide(first, hooked({ file: 'b.yaml', ...options }))).toEqual([])
  })

  it('do not collide in two apps', () => {
    const carrier = manifestOf(APP, 'argocd/other.yaml')
    const other: Subject = { ...hooked({ file: 'b.yaml' }), carrier }
    expect(collide(hooked({ file: 'a.yaml' }), other)).toEqual([])
  })

  it('do not collide with themselves under two owners', () => {
    expect(collide(hooked({ file: 'a.yaml' }), hooked({ file: 'a.yaml' }))).toEqual([])
  })
})
