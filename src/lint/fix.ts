import type { Edit } from '../core/edits.ts'
import { at, isList, isObject, type Json, type Path } from '../core/json.ts'
import type { Source } from '../core/source.ts'
import type { FileReading, YamlDocument } from '../core/yaml/document.ts'
import type { Subject } from '../ownership/subject.ts'
import { withEdit, type FieldEdit } from './fix-edits.ts'
import { spliceOf } from './fix-splices.ts'

/**
 * How a finding goes, in terms of the object. A rule gives one only where a single answer is
 * right: it must not guess what somebody meant.
 */
export interface RuleFix {
  /** True when nothing that runs or is kept becomes another by it. */
  readonly safe: boolean
  /** For a person, as an order: `remove ttlSecondsAfterFinished`. */
  readonly title: string
  /** Whose bytes change; without it the subject's own manifest, and paths start at its object. */
  readonly document?: YamlDocument
  readonly edits: readonly FieldEdit[]
}

/** A fix with the bytes that it changes. */
export interface ReadyFix {
  readonly safe: boolean
  readonly title: string
  /** A file of its own, not text inside another one. */
  readonly source: Source
  readonly document?: YamlDocument
  /** Paths start at the root of the document. */
  readonly edits: readonly FieldEdit[]
  /** In the order of the file. */
  readonly splices: readonly Edit[]
}

/**
 * The bytes of a fix. Undefined where they cannot be changed alone: the field was written by a
 * patch and not in the manifest, the text stands inside another text, an action of a template
 * would go with the field, or the layout is one that nobody can edit blindly.
 */
export function readyFix(fix: RuleFix, subject: Subject | undefined): ReadyFix | undefined {
  const { safe, title } = fix
  const document = fix.document ?? subject?.manifest.document
  const isOwn = fix.document !== undefined || (subject !== undefined && isWrittenHere(fix, subject))
  const root = fix.document === undefined ? (subject?.manifest.root ?? []) : []
  const edits = fix.edits.map((edit) => rooted(edit, root))
  const comment = edits.find((edit) => edit.op === 'unsuppress')?.comment
  const source = comment?.source ?? document?.source
  if (source === undefined || source.outer !== undefined) return undefined
  if (comment === undefined && !isOwn) return undefined
  const splices = edits.map((edit) => spliceOf(edit, source, document))
  if (!splices.every((one) => one !== undefined)) return undefined
  return {
    safe,
    title,
    source,
    ...(document === undefined || comment !== undefined ? {} : { document }),
    edits,
    splices: splices.toSorted((one, other) => one.start - other.start),
  }
}

/** True when two fixes change the same bytes in the same way. */
export function isSameFix(one: ReadyFix | undefined, other: ReadyFix | undefined): boolean {
  if (one === undefined || other === undefined) return one === other
  return one.source === other.source && textOf(one.splices) === textOf(other.splices)
}

/** True when the splices of the two stand apart, so that both can be made in one go. */
export function standApart(one: ReadyFix, other: ReadyFix): boolean {
  return one.splices.every((mine) =>
    other.splices.every(({ start, end }) => mine.end < start || end < mine.start),
  )
}

/**
 * Whether a file that was changed and read again holds the same objects as before, but for what
 * the fixes were meant to change: for both readings, and for every document that was read.
 */
export function isAsMeant(
  before: FileReading,
  after: FileReading,
  fixes: readonly ReadyFix[],
): boolean {
  const isSameShape =
    after.documents.length === before.documents.length &&
    after.documentsSeen === before.documentsSeen &&
    after.errors.length === before.errors.length &&
    after.droppedText.length === before.droppedText.length &&
    (after.unreadTemplate?.length ?? 0) === (before.unreadTemplate?.length ?? 0)
  const homes = fixes.flatMap(({ document }) => document ?? [])
  if (!isSameShape || !homes.every((home) => before.documents.includes(home))) return false
  return before.documents.every((document, index) => {
    const edits = fixes.flatMap((fix) => (fix.document === document ? fix.edits : []))
    return (['kubernetes', 'kustomize'] as const).every((reading) => {
      const meant = edits.reduce(withEdit, document.value(reading))
      return isEqual(meant, after.documents[index]?.value(reading))
    })
  })
}

function isEqual(one: Json | undefined, other: Json | undefined): boolean {
  if (isList(one)) {
    return (
      isList(other) &&
      one.length === other.length &&
      one.every((item, index) => isEqual(item, other[index]))
    )
  }
  if (!isObject(one)) return Object.is(one, other)
  if (!isObject(other)) return false
  const keys = Object.keys(one)
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isEqual(one[key], other[key]))
  )
}

function rooted(edit: FieldEdit, root: Path): FieldEdit {
  if (edit.op === 'unsuppress') return edit
  return { ...edit, path: [...root, ...edit.path] }
}

/**
 * Whether the fields stand in the subject's own manifest as the engine will see them. What a patch
 * or a transformer wrote is changed there, by a person who knows whom else it reaches.
 */
function isWrittenHere(fix: RuleFix, subject: Subject): boolean {
  const { document, root } = subject.manifest
  return fix.edits.every((edit) => {
    if (edit.op === 'unsuppress') return true
    let path = edit.path
    while (path.length > 0 && at(subject.object, path) === undefined) path = path.slice(0, -1)
    const own = document.locate([...root, ...path])?.value
    const { source, span } = subject.placeOf(path)
    return source === document.source && own?.start === span.start && own.end === span.end
  })
}

function textOf(splices: readonly Edit[]): string {
  return JSON.stringify(splices.map(({ start, end, text }) => [start, end, text]))
}
