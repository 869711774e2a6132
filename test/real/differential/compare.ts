import { isObject, stringAt, type Json, type JsonObject } from '../../../src/core/json.ts'

export interface Answered {
  readonly code: number
  readonly body: JsonObject
  readonly warnings: readonly string[]
}

/** One place in which the two answers are not the same. */
export interface Difference {
  /** `code`, `warnings`, or a path in the body: `body.metadata.managedFields[0].fieldsV1`. */
  readonly at: string
  readonly real: Json | undefined
  readonly model: Json | undefined
}

const UID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6})?Z$/
const CLOCK_SECONDS = 5
/** A generated name has 63 characters at most, 5 of them drawn. */
const PREFIX_LIMIT = 58
const VERSION_IN_TEXT =
  /(ResourceVersion in (?:record|object meta)(?: \(|: )|resource version: |current: |\\?"resourceVersion\\?":\s?\\?")\d+/g
/** Each server has a range of its own for the addresses of Services. */
const ADDRESS = /\b10\.\d+\.\d+\.\d+\b/g

/**
 * Compares two answers of one script or sequence after another. What the servers choose for
 * themselves (uids, resource versions, generated names, addresses) is compared by pairs: a value
 * of one side always stands for the same value of the other, so references stay checked. Times are
 * equal when they are written alike and lie within 5 s.
 */
export class Comparison {
  #pairs = new Map<string, string>()
  #taken = new Map<string, string>()
  readonly #names: { readonly real: string; readonly model: string }[] = []

  /** `prefix`: the generateName of the request. */
  compare(real: Answered, model: Answered, prefix?: string): readonly Difference[] {
    if (prefix !== undefined) this.#noteGenerated(prefix, real.body, model.body)
    const found: Difference[] = []
    if (real.code !== model.code) found.push({ at: 'code', real: real.code, model: model.code })
    // A path that is not served is answered with plain text.
    if (real.body['text'] === undefined)
      this.#walk('body', listed(real.body), listed(model.body), found)
    this.#walk('warnings', real.warnings, model.warnings, found)
    return found
  }

  /** Compares, and forgets the pairs again if anything differs. */
  tryCompare(real: Answered, model: Answered, prefix?: string): readonly Difference[] {
    const saved = [new Map(this.#pairs), new Map(this.#taken)] as const
    const differences = this.compare(real, model, prefix)
    if (differences.length > 0) [this.#pairs, this.#taken] = saved
    return differences
  }

  /** From now on the two versions of this difference stand for each other. */
  accept({ real, model }: Difference): void {
    if (typeof real !== 'string' || typeof model !== 'string') return
    this.#pairs.set(`rv ${real}`, `rv ${model}`)
    this.#taken.set(`rv ${model}`, `rv ${real}`)
  }

  #noteGenerated(prefix: string, real: JsonObject, model: JsonObject): void {
    const [a, b] = [generatedName(real), generatedName(model)]
    const start = prefix.slice(0, PREFIX_LIMIT)
    if (a === undefined || b === undefined || !a.startsWith(start)) return
    if (!this.#names.some((pair) => pair.real === a)) this.#names.push({ real: a, model: b })
  }

  #walk(at: string, real: Json | undefined, model: Json | undefined, found: Difference[]): void {
    if (isObject(real) && isObject(model)) {
      const mine = new Map(Object.keys(real).map((key) => [this.#translated(key), key]))
      const keys = new Set([...mine.keys(), ...Object.keys(model)])
      for (const key of [...keys].toSorted()) {
        const path = /^[\w-]+$/.test(key) ? `${at}.${key}` : `${at}[${JSON.stringify(key)}]`
        this.#walk(path, real[mine.get(key) ?? key], model[key], found)
      }
    } else if (Array.isArray(real) && Array.isArray(model) && real.length === model.length) {
      for (const [index, item] of (real as readonly Json[]).entries()) {
        this.#walk(`${at}[${index}]`, item, (model as readonly Json[])[index], found)
      }
    } else if (!this.#isSame(at, real, model)) {
      found.push({ at, real, model })
    }
  }

  /** managedFields has uids in its keys. */
  #translated(key: string): string {
    return key.replaceAll(UID, (uid) => this.#pairs.get(uid) ?? uid)
  }

  #isSame(at: string, real: Json | undefined, model: Json | undefined): boolean {
    if (typeof real === 'number' && typeof model === 'number') {
      return real === model || (at.endsWith('.nodePort') && isNodePort(real) && isNodePort(model))
    }
    if (typeof model === 'bigint') return typeof real === 'number' && real === Number(model)
    if (typeof real !== 'string' || typeof model !== 'string') return real === model
    if (at === 'body.metadata.continue') return samePlace(real, model)
    if (at.endsWith('.resourceVersion')) return this.#arePair(`rv ${real}`, `rv ${model}`)
    if (TIME.test(real) && TIME.test(model)) return sameTime(real, model)
    return this.#sameText(real, model)
  }

  #sameText(real: string, model: string): boolean {
    if (real === model) return true
    let named = real
    for (const pair of this.#names) named = named.replaceAll(pair.real, pair.model)
    if (shape(named) !== shape(model)) return false
    const mine = tokens(named)
    const theirs = tokens(model)
    return mine.every((token, index) => this.#arePair(token, theirs[index] ?? ''))
  }

  /** The first meeting makes two values a pair; from then on neither may meet another. */
  #arePair(real: string, model: string): boolean {
    const partner = this.#pairs.get(real)
    if (partner !== undefined) return partner === model
    if (this.#taken.has(model)) return false
    this.#pairs.set(real, model)
    this.#taken.set(model, real)
    return true
  }
}

/**
 * The version of a list is that of the whole store, where the real server writes for itself too;
 * and the items of a list of the model say their kind, which Go's typed lists leave out.
 */
function listed(body: JsonObject): JsonObject {
  const { items, metadata } = body
  if (body['reason'] === 'Conflict') return inOneOrder(body)
  if (!Array.isArray(items) || !isObject(metadata)) return body
  const version = metadata['resourceVersion']
  const shown = typeof version === 'string' && isCount(version) ? 'N' : version
  return {
    ...body,
    metadata: { ...metadata, resourceVersion: shown },
    items: (items as readonly Json[]).map((item) => {
      if (!isObject(item)) return item
      const { apiVersion: _, kind: __, ...rest } = item
      return rest
    }),
  }
}

/** The real server names the causes of a conflict in the order of a Go map: in any. */
function inOneOrder(body: JsonObject): JsonObject {
  const { details } = body
  const causes = isObject(details) ? details['causes'] : undefined
  if (!isObject(details) || !Array.isArray(causes)) return body
  const sorted = (causes as readonly Json[]).toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : 1))
  return { ...body, details: { ...details, causes: sorted } }
}

function textOf(cause: Json): string {
  return `${stringAt(cause, ['field'])} ${stringAt(cause, ['message'])}`
}

/** A text without what each server chooses for itself. */
export function shape(text: string): string {
  return text
    .replaceAll(VERSION_IN_TEXT, '$1N')
    .replaceAll(UID, 'UID')
    .replaceAll(ADDRESS, 'ADDRESS')
}

function tokens(text: string): readonly string[] {
  return [...(text.match(UID) ?? []), ...(text.match(ADDRESS) ?? [])]
}

function generatedName(body: JsonObject): string | undefined {
  return stringAt(body, ['metadata', 'name']) ?? stringAt(body, ['details', 'name'])
}

function isCount(text: string): boolean {
  return /^\d+$/.test(text)
}

function isNodePort(port: number): boolean {
  return port >= 30_000 && port <= 32_767
}

function sameTime(real: string, model: string): boolean {
  const apartMs = Math.abs(Date.parse(real) - Date.parse(model))
  return real.length === model.length && apartMs <= CLOCK_SECONDS * 1000
}

/** Where a paged list goes on: the key counts, the version is the store's own. */
function samePlace(real: string, model: string): boolean {
  const [a, b] = [real, model].map((token) => {
    const { v, start } = (token === '' ? {} : parsed(token)) as { v?: string; start?: string }
    return `${v} ${start}`
  })
  return a === b
}

function parsed(token: string): unknown {
  try {
    return JSON.parse(Buffer.from(token, 'base64url').toString('utf8'))
  } catch {
    return { start: token }
  }
}
