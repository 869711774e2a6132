import { isList, isObject, listAt, stringAt, type JsonObject } from '../../core/json.ts'
import { readFile } from '../../core/yaml/read-file.ts'
import type { FullParser } from '../../core/yaml/document.ts'
import type { TraceEvent, TraceFiles } from './format.ts'

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
  files: TraceFiles | undefined,
  fullParser?: FullParser,
): readonly JsonObject[] {
  if (typeof files === 'string') return objectsOf('', files, fullParser)
  return Object.keys(files ?? {})
    .sort()
    .flatMap((path) => objectsOf(path, files?.[path] ?? '', fullParser))
}

/** The keys of `files` that an event names: one, several or none. */
export function filesOfEvent({ files }: TraceEvent): readonly string[] {
  if (typeof files === 'string') return [files]
  return isList(files) ? files.filter((name) => typeof name === 'string') : []
}
