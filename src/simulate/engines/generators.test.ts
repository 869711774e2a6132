import { describe, expect, it } from 'vitest'
import { isObject, objectAt, stringAt, type JsonObject } from '../../core/json.ts'
import { readFile } from '../../core/yaml/read-file.ts'
import { readLayer } from '../../ownership/kustomize/layer.ts'
import { generated, withReferences, type Generated } from './generators.ts'

function made(text: string, files: { readonly [path: string]: string } = {}): readonly Generated[] {
  const source = { path: 'kustomization.yaml', bytes: new TextEncoder().encode(text) }
  const [document] = readFile(source, {
    wanted: { all: true, needles: [] },
    fullParser: undefined,
  }).documents
  if (document === undefined || !isObject(document.value())) throw new Error('no kustomization')
  const layers = [readLayer(document, '')]
  return generated({ layers, namespace: undefined, textOf: (path) => files[path] })
}

function nameOf(one: Generated | undefined): string | undefined {
  return stringAt(one?.object, ['metadata', 'name'])
}

describe('generated names are those of the Kubernetes documentation', () => {
  it.each([
    [
      'a file',
      'configMapGenerator: [{name: example-configmap-1, files: [application.properties]}]',
      { 'application.properties': 'FOO=Bar\n' },
      'example-configmap-1-8mbdf7882g',
    ],
    [
      'a literal',
      'configMapGenerator: [{name: example-configmap-2, literals: [FOO=Bar]}]',
      {},
      'example-configmap-2-g2hdhfc6tk',
    ],
    [
      'a Secret',
      'secretGenerator: [{name: example-secret-1, files: [password.txt]}]',
      { 'password.txt': 'username=admin\npassword=secret\n' },
      'example-secret-1-t2kt65hgtb',
    ],
  ])('%s', (_, text, files, name) => {
    expect(nameOf(made(text, files)[0])).toBe(name)
  })

  it('an env file gives what the same literals give', () => {
    const env = made('configMapGenerator: [{name: a, envs: [.env]}]', { '.env': '# x\nFOO=Bar\n' })
    const literal = made('configMapGenerator: [{name: a, literals: [FOO=Bar]}]')
    expect(env).toEqual(literal)
  })

  it('has none where the suffix is turned off', () => {
    const text =
      'generatorOptions: {disableNameSuffixHash: true}\n' +
      'configMapGenerator: [{name: plain, literals: [a=b]}]'
    expect(nameOf(made(text)[0])).toBe('plain')
  })
})

describe('references in pod templates', () => {
  const all = made(
    'configMapGenerator: [{name: cfg, literals: [a=b]}]\n' +
      'secretGenerator: [{name: key, literals: [a=b]}]',
  )
  const [cfg, key] = all.map(nameOf)

  it.each<readonly [string, JsonObject, JsonObject]>([
    ['envFrom', { configMapRef: { name: 'cfg' } }, { configMapRef: { name: cfg } }],
    ['an env value', { secretKeyRef: { name: 'key' } }, { secretKeyRef: { name: key } }],
    ['a volume', { secret: { secretName: 'key' } }, { secret: { secretName: key } }],
    ['a projected source', { secret: { name: 'key' } }, { secret: { name: key } }],
    ['a name of another', { configMap: { name: 'other' } }, { configMap: { name: 'other' } }],
  ])('%s', (_, before, after) => {
    const object = withReferences({ spec: { list: [before] } }, all)
    expect(objectAt(object, ['spec'])).toEqual({ list: [after] })
  })
})
