import { isList, isObject, type Json, type JsonObject, type Path } from '../../core/json.ts'
import type { Place } from '../../core/source.ts'
import type { YamlDocument } from '../../core/yaml/document.ts'
import { applySet, type SetExpression } from './set.ts'

/** Where a value comes from: a place in a file, or words of the command line. */
export type Origin =
  | { readonly kind: 'place'; readonly place: Place }
  | { readonly kind: 'words'; readonly words: string }
  /** Nothing was given at all. */
  | { readonly kind: 'nowhere' }

type Layer =
  | { readonly kind: 'document'; readonly document: YamlDocument; readonly value: Json }
  | { readonly kind: 'set'; readonly words: string; readonly paths: readonly Path[] }

/**
 * Values from several files and `--set` expressions by Helm's rules: mappings merge, everything
 * else replaces, a later source wins; null stays, because it takes away what would be inherited.
 * Every value knows where it comes from.
 */
export class Values {
  readonly value: JsonObject
  private readonly layers: readonly Layer[]

  private constructor(value: JsonObject, layers: readonly Layer[]) {
    this.value = value
    this.layers = layers
  }

  static none(): Values {
    return new Values({}, [])
  }

  /** A document that is no mapping counts as empty; whoever reads files has refused it. */
  withDocument(document: YamlDocument): Values {
    const value = document.value()
    const layer = { kind: 'document', document, value } as const
    return new Values(isObject(value) ? mergeValues(this.value, value) : this.value, [
      ...this.layers,
      layer,
    ])
  }

  /** Throws SetFault when Helm would refuse it. */
  withSet(expression: SetExpression, readText: (file: string) => string): Values {
    const { values, paths } = applySet(this.value, expression, readText)
    const words = `--${expression.flag} ${expression.text}`
    return new Values(values, [...this.layers, { kind: 'set', words, paths }])
  }

  /** Of the value at the path or its key; where there is none, of what is around it. */
  originOf(path: Path, on: 'key' | 'value'): Origin {
    for (let length = path.length; length > 0; length -= 1) {
      const part = path.slice(0, length)
      const found = this.layers.findLast((layer) => says(layer, part))
      if (found?.kind === 'set') return { kind: 'words', words: found.words }
      if (found !== undefined)
        return placeIn(found.document, part, length < path.length ? 'key' : on)
    }
    const first = this.layers[0]
    if (first === undefined) return { kind: 'nowhere' }
    if (first.kind === 'set') return { kind: 'words', words: first.words }
    return { kind: 'place', place: { source: first.document.source, span: { start: 0, end: 0 } } }
  }
}

/** As Helm merges values files. */
export function mergeValues(below: JsonObject, above: JsonObject): JsonObject {
  const merged = new Map(Object.entries(below))
  for (const [key, value] of Object.entries(above)) {
    const before = merged.get(key)
    merged.set(key, isObject(before) && isObject(value) ? mergeValues(before, value) : value)
  }
  return Object.fromEntries(merged)
}

function says(layer: Layer, path: Path): boolean {
  if (layer.kind === 'document') return holds(layer.value, path)
  return layer.paths.some(
    (set) => path.length >= set.length && set.every((step, at) => step === path[at]),
  )
}

function holds(value: Json, path: Path): boolean {
  let here: Json | undefined = value
  for (const step of path) {
    if (typeof step === 'number') here = isList(here) ? here[step] : undefined
    else here = isObject(here) && Object.hasOwn(here, step) ? here[step] : undefined
    if (here === undefined) return false
  }
  return true
}

/** A collection is shown by its key: all of it would be too much. */
function placeIn(document: YamlDocument, path: Path, on: 'key' | 'value'): Origin {
  const { source } = document
  const found = document.locate(path)
  if (found === undefined) return { kind: 'place', place: { source, span: document.span } }
  const { key, value } = found
  if (on === 'key' && key !== undefined) return { kind: 'place', place: { source, span: key } }
  return { kind: 'place', place: { source, span: value } }
}
