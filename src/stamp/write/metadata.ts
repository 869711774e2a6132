import type { Edit } from '../../core/edits.ts'
import type { Path } from '../../core/json.ts'
import type { Manifest } from '../../core/manifest.ts'
import type { Span } from '../../core/source.ts'
import { lineEnd } from '../../core/yaml/bytes.ts'
import { BASE, FIELDS, FINGERPRINT, ONCE, WAS } from '../annotations.ts'
import { fillFlow, flowEntries, intoFlow } from './flow.ts'
import { columnOf, holdsBreak, linesAfter } from './layout.ts'
import { isBlock, partSpan, scalarEdit, write, type ScalarPlace } from './scalar.ts'
import { treeOf, type MapPlace, type Tree } from './tree.ts'

/** What the metadata of an object shall hold; all else in it stays byte for byte. */
export interface MetadataWish {
  readonly name: string
  readonly annotations: ReadonlyMap<string, string>
  readonly labels: ReadonlyMap<string, string>
}

/** Why the bytes cannot be changed without changing something else. */
export interface Refusal {
  readonly span: Span
  readonly what: string
  readonly why: string
  readonly remedy: string
}

export class RefusedEdit extends Error {
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    super(refusal.what)
    this.refusal = refusal
  }
}

/** The edits that make the metadata of an object what is wished; throws a `RefusedEdit`. */
export function metadataEdits(manifest: Manifest, wish: MetadataWish): readonly Edit[] {
  const writer = new MetadataWriter(manifest)
  writer.setName(wish.name)
  writer.setEntries('annotations', wish.annotations)
  writer.setEntries('labels', wish.labels)
  return writer.edits
}

class MetadataWriter {
  readonly edits: Edit[] = []
  private readonly tree: Tree
  private readonly bytes: Uint8Array
  private readonly path: Path
  private readonly metadata: MapPlace
  /** The name, or `generateName` in its place: what is missing is written behind it. */
  private readonly nameKey: 'name' | 'generateName'
  private readonly manifest: Manifest
  /** Mappings that were made, in the order in which they are to stand. */
  private readonly made: string[] = []

  constructor(manifest: Manifest) {
    const tree = treeOf(manifest.document)
    if (tree === undefined) throw unsafe(manifest.document.span, 'the document has no positions')
    this.manifest = manifest
    this.tree = tree
    this.bytes = tree.bytes
    this.path = [...manifest.root, 'metadata']
    const metadata = tree.at(this.path)
    if (metadata?.kind !== 'map') throw unsafe(manifest.document.span, 'it has no metadata')
    this.metadata = metadata
    this.refuseTwins()
    this.nameKey = tree.at([...this.path, 'name']) === undefined ? 'generateName' : 'name'
  }

  setName(name: string): void {
    const place = this.at([this.nameKey])
    if (place === undefined) throw unsafe(this.metadata.span, 'it has no name')
    if (this.nameKey === 'generateName') {
      const { key } = place
      if (key === undefined) throw unsafe(place.span, 'generateName has no key')
      this.edits.push(this.renamedKey(key))
    } else if (this.textAt([this.nameKey]) === name) {
      return
    }
    this.edits.push(this.scalar(place, this.textAt([this.nameKey]), name))
  }

  setEntries(field: 'annotations' | 'labels', entries: ReadonlyMap<string, string>): void {
    if (entries.size === 0) return
    const map = this.at([field])
    const missing = new Map(entries)
    if (map?.kind === 'map') {
      for (const [key, value] of entries) {
        const place = this.at([field, key])
        if (place === undefined) continue
        missing.delete(key)
        if (this.textAt([field, key]) === value) continue
        this.edits.push(this.scalar(place, undefined, value))
      }
    }
    if (missing.size === 0) return
    if (map === undefined) this.addMap(field, missing)
    else if (map.kind === 'map') this.addTo(map, missing, field)
    else if (this.isNull([field])) this.fillNull(map, missing, field)
    else throw unsafe(map.span, `metadata.${field} is no mapping`, 'write it as key: value pairs')
  }

  /** A place below the metadata that stands nowhere else. */
  private at(path: Path): MapPlace | undefined {
    const whole = [...this.path, ...path]
    const place = this.tree.at(whole)
    if (place === undefined) return undefined
    const shared = this.tree.sharedAt(whole)
    if (shared === undefined) return place
    throw unsafe(
      shared.span,
      `metadata.${path.join('.')} cannot be changed alone: ${shared.what}`,
      'write the metadata of this object out in full, without anchor, alias or merge key',
    )
  }

  private scalar(place: MapPlace, before: string | undefined, text: string): Edit {
    if (place.kind !== 'scalar')
      throw unsafe(place.span, 'a list or mapping stands in place of a text')
    const scalar: ScalarPlace = {
      bytes: this.bytes,
      span: place.span,
      colonEnd: place.colonEnd,
      isFlow: place.isFlow,
      isJson: this.manifest.document.parser === 'json',
    }
    if (before !== undefined && isBlock(this.bytes[place.span.start])) {
      const span = partSpan(scalar, before, { start: 0, end: before.length })
      if (span !== undefined) return { ...span, text }
    }
    return scalarEdit(scalar, text)
  }

  private renamedKey({ start, end }: Span): Edit {
    const first = String.fromCharCode(this.bytes[start] ?? 0)
    const quote = first === '"' || first === "'" ? first : ''
    return { start, end, text: `${quote}name${quote}` }
  }

