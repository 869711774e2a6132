import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../core/json.ts'
import type { CreateClusterOptions } from '../index.ts'
import { Asking, asking, DEFINITIONS, messageOf } from './testing.ts'

const GADGETS = { group: 'x.dev', version: 'v1', resource: 'gadgets' }

function definition(properties: JsonObject, version: JsonObject = {}): JsonObject {
  const spec = { type: 'object', properties }
  const status = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
  const openAPIV3Schema = { type: 'object', properties: { spec, status } }
  const v1 = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema }, ...version }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'gadgets.x.dev' },
    spec: {
      group: 'x.dev',
      scope: 'Namespaced',
      names: { plural: 'gadgets', kind: 'Gadget' },
      versions: [v1],
    },
  }
}

function gadget(spec: JsonObject, metadata: JsonObject = {}): JsonObject {
  return { apiVersion: 'x.dev/v1', kind: 'Gadget', metadata: { name: 'a', ...metadata }, spec }
}

function defined(
  properties: JsonObject,
  version: JsonObject = {},
  options: CreateClusterOptions = {},
): { readonly definitions: Asking; readonly gadgets: Asking } {
  const definitions = asking(DEFINITIONS, options)
  const answer = definitions.create(definition(properties, version))
  if (answer.code !== 201) throw new Error(JSON.stringify(answer.body))
  return { definitions, gadgets: new Asking(GADGETS, definitions.cluster, 'default') }
}

describe('a CustomResourceDefinition', () => {
  test('is served as soon as it is stored, and says that it is established', () => {
    const { definitions, gadgets } = defined({ n: { type: 'integer' } })
    expect(definitions.stored('gadgets.x.dev')?.['status']).toMatchObject({
      conditions: [
        { type: 'NamesAccepted', status: 'True' },
        { type: 'Established', status: 'True' },
      ],
      acceptedNames: {
        plural: 'gadgets',
        singular: 'gadget',
        kind: 'Gadget',
        listKind: 'GadgetList',
      },
      storedVersions: ['v1'],
    })
    expect(gadgets.create(gadget({ n: 1 }))).toMatchObject({
      code: 201,
      body: { metadata: { generation: 1 }, spec: { n: 1 } },
    })
  })

  test('takes its objects with it, and waits for their finalizers', () => {
    const { definitions, gadgets } = defined({})
    gadgets.create(gadget({}, { finalizers: ['x.dev/y'] }))
    gadgets.create(gadget({}, { name: 'b' }))
    definitions.delete('gadgets.x.dev')
    expect(gadgets.list().body['items']).toMatchObject([{ metadata: { name: 'a' } }])
    expect(messageOf(gadgets.create(gadget({}, { name: 'c' })))).toBe(
      'gadgets.x.dev "c" is forbidden: create not allowed while custom resource definition is terminating',
    )
    gadgets.merge('a', { metadata: { finalizers: null } })
    expect(definitions.get('gadgets.x.dev').code).toBe(404)
    expect(gadgets.get('a').code).toBe(404)
    expect(messageOf(gadgets.list())).toBe('the server could not find the requested resource')
  })

  test('that changes is followed', () => {
    const { definitions, gadgets } = defined({ n: { type: 'integer' } })
    gadgets.create(gadget({ n: 1 }))
    const path = '/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/n/minimum'
    definitions.patch('gadgets.x.dev', 'json', [{ op: 'add', path, value: 5 }])
    expect(gadgets.merge('a', { spec: { n: 2 } }).code).toBe(422)
  })

  test('is known to a copy, and not to the original when it comes later', () => {
    const definitions = asking(DEFINITIONS)
    const twin = new Asking(DEFINITIONS, definitions.cluster.copy())
    twin.create(definition({}))
    const there = new Asking(GADGETS, twin.cluster, 'default')
    const here = new Asking(GADGETS, definitions.cluster, 'default')
    expect([there.list().code, here.list().code]).toEqual([200, 404])
  })

  test.each([
    [{ metadata: { name: 'x.y.dev' } }, 'must be spec.names.plural+"."+spec.group'],
    [
      { spec: { scope: 'Foo' } },
      'spec.scope: Unsupported value: "Foo": supported values: "Cluster", "Namespaced"',
    ],
    [{ spec: { versions: [] } }, 'must have exactly one version marked as storage version'],
    [
      { spec: { versions: [{ name: 'v1', served: true, storage: true }] } },
      'spec.versions[0].schema.openAPIV3Schema: Required value',
    ],
  ])('with %o is invalid', (change, message) => {
    const whole = definition({})
    const spec = { ...(whole['spec'] as JsonObject), ...('spec' in change ? change.spec : {}) }
    const metadata = 'metadata' in change ? change.metadata : whole['metadata']
    const answer = asking(DEFINITIONS).create({ ...whole, metadata: metadata ?? {}, spec })
    expect(answer.code).toBe(422)
    expect(messageOf(answer)).toContain(message)
  })

  test.each([
    [
      { a: {} },
      'properties[spec].properties[a].type: Required value: must not be empty for specified object fields',
    ],
    [
      { a: { type: 'array' } },
      'properties[spec].properties[a].items: Required value: must be specified',
    ],
    [{ a: { type: 'foo' } }, 'properties[spec].properties[a].type: Unsupported value: "foo"'],
  ])('with the property %o is not structural', (properties, message) => {
    const answer = asking(DEFINITIONS).create(definition(properties))
    expect(answer.code).toBe(422)
    expect(messageOf(answer)).toContain(message)
  })
})

