import {
  at,
  isObject,
  listAt,
  objectAt,
  stringAt,
  type Json,
  type JsonObject,
} from '../../core/json.ts'
import { sha256Hex } from '../../core/hash.ts'
import { base64Of } from '../../cluster/kinds/base64.ts'
import type { Layer } from '../../ownership/kustomize/layer.ts'
import { byCode, resolvePath } from '../../ownership/tree.ts'

/** An object that kustomize generates, and the name by which others refer to it. */
export interface Generated {
  readonly kind: 'ConfigMap' | 'Secret'
  /** As written, before prefixes and the hash. */
  readonly written: string
  readonly object: JsonObject
}

export interface GeneratorInput {
  /** Every kustomization file of the build; the outermost one first. */
  readonly layers: readonly Layer[]
  /** What the owner lays over the outermost one: it reaches everything. */
  readonly namespace: string | undefined
  readonly textOf: (path: string) => string | undefined
}

interface Draft {
  readonly kind: Generated['kind']
  readonly name: string
  readonly data: { readonly [key: string]: string }
  readonly type: string | undefined
  readonly labels: JsonObject | undefined
  readonly annotations: JsonObject | undefined
  readonly isHashed: boolean
}

/** ConfigMaps and Secrets of configMapGenerator and secretGenerator, with the hash in their names. */
export function generated(input: GeneratorInput): readonly Generated[] {
  const drafts = new Map<string, Draft>()
  for (const layer of input.layers.toReversed()) {
    const value = layer.document?.value()
    const options = objectAt(value, ['generatorOptions'])
    for (const kind of ['ConfigMap', 'Secret'] as const) {
      const field = kind === 'ConfigMap' ? 'configMapGenerator' : 'secretGenerator'
      for (const item of listAt(value, [field]).filter(isObject)) {
        const draft = draftOf(kind, item, options, layer.folder, input)
        const key = `${kind}/${draft.name}`
        const base = drafts.get(key)
        drafts.set(
          key,
          base === undefined ? draft : over(base, draft, stringAt(item, ['behavior'])),
        )
      }
    }
  }
  const prefix = input.layers.map(({ namePrefix }) => namePrefix?.value ?? '').join('')
  const suffix = input.layers
    .map(({ nameSuffix }) => nameSuffix?.value ?? '')
    .toReversed()
    .join('')
  const own = input.layers.find(({ namespace }) => namespace !== undefined)?.namespace?.value
  const namespace = input.namespace ?? own
  return [...drafts.values()].map((draft) => ({
    kind: draft.kind,
    written: draft.name,
    object: objectOf(draft, `${prefix}${draft.name}${suffix}`, namespace),
  }))
}

/** The object with the final names in place of the written ones, wherever a pod refers to them. */
export function withReferences(object: JsonObject, all: readonly Generated[]): JsonObject {
  if (all.length === 0) return object
  const names = new Map(
    all.map(({ kind, written, object: made }) => [
      `${kind}/${written}`,
      stringAt(made, ['metadata', 'name']) ?? written,
    ]),
  )
  return renamed(object, names) as JsonObject
}

function draftOf(
  kind: Generated['kind'],
  item: JsonObject,
  common: JsonObject | undefined,
  folder: string,
  { textOf }: GeneratorInput,
): Draft {
  const options = objectAt(item, ['options'])
  const part = (name: 'labels' | 'annotations'): JsonObject | undefined => {
    const all = { ...objectAt(common, [name]), ...objectAt(options, [name]) }
    return Object.keys(all).length === 0 ? undefined : all
  }
  const off = at(options, ['disableNameSuffixHash']) ?? at(common, ['disableNameSuffixHash'])
  return {
    kind,
    name: stringAt(item, ['name']) ?? '',
    data: dataOf(item, folder, textOf),
    type: stringAt(item, ['type']),
    labels: part('labels'),
    annotations: part('annotations'),
    isHashed: off !== true,
  }
}

