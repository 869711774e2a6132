import type { Edit } from '../core/edits.ts'
import { textOf, type Source } from '../core/source.ts'
import type { YamlDocument } from '../core/yaml/document.ts'
import { removedPath, type FieldEdit } from './fix-edits.ts'
import { removeField, removeHidden, unsuppress } from './fix-remove.ts'
import { setField } from './fix-write.ts'

/** The bytes of one edit; undefined where the layout does not allow it. */
export function spliceOf(
  edit: FieldEdit,
  source: Source,
  document: YamlDocument | undefined,
): Edit | undefined {
  const splice = chosen(edit, source, document)
  if (splice === undefined) return undefined
  const lost = textOf(source, splice)
  // An action of a template would go with the field.
  return edit.op !== 'set' && /\{\{|\}\}|<<|>>/.test(lost) ? undefined : splice
}

function chosen(
  edit: FieldEdit,
  source: Source,
  document: YamlDocument | undefined,
): Edit | undefined {
  if (edit.op === 'unsuppress') return unsuppress(source, edit.comment.span, edit.rule)
  if (document === undefined) return undefined
  if (edit.op === 'set') return setField(document, edit.path, edit.value)
  if (edit.op === 'remove-hidden') return removeHidden(document, edit.path, edit.key)
  return removeField(document, removedPath(document.value(), edit.path))
}
