import { at, type Path } from '../core/json.ts'
import type { Source } from '../core/source.ts'
import type { YamlDocument } from '../core/yaml/document.ts'

/** STAND-IN until core/yaml/embedded.ts lands. */
export function embeddedSource(document: YamlDocument, path: Path): Source | undefined {
  const text = at(document.value(), path)
  const location = document.locate(path)
  if (typeof text !== 'string' || location === undefined) return undefined
  const { start } = location.value
  return {
    path: document.source.path,
    bytes: new TextEncoder().encode(text),
    outer: { source: document.source, offsetOf: (offset) => start + offset },
  }
}
