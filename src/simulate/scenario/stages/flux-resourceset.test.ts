import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../core/json.ts'
import { FLUX_OPERATOR, SETS } from '../../engines/flux-operator/index.ts'
import { fluxResourceSet } from './flux-resourceset.ts'
import { JOBS, jobFile, removeJob, rigOf, type Rig, type RigInput } from './rig.ts'

const GROUP = 'fluxcd.controlplane.io'

function set(spec: JsonObject = {}): JsonObject {
  return {
    apiVersion: `${GROUP}/v1`,
    kind: 'ResourceSet',
    metadata: { name: 'app', namespace: 'shop' },
    spec: { resources: [JSON.parse(jobFile()) as JsonObject], ...spec },
  }
}

function applied(input: RigInput = {}): Rig {
  const rig = rigOf(fluxResourceSet, { carriers: [set()], ...input })
  rig.commit({})
  rig.until(100)
  return rig
}

function reason({ causes }: Rig): string {
  const own = causes.filter(
    ({ actor, trigger }) => actor === FLUX_OPERATOR && trigger !== undefined,
  )
  return own.at(-1)?.trigger?.words ?? ''
}

function provider(type: string, defaultValues: JsonObject = {}): JsonObject {
  return {
    apiVersion: `${GROUP}/v1`,
    kind: 'ResourceSetInputProvider',
    metadata: {
      name: 'tags',
      namespace: 'shop',
      annotations: { [`${GROUP}/reconcileEvery`]: '5m' },
    },
    spec: { type, defaultValues },
  }
}

const FROM = {
  inputsFrom: [{ kind: 'ResourceSetInputProvider', name: 'tags' }],
  resources: [JSON.parse(jobFile({ name: 'run-<< inputs.tag >>' })) as JsonObject],
}

describe('a stage of ResourceSets', () => {
  it('applies what stands beside the files', () => {
    expect(applied().jobs).toEqual(['migrate 0.75'])
  })

  it('takes its marks from the settings', () => {
    const settings = {
      interval: '5m',
      timeout: '2m',
      force: true,
      wait: true,
      recreateOnFailure: true,
      prune: false,
    }
    const found = applied({ settings }).get(SETS, 'shop', 'app')
    expect(found?.metadata.annotations).toEqual({
      [`${GROUP}/reconcileEvery`]: '5m',
      [`${GROUP}/reconcileTimeout`]: '2m',
      [`${GROUP}/force`]: 'enabled',
    })
    expect(found?.['spec']).toMatchObject({
      wait: true,
      commonMetadata: {
        annotations: { [`${GROUP}/recreateOnFailure`]: 'enabled', [`${GROUP}/prune`]: 'disabled' },
      },
    })
  })

  it('is suspended by a setting', () => {
    expect(applied({ settings: { suspend: true } }).jobs).toEqual([])
  })

  it('restores a missing Job at its interval', () => {
    const rig = applied({ settings: { interval: '5m' } })
    removeJob(rig, 'migrate')
    rig.until(400)
    expect(rig.jobs).toEqual(['migrate 0.75', 'migrate 300.75'])
    expect(reason(rig)).toBe('its interval of 5m0s was over')
  })

  it('is nudged', () => {
    const rig = applied()
    removeJob(rig, 'migrate')
    rig.stage.sync?.(rig.cluster, { sync: true })
    rig.until(110)
    expect(rig.jobs).toEqual(['migrate 0.75', 'migrate 100'])
    expect(reason(rig)).toBe('somebody asked for a reconcile')
  })

  it('changes fields, inputs and all of the set', () => {
    const rig = applied({ carriers: [set({ ...FROM, inputsFrom: [], inputs: [{ tag: 'a' }] })] })
    rig.stage.change?.(rig.cluster, { values: { tag: 'b' } })
    rig.until(200)
    expect(rig.jobs).toEqual(['run-a 0.75', 'run-b 100'])
    rig.stage.change?.(rig.cluster, { change: { 'spec.inputs': [{ tag: 'c' }] } })
    rig.until(300)
    expect(rig.jobs.at(-1)).toBe('run-c 200')
    rig.stage.change?.(rig.cluster, { uninstall: true })
    rig.until(400)
    expect(rig.get(JOBS, 'shop', 'run-c')).toBeUndefined()
  })

  it('gives values to Static providers', () => {
    const rig = applied({ carriers: [provider('Static', { tag: 'a' }), set(FROM)] })
    rig.stage.change?.(rig.cluster, { values: { tag: 'b' } })
    rig.until(200)
    expect(rig.jobs.map((job) => job.split(' ')[0])).toEqual(['run-a', 'run-b'])
  })

  it('lets other providers find what the scenario says, at their interval', () => {
    const settings = { exports: { 'shop/tags': [{ tag: 'a' }] } }
    const rig = applied({ carriers: [provider('OCIArtifactTag'), set(FROM)], settings })
    const exports = { 'shop/tags': [{ tag: 'a' }, { tag: 'b' }] }
    rig.stage.change?.(rig.cluster, { change: { exports } })
    rig.until(1000)
    expect(rig.jobs).toHaveLength(2)
    expect(rig.jobs.at(-1)).toMatch(/^run-b 30\d/)
  })

  it('keeps its inputs while their source is away', () => {
    const settings = { exports: { 'shop/tags': [{ tag: 'a' }] } }
    const rig = applied({ carriers: [provider('OCIArtifactTag'), set(FROM)], settings })
    rig.stage.sources?.(rig.cluster, false)
    rig.stage.change?.(rig.cluster, { change: { exports: { 'shop/tags': [] } } })
    rig.until(2000)
    expect(rig.get(JOBS, 'shop', 'run-a')).toBeDefined()
    rig.stage.sources?.(rig.cluster, true)
    rig.until(4000)
    expect(rig.get(JOBS, 'shop', 'run-a')).toBeUndefined()
  })

  it('follows commits: changes, and what is no longer there', () => {
    const rig = rigOf(fluxResourceSet)
    rig.commit({ 'app.yaml': JSON.stringify(set()) })
    rig.until(100)
    const other = set({ resources: [JSON.parse(jobFile({ name: 'other' })) as JsonObject] })
    rig.commit({ 'app.yaml': JSON.stringify(other) })
    rig.until(200)
    expect(rig.jobs).toEqual(['migrate 0.75', 'other 100'])
    rig.commit({})
    rig.until(300)
    expect(rig.get(SETS, 'shop', 'app')).toBeUndefined()
    expect(rig.get(JOBS, 'shop', 'other')).toBeUndefined()
  })
})
