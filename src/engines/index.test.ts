import { existsSync, readFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cronJob, job } from '../../test/engines/objects.ts'
import type { Json, JsonObject } from '../core/json.ts'
import type { EngineId } from './engine.ts'
import { engineById, engines } from './index.ts'

const IDS: Readonly<Record<EngineId, true>> = {
  argocd: true,
  fleet: true,
  flux: true,
  helm: true,
  'helm-controller': true,
  kro: true,
  kubectl: true,
  resourceset: true,
  unknown: true,
}

it('holds every engine once', () => {
  expect(engines.map(({ id }) => id).sort()).toEqual(Object.keys(IDS).sort())
})

it.each(engines)('finds $id by its id', (engine) => {
  expect(engineById(engine.id)).toBe(engine)
})

it('finds nothing by a word that is no id', () => {
  expect(engineById('Flux')).toBeUndefined()
  expect(engineById('')).toBeUndefined()
})

it('gives no kind of carrier to two engines', () => {
  const kinds = engines.flatMap(({ carrierKinds }) => carrierKinds)
  expect(new Set(kinds).size).toBe(kinds.length)
})

it.each(engines)('has a page for $id that names all situations', ({ id }) => {
  const page = new URL(`../../docs/engines/${id}.md`, import.meta.url)
  expect(existsSync(page)).toBe(true)
  const text = readFileSync(page, 'utf8')
  for (const situation of ['S1', 'S2', 'S3', 'S4', 'S5', 'S6', 'S7', 'S8']) {
    expect(text).toContain(`| ${situation}`)
  }
})

const KEYS: readonly string[] = [
  'kind metadata annotations spec template syncPolicy automated selfHeal prune enabled',
  'retry limit syncOptions interval timeout wait force suspend healthChecks commonMetadata',
  'labels driftDetection mode ignore install upgrade remediation retries strategy name',
  'steps resources readyWhen helm timeoutSeconds correctDrift paused',
].flatMap((line) => line.split(' '))

/** Carriers of no sense, but with the words of real ones in every place. */
const carriers = fc.object({
  maxDepth: 5,
  maxKeys: 8,
  key: fc.constantFrom(...KEYS),
  values: [
    fc.constantFrom('Application', 'ApplicationSet', 'GitRepo', 'enabled', '10m', '1d', '${x}'),
    fc.constantFrom('RetryOnFailure', 'Replace=true', '', '('),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
  ],
})

describe.each(engines)('$id', (engine) => {
  it('answers for any carrier and any annotations, and consistently', () => {
    const words = fc.constantFrom(
      'enabled',
      'disabled',
      'Ignore',
      'PreSync',
      'pre-upgrade',
      'typo',
      '{{ .x }}',
      'HookSucceeded,hook-failed',
      'Force=true,Replace=true',
      '__proto__',
      '',
    )
    const keys = fc.constantFrom(
      'helm.sh/hook',
      'helm.sh/hook-delete-policy',
      'argocd.argoproj.io/hook',
      'argocd.argoproj.io/hook-delete-policy',
      'argocd.argoproj.io/sync-options',
      'kustomize.toolkit.fluxcd.io/force',
      'kustomize.toolkit.fluxcd.io/ssa',
      'fluxcd.controlplane.io/recreateOnFailure',
      'helm.sh/resource-policy',
    )
    const annotations = fc.dictionary(keys, words)
    const carrier = fc.option(carriers, { nil: undefined })
    fc.assert(
      fc.property(annotations, carrier, fc.boolean(), (marks, wild, isJob) => {
        const object = isJob ? job(marks) : cronJob(marks)
        const traits = engine.traits(wild as JsonObject | undefined, object)
        expect(traits.assumed).toBe(engine.id === 'unknown')
        if (!traits.applies) {
          expect(traits.appliesNot).not.toBe('')
          expect(traits.restoresAbsent.when).toBe('never')
          expect([traits.hook, traits.waiter, traits.recreatesFailed]).toEqual([
            undefined,
            undefined,
            undefined,
          ])
        }
        if (traits.hook !== undefined) expect(traits.restoresAbsent.when).toBe('never')
        if (traits.recreatesUnchanged !== undefined) {
          expect(traits.updatesBy).toBe('delete-and-create')
        }
        if (!isJob) {
          expect(traits.waiter).toBeUndefined()
          expect(traits.templateChange).not.toBe('refused')
        }
      }),
    )
  })

  it('reads its settings from any carrier, each from the place that it names', () => {
    fc.assert(
      fc.property(carriers, (wild) => {
        for (const { name, value, path } of engine.settings(wild as JsonObject)) {
          expect(name).not.toBe('')
          expect(typeof value).toBe('string')
          if (path === undefined) continue
          const found = path.reduce<Json | undefined>(
            (here, step) => (here as Record<string | number, Json>)[step],
            wild as JsonObject,
          )
          expect(found).toBeDefined()
        }
      }),
    )
  })
})
