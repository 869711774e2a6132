import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Json, JsonObject } from '../../core/json.ts'
import type { YamlDocument } from '../../core/yaml/document.ts'
import { originOf, traced } from '../traced.ts'
import { mergePatch } from './strategic-merge.ts'

const file = { name: 'file' } as unknown as YamlDocument
const patchFile = { name: 'patch' } as unknown as YamlDocument

function merged(object: JsonObject, patch: JsonObject): JsonObject | undefined {
  return mergePatch(traced(object, { document: file, path: [] }), patch, {
    document: patchFile,
    path: [],
  })?.value
}

describe('a strategic merge patch', () => {
  test.each<[string, JsonObject, JsonObject, JsonObject | undefined]>([
    ['merges mappings', { a: { b: 1, c: 2 } }, { a: { c: 3 } }, { a: { b: 1, c: 3 } }],
    ['takes away with null', { a: 1, b: 2 }, { a: null }, { b: 2 }],
    ['null for what is not there does nothing', { b: 2 }, { a: null }, { b: 2 }],
    ['replaces lists without a key', { args: ['a', 'b'] }, { args: ['c'] }, { args: ['c'] }],
    ['replaces text by a mapping', { a: 'x' }, { a: { b: 1 } }, { a: { b: 1 } }],
    [
      'replaces a mapping that says so',
      { a: { b: 1 } },
      { a: { $patch: 'replace', c: 1 } },
      { a: { c: 1 } },
    ],
    [
      'takes away a mapping that says so',
      { a: { b: 1 }, c: 1 },
      { a: { $patch: 'delete' } },
      { c: 1 },
    ],
    ['deletes the object', { a: 1 }, { $patch: 'delete' }, undefined],
    [
      'merges containers by name, its own first',
      {
        containers: [
          { name: 'a', image: '1' },
          { name: 'b', image: '1' },
        ],
      },
      { containers: [{ name: 'b', image: '2' }, { name: 'c' }] },
      { containers: [{ name: 'b', image: '2' }, { name: 'c' }, { name: 'a', image: '1' }] },
    ],
    [
      'takes an item away by its key',
      { env: [{ name: 'A', value: '1' }, { name: 'B' }] },
      { env: [{ name: 'A', $patch: 'delete' }] },
      { env: [{ name: 'B' }] },
    ],
    [
      'replaces a list with keys that says so',
      { volumes: [{ name: 'a' }, { name: 'b' }] },
      { volumes: [{ name: 'c' }, { $patch: 'replace' }] },
      { volumes: [{ name: 'c' }] },
    ],
    [
      'mounts have their path for a key',
      { volumeMounts: [{ name: 'a', mountPath: '/a' }] },
      { volumeMounts: [{ name: 'b', mountPath: '/a' }] },
      { volumeMounts: [{ name: 'b', mountPath: '/a' }] },
    ],
    [
      'a list that was not there',
      {},
      { env: [{ name: 'A', value: null }] },
      { env: [{ name: 'A' }] },
    ],
    [
      'tolerations are replaced',
      { tolerations: [{ key: 'a' }] },
      { tolerations: [{ key: 'b' }] },
      { tolerations: [{ key: 'b' }] },
    ],
  ])('%s', (_, object, patch, expected) => {
    expect(merged(object, patch)).toEqual(expected)
  })

  test('says where each part was written', () => {
    const whole = traced<JsonObject>(
      { ttl: 1, same: 2, containers: [{ name: 'a', image: 'x', args: ['z'] }] },
      { document: file, path: [] },
    )
    const patch = { ttl: null, same: 2, containers: [{ name: 'a', image: 'y' }] }
    const after = mergePatch(whole, patch, { document: patchFile, path: ['p'] })
    if (after === undefined) throw new Error('deleted')
    expect(originOf(after, ['containers', 0, 'image'])).toEqual({
      document: patchFile,
      path: ['p', 'containers', 0, 'image'],
    })
    expect(originOf(after, ['containers', 0, 'args', 0])).toEqual({
      document: file,
      path: ['containers', 0, 'args', 0],
    })
    expect(originOf(after, ['ttl'])).toEqual({ document: patchFile, path: ['p', 'ttl'] })
    // A patch that repeats a value has not set it.
    expect(originOf(after, ['same']).document).toBe(file)
  })
})

const value = fc.letrec<{ any: Json }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    fc.integer(),
    fc.string(),
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'name', 'env', 'containers', 'x'), tie('any'), {
      maxKeys: 3,
    }),
  ),
})).any
const object = fc.dictionary(fc.constantFrom('a', 'env', 'containers', 'args'), value, {
  maxKeys: 4,
})

test('an empty patch changes nothing, and a patch is merged the same way twice', () => {
  fc.assert(
    fc.property(object, object, (some, patch) => {
      expect(merged(some, {})).toEqual(some)
      const once = merged(some, patch)
      expect(merged(some, patch)).toEqual(once)
    }),
  )
})
