import { canonicalJson } from '../core/canonical-json.ts'
import { configDigest, saltDigest, type ConfigDigests } from '../core/fingerprint.ts'
import { hmacSha256Hex, sha256Hex } from '../core/hash.ts'
import { objectAt, stringAt, type Json, type JsonObject } from '../core/json.ts'
import { annotationOf, FOLLOW, SALT, VERSION } from './annotations.ts'
import { podReads, type ConfigKind, type PodRead } from './pod-reads.ts'

/** `ConfigMap/x`, `Secret/y?`, `ConfigMap/*`, `all`: what `semel.dev/follow` asks for. */
export interface Wish {
  readonly kind: ConfigKind | 'all'
  /** Undefined: all of the kind that the pod reads. */
  readonly name: string | undefined
  readonly optional: boolean
  readonly text: string
}

/** Undefined where an entry is none of these. */
export function parseFollow(text: string): readonly Wish[] | undefined {
  const entries = text.split(',').map((entry) => entry.trim())
  const wishes = entries.filter((entry) => entry !== '').map(parseWish)
  return wishes.every((wish) => wish !== undefined) && wishes.length > 0 ? wishes : undefined
}

function parseWish(text: string): Wish | undefined {
  const match = /^(?:(all)|(ConfigMap|Secret)\/(\*|[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?))(\?)?$/.exec(
    text,
  )
  if (match === null) return undefined
  const [, all, kind, name, mark] = match
  const optional = mark !== undefined
  if (all !== undefined) return { kind: 'all', name: undefined, optional, text }
  return {
    kind: kind === 'Secret' ? 'Secret' : 'ConfigMap',
    name: name === '*' ? undefined : name,
    optional,
    text,
  }
}

/** The objects that the wishes mean: each named one, and of `all` those that the pod reads. */
export function wantedObjects(object: JsonObject, wishes: readonly Wish[]): readonly PodRead[] {
  const reads = podReads(object)
  const wanted = new Map<string, PodRead>()
  const add = (read: PodRead): void => {
    const key = `${read.kind}/${read.name}`
    const before = wanted.get(key)
    wanted.set(key, { ...read, optional: read.optional && (before?.optional ?? true) })
  }
  for (const { kind, name, optional } of wishes) {
    if (kind !== 'all' && name !== undefined) {
      add({ kind, name, optional })
      continue
    }
    for (const read of reads) {
      if (kind === 'all' || read.kind === kind)
        add({ ...read, optional: optional || read.optional })
    }
  }
  return [...wanted.values()]
}

export type FollowProblem =
  | { readonly kind: 'missing'; readonly object: PodRead }
  | { readonly kind: 'twice'; readonly object: PodRead }
  | { readonly kind: 'open-secret'; readonly object: PodRead }
  | { readonly kind: 'syntax'; readonly text: string }

export interface Inputs {
  /** For the fingerprint: ConfigMaps by name, the rest under names that no ConfigMap can have. */
  readonly digests: ConfigDigests
  readonly problems: readonly FollowProblem[]
}

/** Finds an object of the stream that a Job may follow; `twice` where two of them differ. */
export type FindConfig = (kind: ConfigKind, name: string) => JsonObject | 'twice' | undefined

/** What goes into the fingerprint of a Job besides its own content. */
export function inputsOf(
  object: JsonObject,
  find: FindConfig,
  secretKey: string | undefined,
): Inputs {
  const digests = new Map<string, string>()
  const problems: FollowProblem[] = []
  const text = annotationOf(object, FOLLOW)
  const wishes = text === undefined || text.trim() === '' ? [] : parseFollow(text)
  if (wishes === undefined) problems.push({ kind: 'syntax', text: text ?? '' })
  for (const wanted of wantedObjects(object, wishes ?? [])) {
    const found = find(wanted.kind, wanted.name)
    if (found === undefined) {
      if (!wanted.optional) problems.push({ kind: 'missing', object: wanted })
      continue
    }
    if (found === 'twice') {
      problems.push({ kind: 'twice', object: wanted })
      continue
    }
    const digest = wanted.kind === 'ConfigMap' ? contentOf(found) : secretDigest(found, secretKey)
    if (digest === undefined) problems.push({ kind: 'open-secret', object: wanted })
    else digests.set(wanted.kind === 'ConfigMap' ? wanted.name : `Secret/${wanted.name}`, digest)
  }
  const salt = annotationOf(object, SALT)
  if (salt !== undefined && salt !== '') digests.set(SALT, saltDigest(salt))
  return { digests: Object.fromEntries(digests), problems }
}

/** As the job group specification has it, where there is no binary data. */
function contentOf(configMap: JsonObject): string {
  const data = objectAt(configMap, ['data']) ?? {}
  const binary = objectAt(configMap, ['binaryData']) ?? {}
  return Object.keys(binary).length === 0
    ? configDigest(data)
    : configDigest({ data, binaryData: withoutBlanks(binary) })
}

/**
 * The author's version where there is one, so that the name does not depend on who has the key;
 * else a digest of the data that nobody without the key can test a guess with.
 */
function secretDigest(secret: JsonObject, key: string | undefined): string | undefined {
  const version = annotationOf(secret, VERSION)
  if (version !== undefined && version !== '') return sha256Hex(`semel.version/v1\n${version}`)
  if (key === undefined || key === '') return undefined
  const type = stringAt(secret, ['type']) ?? 'Opaque'
  const data = { ...withoutBlanks(objectAt(secret, ['data']) ?? {}), ...encoded(secret) }
  return hmacSha256Hex(key, `semel.secret/v1\n${canonicalJson({ type, data })}`)
}

/** `stringData` wins over `data`, as in the API server. */
function encoded(secret: JsonObject): JsonObject {
  const texts = Object.entries(objectAt(secret, ['stringData']) ?? {})
  return Object.fromEntries(
    texts.map(([key, value]) => [key, typeof value === 'string' ? base64(value) : value]),
  )
}

function base64(text: string): string {
  let binary = ''
  for (const byte of new TextEncoder().encode(text)) binary += String.fromCharCode(byte)
  return btoa(binary)
}

function withoutBlanks(data: JsonObject): JsonObject {
  const entries = Object.entries(data).map(([key, value]): [string, Json | undefined] => [
    key,
    typeof value === 'string' ? value.replaceAll(/\s/g, '') : value,
  ])
  return Object.fromEntries(entries)
}
