import { describe, expect, test } from 'vitest'
import type { Json, JsonObject } from '../../core/json.ts'
import type { YamlDocument } from '../../core/yaml/document.ts'
import { originOf, traced } from '../traced.ts'
import { applyJsonPatch } from './json-patch.ts'

const file = { name: 'file' } as unknown as YamlDocument
const patchFile = { name: 'patch' } as unknown as YamlDocument
const object: JsonObject = {
  metadata: { name: 'a' },
  spec: { ttl: 1, list: [{ n: 1 }, { n: 2 }], 'a/b~c': 1 },
}

function patched(...operations: readonly Json[]): JsonObject | string {
  const whole = traced(object, { document: file, path: [] })
  const result = applyJsonPatch(whole, operations, { document: patchFile, path: [] })
  return 'refusal' in result ? result.refusal : result.object.value
}

describe('a JSON patch', () => {
  test.each<[string, Json, JsonObject]>([
    ['adds a key', { op: 'add', path: '/spec/x', value: 1 }, { spec: { x: 1 } }],
    ['adds over a key', { op: 'add', path: '/spec/ttl', value: 2 }, { spec: { ttl: 2 } }],
    ['replaces', { op: 'replace', path: '/spec/ttl', value: 3 }, { spec: { ttl: 3 } }],
    [
      'replaces what is not there, as kustomize does',
      { op: 'replace', path: '/spec/y', value: 3 },
      { spec: { y: 3 } },
    ],
    [
      'adds at the end of a list',
      { op: 'add', path: '/spec/list/-', value: 0 },
      { spec: { list: [{ n: 1 }, { n: 2 }, 0] } },
    ],
    [
      'adds before an item',
      { op: 'add', path: '/spec/list/0', value: 0 },
      { spec: { list: [0, { n: 1 }, { n: 2 }] } },
    ],
    [
      'goes into an item',
      { op: 'replace', path: '/spec/list/1/n', value: 5 },
      { spec: { list: [{ n: 1 }, { n: 5 }] } },
    ],
    ['reads escapes', { op: 'replace', path: '/spec/a~1b~0c', value: 2 }, { spec: { 'a/b~c': 2 } }],
    ['copies', { op: 'copy', from: '/spec/ttl', path: '/metadata/ttl' }, { metadata: { ttl: 1 } }],
    [
      'makes annotations where there are none',
      { op: 'add', path: '/metadata/annotations/a', value: 'x' },
      { metadata: { annotations: { a: 'x' } } },
    ],
    [
      'passes a test that holds',
      { op: 'test', path: '/spec/list', value: [{ n: 1 }, { n: 2 }] },
      { spec: { ttl: 1 } },
    ],
  ])('%s', (_, operation, expected) => {
    expect(patched(operation)).toMatchObject(expected)
  })

  test('removes keys and items', () => {
    expect(
      patched({ op: 'remove', path: '/spec/list/0' }, { op: 'remove', path: '/spec/ttl' }),
    ).toEqual({
      metadata: { name: 'a' },
      spec: { list: [{ n: 2 }], 'a/b~c': 1 },
    })
  })

  test('moves', () => {
    const after = patched({ op: 'move', from: '/spec/ttl', path: '/metadata/ttl' })
    expect(after).toMatchObject({ metadata: { ttl: 1 } })
    expect(after).not.toHaveProperty('spec.ttl')
  })

  test.each<[string, Json, string]>([
    [
      'a parent that is missing',
      { op: 'add', path: '/spec/x/y', value: 1 },
      'finds nothing to hold /spec/x/y',
    ],
    [
      'past the end of a list',
      { op: 'add', path: '/spec/list/7', value: 1 },
      'finds nothing to hold',
    ],
    [
      'a position that is no number',
      { op: 'add', path: '/spec/list/x', value: 1 },
      'finds nothing to hold',
    ],
    ['removing what is not there', { op: 'remove', path: '/spec/x' }, 'finds nothing at /spec/x'],
    [
      'copying what is not there',
      { op: 'copy', from: '/x', path: '/spec/x' },
      'finds no way from /x',
    ],
    [
      'a test that fails',
      { op: 'test', path: '/spec/ttl', value: 2 },
      'finds another value at /spec/ttl',
    ],
    ['an unknown op', { op: 'put', path: '/spec/ttl' }, 'unknown op put'],
    ['no op', { path: '/spec/ttl' }, 'no op or no path'],
    ['a path without a slash', { op: 'add', path: 'spec', value: 1 }, 'does not start with /'],
    ['no mapping', 'remove', 'is not a mapping'],
    ['an object that is none any more', { op: 'replace', path: '', value: 1 }, 'leaves no object'],
  ])('is refused for %s', (_, operation, expected) => {
    expect(patched(operation)).toContain(expected)
  })

  test('is all or nothing', () => {
    expect(
      patched({ op: 'add', path: '/spec/x', value: 1 }, { op: 'remove', path: '/spec/y' }),
    ).toBe('operation 2 finds nothing at /spec/y')
  })

  test('says where each part was written, also behind an item that it put in', () => {
    const whole = traced(object, { document: file, path: [] })
    const operations = [{ op: 'add', path: '/spec/list/0', value: { n: 0 } }]
    const result = applyJsonPatch(whole, operations, { document: patchFile, path: [] })
    if ('refusal' in result) throw new Error(result.refusal)
    expect(originOf(result.object, ['spec', 'list', 0, 'n'])).toEqual({
      document: patchFile,
      path: [0, 'value', 'n'],
    })
    expect(originOf(result.object, ['spec', 'list', 1, 'n'])).toEqual({
      document: file,
      path: ['spec', 'list', 0, 'n'],
    })
  })
})
