import { isList, isObject, type Json, type Path } from '../../core/json.ts'
import { placeOf, type Manifest } from '../../core/manifest.ts'
import { outermost, type Place, type Source, type Span } from '../../core/source.ts'
import type { YamlDocument } from '../../core/yaml/document.ts'

/** Where the text of a rendered object comes from, as well as that can be told. */
export type Origin =
  | { readonly manifest: Manifest }
  /** Only the file is known: the chart's Chart.yaml, the kustomization file. */
  | { readonly place: Place }

/**
 * A rendered text as a source inside the file it was made from: a place in it leads to the same
 * field of the unrendered object, or to the nearest field around that which is written there.
 * `documentOf` gives the rendered text as it has been read, once it has been.
 */
export function tracedSource(
  bytes: Uint8Array,
  origin: Origin,
  documentOf: () => YamlDocument | undefined,
): Source {
  const home = outermost('manifest' in origin ? placeOf(origin.manifest, []) : origin.place)
  let nodes: readonly Node[] | undefined
  const offsetOf = (offset: number): number => {
    const document = documentOf()
    if (document === undefined) return home.span.start
    nodes ??= nodesOf(document)
    return originalOffset(offset, nodes, origin, home)
  }
  return { path: home.source.path, bytes, outer: { source: home.source, offsetOf } }
}

interface Node {
  readonly path: Path
  readonly which: 'key' | 'value'
  readonly span: Span
}

/** Keys and values of a document, inner ones after those around them. */
function nodesOf(document: YamlDocument): readonly Node[] {
  const nodes: Node[] = []
  const visit = (value: Json | undefined, path: Path): void => {
    const found = document.locate(path)
    if (found === undefined) return
    nodes.push({ path, which: 'value', span: found.value })
    if (found.key !== undefined) nodes.push({ path, which: 'key', span: found.key })
    if (isList(value)) for (const [at, item] of value.entries()) visit(item, [...path, at])
    else if (isObject(value)) {
      for (const [key, item] of Object.entries(value)) visit(item, [...path, key])
    }
  }
  visit(document.value(), [])
  return nodes
}

function originalOffset(
  offset: number,
  nodes: readonly Node[],
  origin: Origin,
  home: Place,
): number {
  if (!('manifest' in origin)) return home.span.start
  const node = nodes.findLast(({ span }) => offset >= span.start && offset < span.end)
  if (node === undefined) return home.span.start
  const there = outermost(placeOf(origin.manifest, node.path, node.which))
  if (there.source !== home.source) return home.span.start
  const length = Math.max(1, there.span.end - there.span.start)
  // The last byte leads to the last byte, so that the whole is marked however long it became.
  if (offset === node.span.end - 1) return there.span.start + length - 1
  return there.span.start + Math.min(offset - node.span.start, length - 1)
}