  /** Entries for a mapping that is there. */
  private addTo(map: MapPlace, entries: ReadonlyMap<string, string>, field: string): void {
    const { bytes } = this
    if (map.isFlow && map.firstKey !== undefined) {
      this.edits.push(intoFlow(bytes, map.firstKey, entries))
      return
    }
    if (map.firstKey === undefined) {
      this.fillEmpty(map, entries, field)
      return
    }
    const { key, firstKey } = map
    if (key === undefined || lineEnd(bytes, key.end) > firstKey.start) {
      throw unsafe(map.span, `the entries of metadata.${field} begin on the line of its key`)
    }
    const indent = ' '.repeat(columnOf(bytes, firstKey.start))
    this.insertLines(key.end, blockLines(entries, indent))
  }

  /** `{}`: in a block it gives way to lines, in braces it is filled. */
  private fillEmpty(map: MapPlace, entries: ReadonlyMap<string, string>, field: string): void {
    const { isFlow } = this.metadata
    if (isFlow || holdsBreak(this.bytes, map.colonEnd, map.span.end)) {
      const style = flowEntries(this.bytes, isFlow ? this.metadata.firstKey : undefined)
      this.edits.push(fillFlow(map.span, entries, style))
      return
    }
    this.fillNull(map, entries, field)
  }

  /** Puts lines below the key, in the place of what stands behind its colon. */
  private fillNull(map: MapPlace, entries: ReadonlyMap<string, string>, field: string): void {
    const { key, colonEnd, span } = map
    if (key === undefined) throw unsafe(span, `metadata.${field} has no key`)
    if (this.metadata.isFlow) {
      const style = flowEntries(this.bytes, this.metadata.firstKey)
      const { start, end } = span.start === span.end ? { start: colonEnd, end: colonEnd } : span
      const blank = start === colonEnd ? ' ' : ''
      this.edits.push({ start, end, text: blank + style.map(entries, style.indent + style.step) })
      return
    }
    if (span.end > colonEnd && span.start < span.end) {
      this.edits.push({ start: colonEnd, end: span.end, text: '' })
    }
    this.insertLines(key.end, blockLines(entries, this.childIndent()))
  }

  /** A mapping of its own behind the name. */
  private addMap(field: string, entries: ReadonlyMap<string, string>): void {
    const { bytes } = this
    const name = this.at([this.nameKey])
    if (name?.key === undefined) throw unsafe(this.metadata.span, 'it has no name')
    const stop = Math.max(name.span.end, name.colonEnd)
    if (this.metadata.isFlow) {
      const style = flowEntries(bytes, this.metadata.firstKey)
      const text = style.entry(field, style.map(entries, style.indent + style.step))
      this.edits.push({ start: stop, end: stop, text: `,${style.gap}${text}` })
      return
    }
    const indent = ' '.repeat(columnOf(bytes, name.key.start))
    // A block scalar's span may end behind its last line break.
    const line = Math.max(name.key.start, stop - 1)
    this.made.push(field)
    this.insertLines(line, [`${indent}${field}:`, ...blockLines(entries, this.childIndent())])
  }

  private insertLines(line: number, lines: readonly string[]): void {
    const { at, text } = linesAfter(this.bytes, line, lines)
    // Mappings that are made one after the other at the same place become one edit.
    const before = this.edits.findIndex((edit) => edit.start === at && edit.end === at)
    const earlier = this.edits[before]
    if (earlier === undefined) this.edits.push({ start: at, end: at, text })
    else this.edits[before] = { ...earlier, text: earlier.text + text }
  }

  /** Of what stands in annotations and labels: as far in as metadata's own keys are. */
  private childIndent(): string {
    const { key, firstKey } = this.metadata
    const here = firstKey === undefined ? 2 : columnOf(this.bytes, firstKey.start)
    const parent = key === undefined ? here - 2 : columnOf(this.bytes, key.start)
    return ' '.repeat(here + Math.max(here - parent, 1))
  }

  private textAt(path: Path): string | undefined {
    let value: unknown = this.manifest.object['metadata']
    for (const step of path) value = (value as Record<string, unknown> | undefined)?.[step]
    return typeof value === 'string' ? value : undefined
  }

  private isNull(path: Path): boolean {
    let value: unknown = this.manifest.object['metadata']
    for (const step of path) value = (value as Record<string, unknown> | undefined)?.[step]
    return value === null
  }

  /** Readers do not agree which of two entries of one name counts. */
  private refuseTwins(): void {
    const { document, root } = this.manifest
    const depth = root.length
    for (const { path, key, again } of document.duplicateKeys) {
      const isAbove = path.length <= depth && path.every((step, index) => step === root[index])
      const below = path.slice(depth)
      const inMetadata = below[0] === 'metadata' && below.length <= 2
      const matters =
        (isAbove && path.length === depth && key === 'metadata') ||
        (isAbove && path.length < depth && key === root[path.length]) ||
        (inMetadata && root.every((step, index) => step === path[index]) && isWritten(below, key))
      if (!matters) continue
      throw unsafe(again, `the key \`${key}\` stands twice`, 'remove one of the two')
    }
  }
}

function isWritten(path: Path, key: string): boolean {
  if (path.length === 1) return METADATA_KEYS.has(key)
  return (path[1] === 'annotations' || path[1] === 'labels') && OWN_KEYS.has(key)
}

const OWN_KEYS: ReadonlySet<string> = new Set([BASE, FIELDS, FINGERPRINT, ONCE, WAS])
const METADATA_KEYS: ReadonlySet<string> = new Set([
  'annotations',
  'generateName',
  'labels',
  'name',
])

function blockLines(entries: ReadonlyMap<string, string>, indent: string): readonly string[] {
  return [...entries].map(([key, value]) => `${indent}${key}: ${write(value, false)}`)
}

function unsafe(
  span: Span,
  what: string,
  remedy = 'write its metadata as plain YAML',
): RefusedEdit {
  return new RefusedEdit({
    span,
    what,
    why: 'a change here would change something else too, or be read in two ways',
    remedy,
  })
}
