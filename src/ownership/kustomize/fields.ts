import {
  at,
  isList,
  isObject,
  listAt,
  objectAt,
  stringAt,
  type Json,
  type JsonObject,
  type Path,
} from '../../core/json.ts'
import { below } from '../place.ts'
import { originOf, type Origin, type Traced } from '../traced.ts'
import { selectorFrom, type Selector } from './selector.ts'

/** A value with the place where it was written. */
export interface Sourced<Value> {
  readonly value: Value
  readonly origin: Origin
}

/** A patch as it is referred to: text in place, or a file below `folder`. */
export interface PatchEntry {
  readonly text?: Sourced<string>
  /** Of a patch that is written as YAML, not as text. */
  readonly object?: Sourced<Json>
  readonly file?: Sourced<string>
  readonly folder: string
  readonly origin: Origin
  readonly target?: Selector
  readonly allowNameChange: boolean
  readonly allowKindChange: boolean
}

export interface ImageEntry {
  readonly name: string
  readonly newName?: string
  readonly newTag?: string
  readonly digest?: string
  readonly tagSuffix?: string
  readonly origin: Origin
}

export interface LabelEntry {
  readonly pairs: Sourced<JsonObject>
  readonly selectors: boolean
  readonly templates: boolean
}

export interface GeneratedEntry {
  readonly kind: 'ConfigMap' | 'Secret'
  readonly name: string
  readonly annotations: JsonObject
  readonly origin: Origin
}

/** Reads fields of one mapping and keeps count of those that hold the wrong type. */
export interface FieldReader {
  readonly mistyped: readonly Sourced<string>[]
  list(field: string): readonly Sourced<Json>[]
  strings(field: string): readonly Sourced<string>[]
  /** The names of a list of mappings. */
  named(field: string, key?: string): readonly Sourced<string>[]
  text(field: string): Sourced<string> | undefined
  object(field: string): readonly Sourced<JsonObject>[]
  patches(field: string): readonly PatchEntry[]
  strategicPatches(field: string): readonly PatchEntry[]
  images(field: string): readonly ImageEntry[]
  labels(): readonly LabelEntry[]
  generated(field: string, kind: GeneratedEntry['kind']): readonly GeneratedEntry[]
}

/** A reader of one mapping; files of patches are below `folder`. */
export function readerOf(whole: Traced, folder: string): FieldReader {
  const { value } = whole
  const mistyped: Sourced<string>[] = []
  const originAt = (...path: Path): Origin => originOf(whole, path)
  const wrong = (field: string, ...rest: Path): undefined => {
    mistyped.push({ value: field, origin: originAt(field, ...rest) })
    return undefined
  }
  const list = (field: string): readonly Sourced<Json>[] => {
    const found = at(value, [field])
    if (found === undefined || found === null) return []
    if (!isList(found)) wrong(field)
    return listAt(value, [field]).map((item, index) => ({
      value: item,
      origin: originAt(field, index),
    }))
  }
  const objects = (field: string): readonly Sourced<JsonObject>[] =>
    list(field).flatMap(({ value: item, origin }, index) => {
      if (isObject(item)) return [{ value: item, origin }]
      wrong(field, index)
      return []
    })
  const strings = (field: string): readonly Sourced<string>[] =>
    list(field).flatMap(({ value: item, origin }, index) => {
      if (typeof item === 'string') return [{ value: item, origin }]
      wrong(field, index)
      return []
    })
  const object = (field: string): readonly Sourced<JsonObject>[] => {
    const found = at(value, [field])
    if (found === undefined || found === null) return []
    if (isObject(found)) return [{ value: found, origin: originAt(field) }]
    wrong(field)
    return []
  }
  return {
    mistyped,
    list,
    strings,
    object,
    named: (field, key = 'name') =>
      objects(field).map(({ value: item, origin }) => ({
        value: stringAt(item, [key]) ?? 'without a name',
        origin,
      })),
    text: (field) => {
      const found = at(value, [field])
      if (found === undefined || found === null || found === '') return undefined
      return typeof found === 'string' ? { value: found, origin: originAt(field) } : wrong(field)
    },
    patches: (field) => objects(field).map((item) => patchEntry(item, folder)),
    strategicPatches: (field) =>
      list(field).map(({ value: item, origin }) => strategicEntry(item, origin, folder)),
    images: (field) => objects(field).flatMap(imageEntry),
    labels: () => [
      ...objects('labels').flatMap(labelEntry),
      ...object('commonLabels').map((pairs) => ({ pairs, selectors: true, templates: true })),
    ],
    generated: (field, kind) => {
      const options = objectAt(value, ['generatorOptions']) ?? {}
      return objects(field).flatMap((item) => generatedEntry(item, kind, options))
    },
  }
}

function patchEntry({ value, origin }: Sourced<JsonObject>, folder: string): PatchEntry {
  const { patch, path, target, options } = value
  return {
    folder,
    origin,
    ...(typeof patch === 'string'
      ? { text: { value: patch, origin: below(origin, 'patch') } }
      : {}),
    ...(isObject(patch) || isList(patch)
      ? { object: { value: patch, origin: below(origin, 'patch') } }
      : {}),
    ...(typeof path === 'string' && path !== ''
      ? { file: { value: path, origin: below(origin, 'path') } }
      : {}),
    ...(isObject(target) ? { target: selectorFrom(target) } : {}),
    allowNameChange: at(options, ['allowNameChange']) === true,
    allowKindChange: at(options, ['allowKindChange']) === true,
  }
}

/** An item of patchesStrategicMerge is a file, or the patch itself as text or as YAML. */
function strategicEntry(value: Json, origin: Origin, folder: string): PatchEntry {
  const base = { folder, origin, allowNameChange: false, allowKindChange: false }
  if (typeof value !== 'string') return { ...base, object: { value, origin } }
  const isText = value.includes('\n') || value.includes(': ')
  return isText ? { ...base, text: { value, origin } } : { ...base, file: { value, origin } }
}

function imageEntry({ value, origin }: Sourced<JsonObject>): readonly ImageEntry[] {
  const name = stringAt(value, ['name'])
  if (name === undefined) return []
  const entry: { -readonly [K in keyof ImageEntry]: ImageEntry[K] } = { name, origin }
  for (const field of ['newName', 'newTag', 'digest', 'tagSuffix'] as const) {
    const text = value[field]
    if (typeof text === 'string' && text !== '') entry[field] = text
    else if (typeof text === 'number') entry[field] = String(text)
  }
  return [entry]
}

function labelEntry({ value, origin }: Sourced<JsonObject>): readonly LabelEntry[] {
  const { pairs, includeSelectors, includeTemplates } = value
  if (!isObject(pairs)) return []
  return [
    {
      pairs: { value: pairs, origin: below(origin, 'pairs') },
      selectors: includeSelectors === true,
      templates: includeTemplates === true || includeSelectors === true,
    },
  ]
}

function generatedEntry(
  { value, origin }: Sourced<JsonObject>,
  kind: GeneratedEntry['kind'],
  globalOptions: JsonObject,
): readonly GeneratedEntry[] {
  const name = stringAt(value, ['name'])
  const hashless = globalOptions['disableNameSuffixHash'] === true
  const option = at(value, ['options', 'disableNameSuffixHash'])
  const off = typeof option === 'boolean' ? option || hashless : hashless
  if (name === undefined || off) return []
  const annotations = {
    ...objectAt(globalOptions, ['annotations']),
    ...objectAt(value, ['options', 'annotations']),
  }
  return [{ kind, name, annotations, origin }]
}
