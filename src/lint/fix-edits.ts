import { at, isList, isObject, type Json, type JsonObject, type Path } from '../core/json.ts'
import type { Place, Span } from '../core/source.ts'

/** One change of an object, or of a comment beside it. */
export type FieldEdit =
  /** Takes a field away, and the annotations or labels with their last entry. */
  | { readonly op: 'remove'; readonly path: Path }
  /** Writes a scalar; where the field, or the mapping around it, is missing, adds it. */
  | { readonly op: 'set'; readonly path: Path; readonly value: Scalar }
  /** Takes an entry away that another one of the same key hides, so that no value changes. */
  | { readonly op: 'remove-hidden'; readonly path: Path; readonly key: Span }
  /** Takes one rule out of a `# semel-...` comment, and the comment with its last rule. */
  | { readonly op: 'unsuppress'; readonly comment: Place; readonly rule: string }

export type Scalar = string | number | bigint | boolean

/** A value with one edit made; the same value where it changes none. */
export function withEdit(value: Json, edit: FieldEdit): Json {
  if (edit.op === 'set') return changed(value, edit.path, edit.value)
  if (edit.op === 'remove') return changed(value, removedPath(value, edit.path), undefined)
  return value
}

/** What is really taken away: the mapping around it with the last annotation or label. */
export function removedPath(value: Json, path: Path): Path {
  const parent = path.slice(0, -1)
  const around = at(value, parent)
  const isLast = isObject(around) && Object.keys(around).length === 1
  return isLast && EMPTY_SAYS_NOTHING.has(parent.at(-1)) ? parent : path
}

const EMPTY_SAYS_NOTHING: ReadonlySet<string | number | undefined> = new Set([
  'annotations',
  'labels',
])

function changed(value: Json | undefined, path: Path, to: Json | undefined): Json {
  const [step, ...rest] = path
  if (step === undefined) return to ?? null
  if (typeof step === 'number') {
    if (!isList(value)) return value ?? null
    return value.map((item, index) => (index === step ? changed(item, rest, to) : item))
  }
  const before: JsonObject = isObject(value) ? value : {}
  const after: { [key: string]: Json | undefined } = { ...before }
  if (rest.length > 0) after[step] = changed(before[step], rest, to)
  else if (to === undefined) delete after[step]
  else after[step] = to
  return after
}
