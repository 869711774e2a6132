import type { Edit } from '../core/edits.ts'
import type { Span } from '../core/source.ts'
import type { Reference } from './references/collect.ts'
import { withParts, type Replacement } from './values.ts'
import { partEdit, partSpan, scalarEdit, type ScalarPlace } from './write/scalar.ts'
import { treeOf } from './write/tree.ts'

/** Where the name of a reference stands; the whole value where escapes or folding hide it. */
export function referenceSpan({ document, mention }: Reference): Span {
  const found = document.locate(mention.path)
  if (found === undefined) return document.span
  const span = found.value
  return partSpan({ bytes: document.source.bytes, span }, mention.text, mention) ?? span
}

/** Why the text of a reference cannot be changed without changing another place. */
export function whyNotWritable({ document, mention }: Reference): string | undefined {
  const tree = treeOf(document)
  const place = tree?.at(mention.path)
  if (tree === undefined || place?.kind !== 'scalar') return 'its place in the file is not known'
  return tree.sharedAt(mention.path)?.what
}

/** The edits of one text, all of whose references are given with their new names. */
export function referenceEdits(
  reference: Reference,
  replacements: readonly Replacement[],
): readonly Edit[] {
  const { document, mention } = reference
  const place = treeOf(document)?.at(mention.path)
  if (place === undefined) return []
  const scalar: ScalarPlace = {
    bytes: document.source.bytes,
    span: place.span,
    colonEnd: place.colonEnd,
    isFlow: place.isFlow,
    isJson: document.parser === 'json',
  }
  const text = withParts(mention.text, replacements)
  const [only, ...more] = replacements
  if (only === undefined) return []
  if (more.length === 0) return [partEdit(scalar, mention.text, only) ?? scalarEdit(scalar, text)]
  const edits = replacements.map((part) => partEdit(scalar, mention.text, part))
  const areParts = edits.every((edit) => edit !== undefined) && !overlap(edits)
  return areParts ? edits : [scalarEdit(scalar, text)]
}

function overlap(edits: readonly Edit[]): boolean {
  const sorted = [...edits].sort((one, other) => one.start - other.start)
  return sorted.some((edit, index) => index > 0 && edit.start < (sorted[index - 1]?.end ?? 0))
}
