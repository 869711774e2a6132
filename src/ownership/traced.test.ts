import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { at, type Json, type JsonObject, type Path } from '../core/json.ts'
import type { YamlDocument } from '../core/yaml/document.ts'
import {
  itemsOf,
  originOf,
  partOf,
  setAt,
  setField,
  traced,
  tracedList,
  withoutKey,
  withPart,
} from './traced.ts'

const document = (name: string): YamlDocument => ({ name }) as unknown as YamlDocument
const file = document('file')
const patch = document('patch')
const whole = traced<JsonObject>(
  { metadata: { name: 'a' }, list: [{ x: 1 }, { x: 2 }] },
  { document: file, path: ['items', 0] },
)
const origin = { document: patch, path: ['spec'] }

describe('where a part was written', () => {
  test('as long as nothing changed, in the file', () => {
    expect(originOf(whole, ['list', 1, 'x'])).toEqual({
      document: file,
      path: ['items', 0, 'list', 1, 'x'],
    })
  })

  test('a part that is missing would stand there too', () => {
    expect(originOf(whole, ['spec', 'a']).path).toEqual(['items', 0, 'spec', 'a'])
  })

  test('what a patch set, and what is below it, in the patch', () => {
    const after = setField(whole, ['metadata', 'labels'], { app: 'x' }, origin)
    expect(originOf(after, ['metadata', 'labels', 'app'])).toEqual({
      document: patch,
      path: ['spec', 'app'],
    })
    expect(originOf(after, ['metadata', 'name']).document).toBe(file)
  })

  test('what was taken away, where it was taken away', () => {
    const after = withoutKey(whole, 'metadata', origin)
    expect(at(after.value, ['metadata'])).toBeUndefined()
    expect(originOf(after, ['metadata'])).toEqual(origin)
  })

  test('items that changed their positions keep their places', () => {
    const list = partOf(whole, 'list')
    const items = list === undefined ? [] : [...itemsOf(list)].toReversed()
    const after = withPart(whole, 'list', tracedList(items, origin))
    expect(after && originOf(after, ['list', 0, 'x']).path).toEqual(['items', 0, 'list', 1, 'x'])
  })
})

describe('setting a part', () => {
  test('creates the mappings on the way', () => {
    expect(setAt(whole, ['a', 'b'], 1, origin)?.value).toMatchObject({ a: { b: 1 } })
  })

  test('does not go through text, nor past the end of a list', () => {
    expect(setAt(whole, ['metadata', 'name', 'x'], 1, origin)).toBeUndefined()
    expect(setAt(whole, ['list', 5], 1, origin)).toBeUndefined()
    expect(setAt(whole, ['list', 'x'], 1, origin)).toBeUndefined()
  })

  test('leaves the whole as it was where the way fails', () => {
    expect(setField(whole, ['metadata', 'name', 'x'], 1, origin)).toBe(whole)
  })
})

const key = fc.constantFrom('a', 'b', '__proto__', 'constructor')
const json = fc.letrec<{ any: Json }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    fc.integer(),
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(key, tie('any'), { maxKeys: 3 }),
  ),
})).any
const path: fc.Arbitrary<Path> = fc.array(fc.oneof(key, fc.nat({ max: 3 })), { maxLength: 4 })

test('what was set is there, from where it was set, and the rest is untouched', () => {
  fc.assert(
    fc.property(json, path, json, (value, where, part) => {
      const before = traced(value, { document: file, path: [] })
      const text = JSON.stringify(value)
      const after = setAt(before, where, part, origin)
      expect(JSON.stringify(value)).toBe(text)
      if (after === undefined) return
      expect(at(after.value, where)).toEqual(part)
      expect(originOf(after, where)).toEqual(origin)
    }),
  )
})
