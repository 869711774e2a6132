import { describe, expect, it } from 'vitest'
import { withoutLiterals } from './object-literals.ts'

describe('object literals of mutating policies', () => {
  it.each([
    ['Object{spec: Object.spec{managedBy: "a"}}', '{"spec": {"managedBy": "a"}}'],
    [
      '[JSONPatch{op: "add", path: "/a", value: object.x}]',
      '[{"op": "add", "path": "/a", "value": object.x}]',
    ],
    [
      "Object{metadata: Object.metadata{annotations: {'a/b': params.done['x']}}}",
      `{"metadata": {"annotations": {'a/b': params.done['x']}}}`,
    ],
    ['Object . spec { a : 1 }', '{ "a" : 1 }'],
    ["'Object{a: 1}'", "'Object{a: 1}'"],
    ['a ? Object{b: c ? 1 : 2} : Object{}', 'a ? {"b": c ? 1 : 2} : {}'],
    ['object.spec{', 'object.spec{'],
    [
      'Object{spec: Object.spec{x: [Object.spec.x{name: "n"}]}}',
      '{"spec": {"x": [{"name": "n"}]}}',
    ],
  ])('writes %s as a map', (expression, expected) => {
    expect(withoutLiterals(expression)).toBe(expected)
  })
})
