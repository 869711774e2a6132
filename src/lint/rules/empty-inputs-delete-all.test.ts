import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../core/json.ts'
import { context, made, repositoryOf, type Made } from '../../../test/lint/subject.ts'
import { emptyInputsDeleteAll } from './empty-inputs-delete-all.ts'

const GROUP = 'fluxcd.controlplane.io/v1'

const set = (...inputsFrom: readonly JsonObject[]): JsonObject => ({
  apiVersion: GROUP,
  kind: 'ResourceSet',
  metadata: { name: 'shop', namespace: 'shop' },
  spec: { inputsFrom },
})

const provider = (spec: JsonObject, more: JsonObject = {}): JsonObject => ({
  apiVersion: GROUP,
  kind: 'ResourceSetInputProvider',
  metadata: { name: 'tags', namespace: 'shop', labels: { use: 'shop' }, ...more },
  spec,
})

const byName = { kind: 'ResourceSetInputProvider', name: 'tags' }
const byLabel = { selector: { matchLabels: { use: 'shop' } } }
const filtered = { type: 'OCIArtifactTag', filter: { semver: '>=1.0.0' } }

const judge = (carrier: JsonObject, providers: readonly JsonObject[], options: Made = {}) =>
  emptyInputsDeleteAll.checkRepository?.(
    repositoryOf([made({ carrier, ...options })], providers),
    context(),
  ) ?? []

describe('empty-inputs-delete-all', () => {
  it.each<[string, JsonObject, JsonObject, string]>([
    ['a filter by name', byName, filtered, 'semver: >=1.0.0'],
    [
      'a filter by selector',
      byLabel,
      { type: 'GitHubTag', filter: { includeTag: '^v' } },
      'includeTag: ^v',
    ],
    ['a service', byName, { type: 'ExternalService' }, 'answers with no inputs'],
  ])('speaks for %s', (_case, entry, spec, words) => {
    const [finding] = judge(set(entry), [provider(spec)])
    expect(finding?.what).toContain(words)
    expect(finding?.related).toHaveLength(1)
  })

  it('speaks once for a set with many Jobs', () => {
    const carrier = set(byName)
    const one = made({ carrier, name: 'one' })
    const two = { ...made({ name: 'two' }), ...(one.carrier && { carrier: one.carrier }) }
    const repository = repositoryOf([one, two], [provider(filtered)])
    expect(emptyInputsDeleteAll.checkRepository?.(repository, context())).toHaveLength(1)
  })

  it.each<[string, JsonObject, readonly JsonObject[], Made]>([
    [
      'for a filter that lets all through',
      set(byName),
      [provider({ type: 'OCIArtifactTag', filter: { includeTag: '.*' } })],
      {},
    ],
    ['for a provider without a filter', set(byName), [provider({ type: 'OCIArtifactTag' })], {}],
    [
      'for pull requests',
      set(byName),
      [provider({ type: 'GitHubPullRequest', filter: { includeTag: 'x' } })],
      {},
    ],
    ['for a static provider', set(byName), [provider({ type: 'Static' })], {}],
    [
      'for a templated type',
      set(byName),
      [provider({ type: '<< inputs.type >>Tag', filter: { semver: '1' } })],
      {},
    ],
    ['for a provider elsewhere', set(byName), [], {}],
    [
      'for a provider of another namespace',
      set(byName),
      [provider(filtered, { namespace: 'other' })],
      {},
    ],
    [
      'where another provider answers too',
      set(byLabel),
      [provider(filtered), provider({ type: 'Static' }, { name: 'x' })],
      {},
    ],
    [
      'for a Job that is kept',
      set(byName),
      [provider(filtered)],
      { traits: { removesUndeclared: false } },
    ],
    ['for CronJobs', set(byName), [provider(filtered)], { kind: 'CronJob' }],
  ])('is silent %s', (_case, carrier, providers, options) => {
    expect(judge(carrier, providers, options)).toEqual([])
  })
})
