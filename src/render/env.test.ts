import { describe, expect, it } from 'vitest'
import { stringAt, type JsonObject } from '../core/json.ts'
import { envFromOf, envOf } from './env.ts'
import { JobScope } from './scope.ts'

function scopeOf(root: JsonObject, group: JsonObject, job: JsonObject): JobScope {
  const names = { groupName: 'db', jobName: 'migrate', refused: new Set<string>() }
  return new JobScope({ root, group, job, ...names })
}

function namesOf(scope: JobScope): readonly (string | undefined)[] {
  return envOf(scope).map((entry) => stringAt(entry, ['name']))
}

describe('the layers of env', () => {
  const root = { global: { env: { A: 'global', B: 'global' } }, env: { A: 'root', C: 'root' } }
  const group = { env: { C: 'group', D: 'group' } }
  const job = { env: { D: 'job', NAMESPACE: 'mine' } }

  it('give each variable once, in the order of the layer that won, then by name', () => {
    expect(envOf(scopeOf(root, group, job))).toEqual([
      { name: 'B', value: 'global' },
      { name: 'A', value: 'root' },
      { name: 'C', value: 'group' },
      { name: 'D', value: 'job' },
      { name: 'NAMESPACE', value: 'mine' },
    ])
  })

  it.each<[string, JsonObject, JsonObject, string]>([
    ['no global layer', { inherit: { env: { global: false } } }, {}, 'NAMESPACE,A,C,D'],
    ['no root layer', { inherit: { env: { root: false } } }, {}, 'NAMESPACE,A,B,C,D'],
    ['neither', { inherit: { env: { global: false, root: false } } }, {}, 'NAMESPACE,C,D'],
    [
      'both again on the job, key by key',
      { inherit: { env: { global: false, root: false } } },
      { inherit: { env: { global: true } } },
      'NAMESPACE,A,B,C,D',
    ],
    [
      'null removes a variable, also the built-in one',
      {},
      { env: { A: null, NAMESPACE: null } },
      'B,C,D',
    ],
    ['null removes a whole layer, not what is built in', {}, { env: null }, 'NAMESPACE'],
  ])('%s', (_case, more, own, names) => {
    expect(namesOf(scopeOf(root, { ...group, ...more }, own)).join()).toBe(names)
  })

  it('replaces a whole entry, not half of it', () => {
    const from = { valueFrom: { secretKeyRef: { name: 'db', key: 'url' } } }
    const entry = { name: 'URL', value: 'x' }
    expect(envOf(scopeOf({ env: { URL: from } }, {}, { env: { URL: 'x' } }))).toContainEqual(entry)
    expect(envOf(scopeOf({ env: { URL: 'x' } }, {}, { env: { URL: from } }))).toContainEqual({
      name: 'URL',
      ...from,
    })
  })
})

describe('references between variables', () => {
  it.each<[string, JsonObject, string]>([
    ['what is used stands directly before', { A: '$(Z)', B: 'b', Z: 'z' }, 'Z,A,B'],
    ['over several steps', { A: '$(M)', M: '$(Z)', Z: 'z' }, 'Z,M,A'],
    ['what stands before already stays', { A: 'a', B: '$(A)' }, 'A,B'],
    ['two at once, as they are written', { A: '$(Z)$(Y)', Y: 'y', Z: 'z' }, 'Z,Y,A'],
    ['a dollar sign that is meant', { A: '$$(Z)', Z: 'z' }, 'A,Z'],
    ['three dollar signs', { A: '$$$(Z)', Z: 'z' }, 'Z,A'],
    ['a name that is no variable', { A: '$(HOME)', Z: 'z' }, 'A,Z'],
    ['a bracket that stays open', { A: '$(Z', Z: 'z' }, 'A,Z'],
  ])('%s', (_case, env, names) => {
    const scope = scopeOf({}, {}, { env: { ...env, NAMESPACE: null } })
    expect(namesOf(scope).join()).toBe(names)
    expect(scope.problems).toEqual([])
  })

  it.each<[string, JsonObject, string]>([
    ['two', { A: '$(B)', B: '$(A)' }, 'A -> B -> A'],
    ['three', { A: '$(B)', B: '$(C)', C: '$(A)' }, 'A -> B -> C -> A'],
    ['itself', { A: 'x$(A)' }, 'A -> A'],
  ])('a circle of %s is told once', (_case, env, circle) => {
    const scope = scopeOf({}, {}, { env })
    envOf(scope)
    expect(scope.problems.map(({ text }) => text)).toEqual([
      `variables refer to each other in a circle: ${circle}`,
    ])
  })
})

describe('envFrom', () => {
  const given = (root: JsonObject, group: JsonObject, job: JsonObject): string =>
    envFromOf(scopeOf(root, group, job), (name) => (name === 'own' ? 'shop-own' : name))
      .map((entry) => JSON.stringify(entry).replaceAll(/[^a-zA-Z:,-]/g, ''))
      .join(' ')

  it('lists Secrets before ConfigMaps, each from root to job; what comes again stays last', () => {
    const root = { envSecrets: ['a', 'b'], envConfigMaps: ['own', 'c'] }
    const group = { envSecrets: ['c', 'a'], envConfigMaps: ['shop-own'] }
    expect(given(root, group, { envSecrets: ['d'] })).toBe(
      'secretRef:name:b secretRef:name:c secretRef:name:a secretRef:name:d ' +
        'configMapRef:name:c configMapRef:name:shop-own',
    )
  })

  it('skips the lists of the root, and null those of all above', () => {
    const root = { envSecrets: ['a'], envConfigMaps: ['b'] }
    const inherit = { envSecrets: false, configMaps: false }
    expect(given(root, { inherit, envSecrets: ['c'] }, {})).toBe('secretRef:name:c')
    expect(given(root, { envSecrets: ['c'] }, { envSecrets: null })).toBe('configMapRef:name:b')
  })
})
