import { isList, isObject, type Json, type Path } from '../../core/json.ts'
import { placeOf, type Manifest } from '../../core/manifest.ts'
import { outermost, type Place, type Source, type Span } from '../../core/source.ts'
import type { YamlDocument } from '../../core/yaml/document.ts'

/** Where the text of a rendered object comes from, as well as that can be told. */
export type Origin =
  | { readonly manifest: Manifest }
  /** Only the file is known: a template, the Chart.yaml, the kustomization file. */
  | { readonly place: Place }

/**
 * The text of a rendered document as a source inside the file it was made from: a place in it
 * leads to the same field of the unrendered object, or to the nearest field around it that is
 * written there.
 */
export function tracedSource(document: YamlDocument, origin: Origin): Source {
  const home = outermost('manifest' in origin ? placeOf(origin.manifest, []) : origin.place)
  const start = home.span.start
  let nodes: readonly Node[] | undefined
  const offsetOf = (offset: number): number => {
    if (!('manifest' in origin)) return start
    nodes ??= nodesOf(document)
    const node = nodes.findLast(({ span }) => offset >= span.start && offset < span.end)
    if (node === undefined) return start
    const there = outermost(placeOf(origin.manifest, node.path, node.which))
    return there.source === home.source ? inside(offset, node.span, there.span) : start
  }
  const { bytes } = document.source
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

/** The last byte leads to the last byte, so that the whole is marked however long it became. */
function inside(offset: number, from: Span, to: Span): number {
  const last = Math.max(to.start, to.end - 1)
  return offset === from.end - 1 ? last : Math.min(to.start + offset - from.start, last)
}
