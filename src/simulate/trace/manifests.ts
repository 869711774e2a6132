import { isObject, listAt, stringAt, type JsonObject } from '../../core/json.ts'
import { readFile } from '../../core/yaml/read-file.ts'
import type { FullParser } from '../../core/yaml/document.ts'

/** The objects in a text of YAML or JSON, lists unpacked; throws nothing, leaves out what is none. */
export function objectsOf(path: string, text: string, fullParser?: FullParser): JsonObject[] {
  const source = { path, bytes: new TextEncoder().encode(text) }
  const reading = readFile(source, { wanted: { all: true, needles: [] }, fullParser })
  return reading.documents.flatMap((document) => {
    const value = document.value()
    if (!isObject(value)) return []
    const kind = stringAt(value, ['kind'])
    if (kind?.endsWith('List') === true) return listAt(value, ['items']).filter(isObject)
    return [value]
  })
}

/** All objects of one event, its files in the order of their paths. */
export function objectsOfFiles(
  files: { readonly [path: string]: string } | undefined,
  fullParser?: FullParser,
): readonly JsonObject[] {
  return Object.keys(files ?? {})
    .sort()
    .flatMap((path) => objectsOf(path, files?.[path] ?? '', fullParser))
}
