import { compareText } from '../core/text.ts'
import type { Finding } from '../core/findings.ts'
import { sha256Hex } from '../core/hash.ts'
import { at, isList, isObject, stringAt, type Json, type Path } from '../core/json.ts'
import { hashSuffixOf } from '../core/names.ts'
import { textOf } from '../core/source.ts'
import type { Subject } from '../ownership/subject.ts'

/**
 * What makes a finding the same one tomorrow: its rule, its object without the hash at the end of
 * the name, its field and the value there. The file, the line and the words have no say, so a
 * finding may move; a count has none either, so that a new fault cannot take the room of one that
 * was fixed.
 */
export interface Identity {
  readonly rule: string
  /** `Job.batch shop/migrate`; the path for a finding on no object. */
  readonly object: string
  /** As a JSON pointer, with the names of list items in place of their positions. */
  readonly pointer: string
  /** The scalar at the field, as JSON; without a field the text that is shown, when it is short. */
  readonly value?: string
  readonly fingerprint: string
}

export interface BaselineEntry extends Identity {
  /** Where it was when it was written down, from the folder of the baseline. */
  readonly file: string
  readonly reason: string
}

/** 32 hex digits over the other four. */
export function identityFingerprint(identity: Omit<Identity, 'fingerprint'>): string {
  const { rule, object, pointer, value } = identity
  return sha256Hex(JSON.stringify([rule, object, pointer, value ?? null])).slice(0, 32)
}

/** One for each object that the finding is about; `file` is its path from the baseline. */
export function identitiesOf(
  finding: Finding,
  subjects: readonly Subject[],
  file: string,
): readonly Identity[] {
  const { rule, pointer } = finding
  const made = (object: string, where: string, value: string | undefined): Identity => {
    const parts = { rule, object, pointer: where, ...(value === undefined ? {} : { value }) }
    return { ...parts, fingerprint: identityFingerprint(parts) }
  }
  if (subjects.length === 0) return [made(file, pointer, shownText(finding))]
  return subjects.map((subject) => {
    const path = pathOf(pointer, subject.object)
    const value = pointer === '' ? shownText(finding) : scalarText(at(subject.object, path))
    return made(nameOf(subject), steady(path, subject.object), value)
  })
}

export interface BaselineMatch<Entry> {
  readonly open: readonly Finding[]
  readonly known: readonly { readonly finding: Finding; readonly entry: Entry }[]
  /** Entries that match nothing. */
  readonly idle: readonly Entry[]
}

/** Parts findings into those that the baseline knows and the others. */
export function matchBaseline<Entry extends BaselineEntry>(
  findings: readonly Finding[],
  identities: (finding: Finding) => readonly Identity[],
  entries: readonly Entry[],
): BaselineMatch<Entry> {
  const byFingerprint = new Map(entries.map((entry) => [entry.fingerprint, entry]))
  const used = new Set<Entry>()
  const open: Finding[] = []
  const known: { finding: Finding; entry: Entry }[] = []
  for (const finding of findings) {
    const matching = identities(finding).flatMap(
      ({ fingerprint }) => byFingerprint.get(fingerprint) ?? [],
    )
    for (const entry of matching) used.add(entry)
    const [entry] = matching
    if (entry === undefined) open.push(finding)
    else known.push({ finding, entry })
  }
  return { open, known, idle: entries.filter((entry) => !used.has(entry)) }
}

/** The same entries always give the same bytes. */
export function baselineText(entries: readonly BaselineEntry[]): string {
  const distinct = new Map(entries.map((entry) => [entry.fingerprint, entry]))
  const findings = [...distinct.values()]
    .map(({ rule, object, pointer, value, file, reason, fingerprint }) => ({
      file,
      rule,
      object,
      pointer,
      ...(value === undefined ? {} : { value }),
      reason,
      fingerprint,
    }))
    .sort((one, other) => compareText(sortKey(one), sortKey(other)))
  return `${JSON.stringify({ format: BASELINE_FORMAT, findings }, null, 2)}\n`
}

export const BASELINE_FORMAT = 'semel.dev/baseline/v1'

function sortKey({ file, rule, object, pointer, fingerprint }: BaselineEntry): string {
  return [file, rule, object, pointer, fingerprint].join('\0')
}

function nameOf({ object, kind, manifest }: Subject): string {
  const [group = '', version] = manifest.apiVersion.split('/')
  const type = version === undefined ? kind : `${kind}.${group}`
  const name =
    stringAt(object, ['metadata', 'name']) ??
    `${stringAt(object, ['metadata', 'generateName']) ?? ''}*`
  const namespace = stringAt(object, ['metadata', 'namespace'])
  const stem = hashSuffixOf(name)?.base ?? name
  return `${type} ${namespace === undefined ? '' : `${namespace}/`}${stem}`
}

/** Of the object, so that a number may be the name of a key. */
function pathOf(pointer: string, object: Json): Path {
  const path: (string | number)[] = []
  for (const step of pointer.split('/').slice(1)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~')
    path.push(isList(at(object, path)) ? Number(key) : key)
  }
  return path
}

/** A container keeps its name when another one is put before it. */
function steady(path: Path, object: Json): string {
  return path
    .map((step, index) => {
      const text =
        typeof step === 'string' ? step : (itemName(at(object, path.slice(0, index)), step) ?? step)
      return `/${String(text).replaceAll('~', '~0').replaceAll('/', '~1')}`
    })
    .join('')
}

function itemName(list: Json | undefined, index: number): string | undefined {
  if (!isList(list)) return undefined
  const names = list.map((item) => (isObject(item) ? stringAt(item, ['name']) : undefined))
  const name = names[index]
  return names.filter((other) => other === name).length === 1 ? name : undefined
}

function scalarText(value: Json | undefined): string | undefined {
  if (value === undefined || isObject(value) || isList(value)) return undefined
  return typeof value === 'bigint' ? String(value) : JSON.stringify(value)
}

/** A whole object changes with every edit, so its text says nothing. */
function shownText({ place: { source, span } }: Finding): string | undefined {
  if (span.end - span.start > MAX_SHOWN_BYTES) return undefined
  const text = textOf(source, span).trim()
  return text === '' || text.includes('\n') ? undefined : text
}

const MAX_SHOWN_BYTES = 200
