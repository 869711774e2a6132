import {
  fieldPath,
  isList,
  isObject,
  stringAt,
  type Json,
  type JsonObject,
  type Path,
} from '../core/json.ts'
import type { Source } from '../core/source.ts'
import { BASE, FIELDS, FINGERPRINT, ONCE, WAS } from './annotations.ts'
import { readerOf, readPart, readParts, type Part } from './parts.ts'
import type { StampOptions } from './stamp-types.ts'

/** A difference that stamping does not make. */
export interface ForeignChange {
  /** Of the document in the stream, from 0. */
  readonly document: number
  readonly path: string
  readonly what: string
}

/**
 * What differs between a stream and its stamped form besides the names of Jobs, the annotations and
 * the label of stamp, and the references to renamed Jobs. Empty for every output of stamp. Parts
 * with the same bytes are not compared.
 */
export function onlyStamped(
  before: Uint8Array,
  after: Uint8Array,
  options: Pick<StampOptions, 'fullParser' | 'limits'> = {},
): readonly ForeignChange[] {
  const one = partsOf(before, options)
  const other = partsOf(after, options)
  if (one.length !== other.length) {
    const what = `there were ${one.length} parts of the stream, and there are ${other.length}`
    return [{ document: 0, path: '', what }]
  }
  const reader = readerOf(options)
  const pairs = one.flatMap((part, index): readonly Pair[] => {
    const same = other[index]
    if (same === undefined) return []
    const isChanged = !isSameBytes(part.source.bytes, same.source.bytes)
    // Others may refer to a Job that has its name already.
    if (!isChanged && part.holds !== 'jobs' && part.holds !== 'list') return []
    const was = readPart(part, reader).documents.map((document) => document.value())
    const is = readPart(same, reader).documents.map((document) => document.value())
    return [{ index, isChanged, was, is }]
  })
  const renames = renamesOf(pairs)
  return pairs.flatMap(({ index, isChanged, was, is }) => {
    if (!isChanged) return []
    if (was.length !== is.length) {
      return [{ document: index, path: '', what: 'the number of documents changed' }]
    }
    const comparison = new Comparison(index, renames)
    for (const [at, value] of was.entries()) comparison.compare(value, is[at], [])
    return comparison.found
  })
}

interface Pair {
  readonly index: number
  readonly isChanged: boolean
  readonly was: readonly Json[]
  readonly is: readonly Json[]
}

/** Of each name, and of each base, the names that it may have become. */
type Renames = ReadonlyMap<string, ReadonlySet<string>>

function partsOf(bytes: Uint8Array, options: StampOptions): readonly Part[] {
  const source: Source = { path: '<stream>', bytes }
  return readParts([source], options).parts
}

function isSameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at])
}

function renamesOf(pairs: readonly Pair[]): Renames {
  const renames = new Map<string, Set<string>>()
  const add = (from: string | undefined, to: string): void => {
    if (from === undefined) return
    renames.set(from, (renames.get(from) ?? new Set()).add(to))
  }
  const visit = (was: Json | undefined, is: Json | undefined): void => {
    if (isList(was) && isList(is)) was.forEach((item, index) => visit(item, is[index]))
    if (!isObject(was) || !isObject(is)) return
    if (isStampable(is)) {
      const name = stringAt(is, ['metadata', 'name']) ?? ''
      add(stringAt(was, ['metadata', 'name']), name)
      add(stringAt(is, ['metadata', 'annotations', BASE]), name)
      add(stringAt(is, ['metadata', 'annotations', WAS])?.split('@')[0], name)
      return
    }
    for (const key of Object.keys(was)) {
      if (key !== 'metadata') visit(was[key], is[key])
    }
  }
  for (const { was, is } of pairs) was.forEach((value, index) => visit(value, is[index]))
  return renames
}

function isStampable(object: JsonObject): boolean {
  const { kind, apiVersion } = object
  const isBatch = typeof apiVersion === 'string' && apiVersion.startsWith('batch/')
  return isBatch && (kind === 'Job' || kind === 'CronJob')
}

const OWN_ANNOTATIONS: ReadonlySet<string> = new Set([BASE, FIELDS, FINGERPRINT, WAS])
const OWN_LABELS: ReadonlySet<string> = new Set([ONCE])
const NONE: ReadonlySet<string> = new Set()

class Comparison {
  readonly found: ForeignChange[] = []
  private readonly document: number
  private readonly renames: Renames

  constructor(document: number, renames: Renames) {
    this.document = document
    this.renames = renames
  }

  compare(was: Json | undefined, is: Json | undefined, path: Path): void {
    if (was === is) return
    if (isList(was) && isList(is) && was.length === is.length) {
      was.forEach((item, index) => this.compare(item, is[index], [...path, index]))
    } else if (isObject(was) && isObject(is)) {
      if (isStampable(was) && isStampable(is)) this.compareStamped(was, is, path)
      else this.compareKeys(was, is, path, NONE)
    } else if (typeof was === 'string' && typeof is === 'string') {
      if (!this.isRenamed(was, is)) this.report(path, `'${was}' became '${is}'`)
    } else if (!Object.is(was, is)) {
      this.report(path, 'the value changed')
    }
  }

  private compareStamped(was: JsonObject, is: JsonObject, path: Path): void {
    this.compareKeys(was, is, path, new Set(['metadata']))
    const one = isObject(was['metadata']) ? was['metadata'] : {}
    const other = isObject(is['metadata']) ? is['metadata'] : {}
    const here = [...path, 'metadata']
    const own = new Set(['name', 'generateName', 'annotations', 'labels'])
    this.compareKeys(one, other, here, own)
    for (const [field, keys] of [
      ['annotations', OWN_ANNOTATIONS],
      ['labels', OWN_LABELS],
    ] as const) {
      const entries = one[field] ?? {}
      const after = other[field] ?? {}
      if (isObject(entries) && isObject(after)) {
        this.compareKeys(entries, after, [...here, field], keys)
      } else this.compare(one[field], other[field], [...here, field])
    }
  }

  private compareKeys(
    was: JsonObject,
    is: JsonObject,
    path: Path,
    except: ReadonlySet<string>,
  ): void {
    for (const key of new Set([...Object.keys(was), ...Object.keys(is)])) {
      if (except.has(key)) continue
      const here = [...path, key]
      if (!Object.hasOwn(was, key)) this.report(here, 'it is new')
      else if (Object.hasOwn(is, key)) this.compare(was[key], is[key], here)
      else this.report(here, 'it is gone')
    }
  }

  /** Whether only words that are names of Jobs became their new names. */
  private isRenamed(was: string, is: string): boolean {
    const one = was.split(WORDS)
    const other = is.split(WORDS)
    return (
      one.length === other.length &&
      one.every((word, index) => {
        const now = other[index] ?? ''
        return word === now || this.becomes(word, now)
      })
    )
  }

  /** A dot may end a sentence as well as belong to the name. */
  private becomes(word: string, now: string): boolean {
    if (this.renames.get(word)?.has(now) === true) return true
    const end = /[-.]+$/.exec(word)?.[0] ?? ''
    if (end === '' || !now.endsWith(end)) return false
    return this.becomes(word.slice(0, -end.length), now.slice(0, -end.length))
  }

  private report(path: Path, what: string): void {
    this.found.push({ document: this.document, path: fieldPath(path), what })
  }
}

/** Kept by `split`, because they stand in a group. */
const WORDS = /([a-z0-9][a-z0-9.-]*)/