function dataOf(item: JsonObject, folder: string, textOf: GeneratorInput['textOf']): Draft['data'] {
  const data: { [key: string]: string } = {}
  const read = (path: string): string => textOf(resolvePath(folder, path) ?? path) ?? ''
  for (const literal of textsAt(item, 'literals')) {
    const [, key, value = ''] = /^([^=]+)=([\s\S]*)$/.exec(literal) ?? []
    if (key !== undefined) data[key] = value.replace(/^(["'])([\s\S]*)\1$/, '$2')
  }
  for (const text of textsAt(item, 'files')) {
    const [key, path] = text.includes('=')
      ? (text.split('=', 2) as [string, string])
      : [undefined, text]
    data[key ?? path.split('/').at(-1) ?? path] = read(path)
  }
  const env = stringAt(item, ['env'])
  const envs = [...textsAt(item, 'envs'), ...(env === undefined ? [] : [env])]
  for (const file of envs) {
    for (const line of read(file).split(/\r?\n/)) {
      const [, key, value = ''] = /^\s*([^#=\s][^=]*)=(.*)$/.exec(line) ?? []
      if (key !== undefined) data[key] = value
    }
  }
  return data
}

function textsAt(item: JsonObject, field: string): readonly string[] {
  return listAt(item, [field]).filter((one) => typeof one === 'string')
}

function over(base: Draft, draft: Draft, behavior: string | undefined): Draft {
  return behavior === 'merge' ? { ...draft, data: { ...base.data, ...draft.data } } : draft
}

function objectOf(draft: Draft, name: string, namespace: string | undefined): JsonObject {
  const { kind, labels, annotations } = draft
  const sorted = Object.keys(draft.data).sort(byCode)
  const encode = kind === 'Secret' ? base64Of : (text: string): string => text
  const data = Object.fromEntries(sorted.map((key) => [key, encode(draft.data[key] ?? '')]))
  const type = kind === 'Secret' ? { type: draft.type ?? 'Opaque' } : {}
  const full = draft.isHashed ? `${name}-${hashOf({ data, kind, name, ...type })}` : name
  const metadata = {
    name: full,
    ...(namespace === undefined ? {} : { namespace }),
    ...(labels === undefined ? {} : { labels }),
    ...(annotations === undefined ? {} : { annotations }),
  }
  return { apiVersion: 'v1', kind, metadata, data, ...type }
}

/** Ten digits that make no words: kustomize's spelling of sha256 over the object as Go writes it. */
function hashOf(content: JsonObject): string {
  const hex = sha256Hex(goJson(content)).slice(0, 10)
  return hex.replaceAll(/[013ae]/g, (digit) => SPELLED[digit] ?? digit)
}

const SPELLED: { readonly [digit: string]: string } = { 0: 'g', 1: 'h', 3: 'k', a: 'm', e: 't' }

function goJson(content: JsonObject): string {
  return JSON.stringify(content).replaceAll(
    /[<>&\u2028\u2029]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Fields of pod templates that name a ConfigMap or a Secret. */
const BY_FIELD: { readonly [field: string]: readonly [kind: string, name: string] } = {
  configMap: ['ConfigMap', 'name'],
  configMapRef: ['ConfigMap', 'name'],
  configMapKeyRef: ['ConfigMap', 'name'],
  secretRef: ['Secret', 'name'],
  secretKeyRef: ['Secret', 'name'],
}

function renamed(value: Json, names: ReadonlyMap<string, string>): Json {
  if (Array.isArray(value)) return value.map((item: Json) => renamed(item, names))
  if (!isObject(value)) return value
  const result: { [key: string]: Json | undefined } = {}
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined) continue
    const [kind, field] = BY_FIELD[key] ?? (key === 'secret' ? secretField(item) : [])
    const inner = renamed(item, names)
    result[key] = kind === undefined ? inner : withName(inner, kind, field ?? 'name', names)
  }
  return result
}

/** A volume calls it secretName, a projected source name. */
function secretField(item: Json): readonly [kind: string, name: string] {
  return ['Secret', isObject(item) && 'secretName' in item ? 'secretName' : 'name']
}

function withName(
  value: Json,
  kind: string,
  field: string,
  names: ReadonlyMap<string, string>,
): Json {
  const name = names.get(`${kind}/${stringAt(value, [field]) ?? ''}`)
  return isObject(value) && name !== undefined ? { ...value, [field]: name } : value
}
