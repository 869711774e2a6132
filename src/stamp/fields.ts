import { sha8 } from '../core/hash.ts'

/** By field path, 8 hex digits, as in `Fingerprint.fields`. */
export type FieldDigests = Readonly<Record<string, string>>

/**
 * The field digests as the text of an annotation: `kind=15b1b3a9,pod.containers[migrate].image=...`.
 * `pod` stands for the pod's spec. Ordinary names bring no blank into it, so no writer of YAML
 * folds it.
 * All annotations of an object together may have 256 KiB: when the text is long, the digests of
 * the longest lists are put together, so that a difference is still seen, only less exactly.
 */
export function formatFields(fields: FieldDigests): string {
  let entries = byPath(
    Object.entries(fields).map(([path, digest]) => [shorten(path), digest] as const),
  )
  let text = write(entries)
  while (text.length > LONGEST) {
    const fewer = fold(entries)
    if (fewer.length === entries.length) break
    entries = fewer
    text = write(entries)
  }
  return text
}

/** Undefined where the text is not one that `formatFields` wrote. */
export function parseFields(text: string): FieldDigests | undefined {
  const fields = new Map<string, string>()
  ENTRY.lastIndex = 0
  while (ENTRY.lastIndex < text.length) {
    const match = ENTRY.exec(text)
    if (match === null) return undefined
    const [, path = '', digest = ''] = match
    fields.set(lengthen(path), digest)
  }
  return fields.size === 0 ? undefined : Object.fromEntries(fields)
}

export interface FieldChange {
  /** `spec.template.spec.containers[migrate].image`; where digests were put together, their list. */
  readonly path: string
  readonly change: 'added' | 'removed' | 'changed'
}

/** The fields in which two fingerprints differ, in the order of their paths. */
export function changedFields(before: FieldDigests, after: FieldDigests): readonly FieldChange[] {
  const [one, other] = alike(before, after)
  const paths = [...new Set([...Object.keys(one), ...Object.keys(other)])].sort()
  const changes = paths.flatMap((path): readonly FieldChange[] => {
    const was = Object.hasOwn(one, path) ? one[path] : undefined
    const is = Object.hasOwn(other, path) ? other[path] : undefined
    if (was === is) return []
    return [
      { path, change: was === undefined ? 'added' : is === undefined ? 'removed' : 'changed' },
    ]
  })
  return withoutListOrders(changes)
}

type Entry = readonly [path: string, digest: string]

const LONGEST = 16_384
const POD_PATHS: readonly string[] = [
  'spec.jobTemplate.spec.template.spec',
  'spec.template.spec',
  'template.spec',
]

/** A path is words, dots and brackets; in brackets a bare word, `#0`, or quoted text. */
const ENTRY = /((?:[^,="[\]]|\[(?:[^\]"]|"(?:[^"\\]|\\.)*")*\])+)=([0-9a-f]{8})(?:,(?!$)|$)/y

function write(entries: readonly Entry[]): string {
  return entries.map(([path, digest]) => `${path}=${digest}`).join(',')
}

function shorten(path: string): string {
  for (const [index, prefix] of POD_PATHS.entries()) {
    if (path === prefix) return POD_WORDS[index] ?? path
    if (path.startsWith(`${prefix}.`)) return `${POD_WORDS[index]}${path.slice(prefix.length)}`
  }
  return path
}

function lengthen(path: string): string {
  for (const [index, word] of POD_WORDS.entries()) {
    if (path === word) return POD_PATHS[index] ?? path
    if (path.startsWith(`${word}.`)) return `${POD_PATHS[index]}${path.slice(word.length)}`
  }
  return path
}

/** Of a CronJob, of a Job, and under the policy adr-012, which has no `spec` around it. */
const POD_WORDS: readonly string[] = ['cronpod', 'pod', 'template.pod']

/** The digests of the list with the most items become one digest, at the list's own path. */
function fold(entries: readonly Entry[]): readonly Entry[] {
  const sizes = new Map<string, number>()
  for (const [path] of entries) {
    const list = listOf(path)
    if (list !== undefined) sizes.set(list, (sizes.get(list) ?? 0) + path.length)
  }
  const [longest] = [...sizes].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
  if (longest === undefined) return entries
  const [list] = longest
  const inside = entries.filter(([path]) => isWithin(path, list))
  const kept = entries.filter(([path]) => !isWithin(path, list))
  return byPath([...kept, [`${list}[*]`, sha8(write(byPath(inside)))]])
}

function byPath(entries: readonly Entry[]): readonly Entry[] {
  return [...entries].sort(([one], [other]) => (one < other ? -1 : 1))
}

/** `a.env[X]` belongs to `a.env`. The innermost list, which is not put together yet. */
function listOf(path: string): string | undefined {
  const open = path.endsWith('[*]') ? path.lastIndexOf('[', path.length - 4) : path.lastIndexOf('[')
  return open <= 0 ? undefined : path.slice(0, open)
}

function isWithin(path: string, list: string): boolean {
  return path === list || path.startsWith(`${list}[`)
}

/** Where one side has put a list together, so does the other, or everything would differ. */
function alike(before: FieldDigests, after: FieldDigests): readonly [FieldDigests, FieldDigests] {
  const folded = [...Object.keys(before), ...Object.keys(after)]
    .filter((path) => path.endsWith('[*]'))
    .map((path) => path.slice(0, -'[*]'.length))
  let pair: [FieldDigests, FieldDigests] = [before, after]
  for (const list of [...new Set(folded)].sort((one, other) => other.length - one.length)) {
    pair = [withFolded(pair[0], list), withFolded(pair[1], list)]
  }
  return pair
}

function withFolded(fields: FieldDigests, list: string): FieldDigests {
  if (Object.hasOwn(fields, `${list}[*]`)) return fields
  const inside = Object.entries(fields).filter(([path]) => isWithin(path, list))
  if (inside.length === 0) return fields
  const kept = Object.entries(fields).filter(([path]) => !isWithin(path, list))
  const shortened = inside.map(([path, value]) => [shorten(path), value] as const)
  return Object.fromEntries([...kept, [`${list}[*]`, sha8(write(byPath(shortened)))]])
}

/** The digest of a list stands for its order, which is news only when its items are the same. */
function withoutListOrders(changes: readonly FieldChange[]): readonly FieldChange[] {
  return changes.filter(
    ({ path }) =>
      !changes.some((other) => other.path.startsWith(`${path}[`) && other.change !== 'changed'),
  )
}
