import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../core/json.ts'
import { applysetOf } from './applyset.ts'
import { conditionOf, namesIn, partsOf } from './expressions.ts'
import { compileGraph, customResourceDefinition } from './graph.ts'
import { pluralOf } from './kinds.ts'
import { openApiOf } from './simple-schema.ts'

function definition(resources: readonly JsonObject[], schema: JsonObject = {}): JsonObject {
  return {
    metadata: { name: 'lab' },
    spec: { schema: { kind: 'Lab', spec: {}, ...schema }, resources },
  }
}

function map(id: string, value: string): JsonObject {
  return { id, template: { apiVersion: 'v1', kind: 'ConfigMap', data: { value } } }
}

describe('compileGraph', () => {
  it('puts what is referred to first, else keeps the written order (X-3)', () => {
    const graph = compileGraph(
      definition([map('one', '${two.data.value}'), map('two', 'x'), map('three', 'x')]),
      1,
    )
    expect(graph.nodes.map(({ id }) => id)).toEqual(['two', 'one', 'three'])
  })

  it('numbers waves as the annotations of traces kro/001, 010 and 012 do', () => {
    const waves = (...nodes: JsonObject[]): readonly number[] =>
      compileGraph(definition(nodes), 1).nodes.map(({ wave }) => wave)
    expect(waves(map('conf', 'x'), map('run', 'x'))).toEqual([1, 1])
    expect(waves(map('one', 'x'), map('two', '${one.metadata.name}'))).toEqual([1, 2])
    expect(waves(map('run', 'x'), map('conf', '${run.metadata.name}'), map('zero', 'x'))).toEqual([
      1, 2, 2,
    ])
  })

  it.each([
    ['a cycle', [map('a', '${b.x}'), map('b', '${a.x}')], 'graph contains a cycle'],
    ['an id twice', [map('a', ''), map('a', '')], 'found duplicate resource IDs'],
    ['an id that CEL cannot name', [map('my-job', '')], 'no lowerCamelCase name'],
    ['a node of nothing', [{ id: 'a' }], 'resource "a" has no template'],
  ])('refuses %s', (_, nodes, message) => {
    expect(() => compileGraph(definition(nodes), 1)).toThrow(message)
  })

  it('does not take a name in quotes or after a dot for a node', () => {
    const nodes = [map('run', 'x'), map('conf', '${schema.spec.run + " run "}')]
    expect(compileGraph(definition(nodes), 1).nodes.map(({ needs }) => needs)).toEqual([[], []])
  })

  it('names the type of instances', () => {
    const crd = customResourceDefinition(
      compileGraph(definition([], { group: 'x.example.test' }), 1),
    )
    expect(crd).toMatchObject({
      metadata: { name: 'labs.x.example.test' },
      spec: { scope: 'Namespaced', names: { kind: 'Lab', plural: 'labs', singular: 'lab' } },
    })
  })
})

describe('openApiOf', () => {
  it.each<[string, JsonObject]>([
    ['string', { type: 'string' }],
    [
      'string | default="a b" description="x | y"',
      { type: 'string', default: 'a b', description: 'x | y' },
    ],
    ['string | default=""', { type: 'string', default: '' }],
    ['boolean | default=true', { type: 'boolean', default: true }],
    [
      'integer | minimum=1 maximum=5 default=3',
      { type: 'integer', minimum: 1, maximum: 5, default: 3 },
    ],
    ['string | enum="a,b"', { type: 'string', enum: ['a', 'b'] }],
    ['[]string', { type: 'array', items: { type: 'string' } }],
    ['map[string]integer', { type: 'object', additionalProperties: { type: 'integer' } }],
    [
      '[]map[string]string',
      { type: 'array', items: { type: 'object', additionalProperties: { type: 'string' } } },
    ],
    ['Own', { type: 'object', properties: { a: { type: 'string' } } }],
  ])('reads %s', (text, schema) => {
    const types = { Own: { a: 'string' } }
    expect(openApiOf({ field: text }, types)['properties']).toEqual({ field: schema })
  })

  it('fills a part that is left out when a field in it has a default', () => {
    expect(openApiOf({ part: { a: 'integer | default=1' } }, {})).toMatchObject({
      default: {},
      properties: { part: { default: {} } },
    })
    expect(openApiOf({ a: 'string | required=true', b: 'integer | default=1' }, {})).toEqual({
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'integer', default: 1 } },
      required: ['a'],
    })
  })

  it('refuses a type that nobody declared', () => {
    expect(() => openApiOf({ a: 'strnig' }, {})).toThrow('unknown type: strnig')
  })
})

describe('expressions', () => {
  it('end at the brace that closes them, not at one inside or in a text', () => {
    expect(partsOf('a-${ {"k": "}"}["k"] }-${x}$')).toEqual([
      'a-',
      { expression: ' {"k": "}"}["k"] ' },
      '-',
      { expression: 'x' },
      '$',
    ])
    expect(partsOf('${open')).toEqual(['${open'])
  })

  it('of conditions may stand in braces or alone', () => {
    expect(conditionOf('${run.status.done}')).toBe('run.status.done')
    expect(conditionOf('run.status.done')).toBe('run.status.done')
  })

  it('name what they read', () => {
    expect([...namesIn('a.b + c["d"] + "e" + f(g)')]).toEqual(['a', 'c', 'f', 'g'])
  })
})

describe('applysetOf', () => {
  it('gives the recorded id (trace kro/001)', () => {
    const graph = compileGraph(definition([], { kind: 'Lab001' }), 1)
    const metadata = { name: 'quick', namespace: 'k001' }
    expect(applysetOf(graph, { metadata } as never)).toBe(
      'applyset-AkKhD21iPpOdY9Xkunc-EIpz8t3xFl4pp9cRrljXDrw-v1',
    )
  })
})

describe('pluralOf', () => {
  it.each([
    ['Lab001', 'lab001s'],
    ['Policy', 'policies'],
    ['Gateway', 'gateways'],
    ['Ingress', 'ingresses'],
  ])('of %s is %s', (kind, plural) => {
    expect(pluralOf(kind)).toBe(plural)
  })
})