describe('a custom resource', () => {
  const properties = {
    n: { type: 'integer', minimum: 1, maximum: 10 },
    s: { type: 'string', minLength: 2, maxLength: 4, pattern: '^a' },
    e: { type: 'string', enum: ['a', 'b'] },
    d: { type: 'object', default: {}, properties: { x: { type: 'integer', default: 5 } } },
    o: { type: 'object', required: ['r'], properties: { r: { type: 'string' } } },
    any: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    u: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
  }

  test('loses what its schema does not know, with a warning, and gets what it defaults', () => {
    const { gadgets } = defined(properties)
    const answer = gadgets.create(gadget({ foo: 1, o: { r: 'x', more: 1 }, any: { more: 1 } }))
    expect(answer.body['spec']).toEqual({ d: { x: 5 }, o: { r: 'x' }, any: { more: 1 } })
    expect(answer.warnings).toEqual(['unknown field "spec.foo"', 'unknown field "spec.o.more"'])
  })

  test('loses nulls of fields that may not be null', () => {
    const { gadgets } = defined(properties)
    const answer = gadgets.create(gadget({ n: null, d: null }))
    expect(answer.body['spec']).toEqual({ d: { x: 5 } })
  })

  test.each([
    [{ n: 0 }, 'spec.n: Invalid value: 0: spec.n in body should be greater than or equal to 1'],
    [{ n: 11 }, 'spec.n: Invalid value: 11: spec.n in body should be less than or equal to 10'],
    [
      { n: 'x' },
      'spec.n: Invalid value: "string": spec.n in body must be of type integer: "string"',
    ],
    [{ s: 'a' }, 'spec.s: Invalid value: "a": spec.s in body should be at least 2 chars long'],
    [{ s: 'abcde' }, 'spec.s: Too long: may not be more than 4 bytes'],
    [{ s: 'ba' }, 'spec.s: Invalid value: "ba": spec.s in body should match \'^a\''],
    [{ e: 'c' }, 'spec.e: Unsupported value: "c": supported values: "a", "b"'],
    [{ o: {} }, 'spec.o.r: Required value'],
    [{ u: ['x', 'x'] }, 'spec.u[1]: Duplicate value: "x"'],
    [
      { d: 'x' },
      'spec.d: Invalid value: "string": spec.d in body must be of type object: "string"',
    ],
  ])('with %o is invalid', (spec, message) => {
    const { gadgets } = defined(properties)
    const answer = gadgets.create(gadget(spec))
    expect(answer.code).toBe(422)
    expect(messageOf(answer)).toBe(`Gadget.x.dev "a" is invalid: ${message}`)
  })

  test('keeps what was stored under an older schema as long as nobody touches it', () => {
    const { definitions, gadgets } = defined({ n: { type: 'integer' }, m: { type: 'integer' } })
    gadgets.create(gadget({ n: 1, m: 1 }))
    const path = '/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/n/minimum'
    definitions.patch('gadgets.x.dev', 'json', [{ op: 'add', path, value: 5 }])
    expect(gadgets.merge('a', { spec: { m: 2 } }).code).toBe(200)
  })

  test('has no strategic merge patch', () => {
    const { gadgets } = defined({})
    gadgets.create(gadget({}))
    expect(gadgets.patch('a', 'strategic', {})).toMatchObject({
      code: 415,
      body: {
        reason: 'UnsupportedMediaType',
        message:
          'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml',
      },
    })
  })

  test('is updated only with its version', () => {
    const { gadgets } = defined({})
    gadgets.create(gadget({}))
    expect(gadgets.update('a', gadget({})).code).toBe(422)
  })

  test('without a status subresource has status like any other field', () => {
    const { gadgets } = defined({})
    const answer = gadgets.create({ ...gadget({}), status: { a: 1 } })
    expect(answer.body['status']).toEqual({ a: 1 })
    expect(gadgets.merge('a', { status: { a: 2 } }).body.metadata).toMatchObject({ generation: 2 })
    expect(gadgets.merge('a', {}, { subresource: 'status' }).code).toBe(404)
  })

  test('with a status subresource takes nothing but status there', () => {
    const { gadgets } = defined({ n: { type: 'integer' } }, { subresources: { status: {} } })
    expect(gadgets.create({ ...gadget({ n: 1 }), status: { a: 1 } }).body).not.toHaveProperty(
      'status',
    )
    const body = { metadata: { labels: { a: 'b' } }, spec: { n: 2 }, status: { a: 1 } }
    const answer = gadgets.merge('a', body, { subresource: 'status' })
    expect(answer.body).toMatchObject({ spec: { n: 1 }, status: { a: 1 } })
    expect(answer.body.metadata).not.toHaveProperty('labels')
  })

  test('is scaled where its definition says', () => {
    const scale = { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n' }
    const { gadgets } = defined({ n: { type: 'integer' } }, { subresources: { scale } })
    gadgets.create({ ...gadget({ n: 1 }), status: { n: 3 } })
    expect(gadgets.get('a', { subresource: 'scale' }).body).toMatchObject({
      kind: 'Scale',
      apiVersion: 'autoscaling/v1',
      spec: { replicas: 1 },
      status: { replicas: 3 },
    })
    const scaled = gadgets.merge('a', { spec: { replicas: 4 } }, { subresource: 'scale' })
    expect(scaled.body).toMatchObject({ spec: { replicas: 4 } })
    expect(gadgets.stored('a')).toMatchObject({ spec: { n: 4 }, metadata: { generation: 2 } })
  })

  test('is shown in the version that is asked for', () => {
    const definitions = asking(DEFINITIONS)
    const whole = definition({ n: { type: 'integer' } })
    const spec = whole['spec'] as { readonly versions: readonly JsonObject[] }
    const old = { ...spec.versions[0], name: 'v1alpha1', storage: false }
    definitions.create({ ...whole, spec: { ...spec, versions: [...spec.versions, old] } })
    const gadgets = new Asking(GADGETS, definitions.cluster, 'default')
    const olds = new Asking({ ...GADGETS, version: 'v1alpha1' }, definitions.cluster, 'default')
    gadgets.create(gadget({ n: 1 }))
    expect(olds.get('a').body).toMatchObject({ apiVersion: 'x.dev/v1alpha1', spec: { n: 1 } })
    expect(olds.list().body['items']).toMatchObject([{ apiVersion: 'x.dev/v1alpha1' }])
    const { resourceVersion } = definitions.cluster.api
    expect(olds.merge('a', { spec: { n: 1 } }).code).toBe(200)
    expect(definitions.cluster.api.resourceVersion).toBe(resourceVersion)
    expect(olds.merge('a', { spec: { n: 2 } }).code).toBe(200)
    expect(gadgets.get('a').body).toMatchObject({ apiVersion: 'x.dev/v1', spec: { n: 2 } })
  })

  test('warns of finalizers that may clash', () => {
    const { gadgets } = defined({})
    const finalizers = ['foo', 'a.b', 'x.y/z']
    expect(gadgets.create(gadget({}, { finalizers })).warnings).toEqual([
      'metadata.finalizers: "a.b": prefer a domain-qualified finalizer name including a path (/) to avoid accidental conflicts with other finalizer writers',
      'metadata.finalizers: "foo": prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers',
    ])
  })

  const ruled = {
    n: {
      type: 'integer',
      'x-kubernetes-validations': [{ rule: 'self > 3', message: 'too small' }],
    },
  }

  test('with rules in CEL says that they are not judged where there is no CEL', () => {
    const { gadgets } = defined(ruled)
    expect(gadgets.create(gadget({ n: 1 }))).toMatchObject({
      code: 201,
      warnings: [expect.stringContaining('x-kubernetes-validations are not judged')],
    })
  })

  test('with rules in CEL is judged by the CEL that is handed in', () => {
    const cel = { evaluate: (_rule: string, { self }: JsonObject) => ({ value: Number(self) > 3 }) }
    const { gadgets } = defined(ruled, {}, { cel })
    expect(messageOf(gadgets.create(gadget({ n: 1 })))).toBe(
      'Gadget.x.dev "a" is invalid: spec.n: Invalid value: 1: too small',
    )
    expect(gadgets.create(gadget({ n: 4 }))).toMatchObject({ code: 201, warnings: [] })
  })
})
