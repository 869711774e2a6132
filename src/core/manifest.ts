import { isList, isObject, stringAt, type Json, type JsonObject, type Path } from './json.ts'
import type { Place } from './source.ts'
import type { FileReading, YamlDocument } from './yaml/document.ts'

/** One Kubernetes object of a document: the whole document, or an item of a `List`. */
export interface Manifest {
  readonly file: FileReading
  readonly document: YamlDocument
  /** Of the object in its document: `[]`, or `['items', 3]`. */
  readonly root: Path
  readonly object: JsonObject
  readonly apiVersion: string
  readonly kind: string
  readonly name: string | undefined
  readonly namespace: string | undefined
}

/** Kubernetes objects of a file; `List` kinds are unpacked as kubectl does. */
export function manifestsOf(file: FileReading): readonly Manifest[] {
  return file.documents.flatMap((document) => unpack(file, document, [], document.value()))
}

/** Where a field of the manifest stands: its value, or with `which: 'key'` its key. */
export function placeOf(
  manifest: Pick<Manifest, 'document' | 'root'>,
  path: Path,
  which: 'key' | 'value' = 'value',
): Place {
  const { document, root } = manifest
  const { source } = document
  for (let length = path.length; length >= 0; length -= 1) {
    const found = document.locate([...root, ...path.slice(0, length)])
    if (found === undefined) continue
    const wanted =
      which === 'key' || length < path.length ? (found.key ?? found.value) : found.value
    return { source, span: wanted }
  }
  return { source, span: document.span }
}

function unpack(
  file: FileReading,
  document: YamlDocument,
  root: Path,
  value: Json,
): readonly Manifest[] {
  if (!isObject(value)) return []
  const kind = stringAt(value, ['kind'])
  const apiVersion = stringAt(value, ['apiVersion'])
  if (kind === undefined || apiVersion === undefined) return []
  if (kind.endsWith('List') && isList(value['items'])) {
    return value['items'].flatMap((item, index) =>
      unpack(file, document, [...root, 'items', index], item),
    )
  }
  return [
    {
      file,
      document,
      root,
      object: value,
      apiVersion,
      kind,
      name: stringAt(value, ['metadata', 'name']),
      namespace: stringAt(value, ['metadata', 'namespace']),
    },
  ]
}
