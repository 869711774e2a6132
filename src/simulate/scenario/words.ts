import type { Json } from '../../core/json.ts'
import type { ObjectRef } from '../world/world.ts'

/** Kinds as people write them: `deploy`, `Deployments`, `cj`. */
const KINDS: Readonly<Record<string, string>> = {
  job: 'Job',
  cronjob: 'CronJob',
  cj: 'CronJob',
  deployment: 'Deployment',
  deploy: 'Deployment',
  statefulset: 'StatefulSet',
  sts: 'StatefulSet',
  daemonset: 'DaemonSet',
  replicaset: 'ReplicaSet',
  configmap: 'ConfigMap',
  cm: 'ConfigMap',
  secret: 'Secret',
  service: 'Service',
  svc: 'Service',
  serviceaccount: 'ServiceAccount',
  sa: 'ServiceAccount',
  pod: 'Pod',
  namespace: 'Namespace',
  kustomization: 'Kustomization',
  helmrelease: 'HelmRelease',
  application: 'Application',
  resourceset: 'ResourceSet',
}

/** The kind that a word means; a word that begins like a kind (`LabRun`) is one of its own. */
export function kindOf(word: string): string | undefined {
  const lower = word.toLowerCase()
  return KINDS[lower] ?? KINDS[lower.replace(/(?:es|s)$/, '')] ?? KINDS[lower.replace(/s$/, '')]
}

/** `Kind/namespace/name`, `group/Kind/namespace/name`, `Kind namespace/name`, `kind/name`. */
export function parseRef(text: string): ObjectRef | undefined {
  const parts = text.trim().split(/[\s/]+/)
  const [head = '', second = ''] = parts
  const isGroup = parts.length > 2 && /^[a-z0-9.]+$/.test(head) && /^[A-Z]/.test(second)
  const [kind = '', ...place] = isGroup ? parts.slice(1) : parts
  const [first, last] = place
  if (kind === '' || first === undefined || first === '' || place.length > 2) return undefined
  const known = kindOf(kind) ?? kind
  return last === undefined
    ? { kind: known, name: first }
    : { kind: known, namespace: first, name: last }
}

export function shownRef({ kind, namespace, name }: ObjectRef): string {
  return `${kind} ${namespace === undefined ? name : `${namespace}/${name}`}`
}

/** The one among `known` that is meant, with its namespace; the same where nothing is known of it. */
export function completed(ref: ObjectRef, known: readonly ObjectRef[]): ObjectRef {
  if (ref.namespace !== undefined) return ref
  const own = known.filter(({ kind, name }) => kind === ref.kind && name === ref.name)
  const namespaces = new Set((own.length > 0 ? own : known).map(({ namespace }) => namespace))
  const [only] = namespaces
  return namespaces.size === 1 && only !== undefined ? { ...ref, namespace: only } : ref
}

/** The object that a sentence names: `deployment web`, `Job/shop/migrate`, or the name of a known one. */
export function refIn(text: string, known: readonly ObjectRef[]): ObjectRef | undefined {
  const namespace = /(?:-n|--namespace)[\s=]+(\S+)/.exec(text)?.[1]
  const tokens = text
    .replaceAll(/(?:-n|--namespace)[\s=]+\S+/g, ' ')
    .split(/[\s,;()]+/)
    .map((token) => token.replaceAll(/^["'`]+|["'`:.]+$/g, ''))
    .filter((token) => token !== '')
  const found = withKind(tokens) ?? byName(tokens, known)
  if (found === undefined) return undefined
  return completed(namespace === undefined ? found : { ...found, namespace }, known)
}

function withKind(tokens: readonly string[]): ObjectRef | undefined {
  for (const [at, token] of tokens.entries()) {
    const head = token.split('/')
    if (head.length > 1 && head.some((part) => kindOf(part) !== undefined)) return parseRef(token)
    const next = tokens[at + 1]
    const isName = next !== undefined && /^[a-z0-9][a-z0-9./-]*$/.test(next)
    if (head.length === 1 && kindOf(token) !== undefined && isName && !STOP.has(next)) {
      return parseRef(`${token} ${next}`)
    }
  }
  return undefined
}

/** Words of sentences that are no names. */
const STOP: ReadonlySet<string> = new Set(['is', 'was', 'of', 'in', 'by', 'to', 'from', 'with'])

function byName(tokens: readonly string[], known: readonly ObjectRef[]): ObjectRef | undefined {
  for (const token of tokens) {
    const own = known.filter(
      ({ namespace, name }) => token === name || token === `${namespace ?? ''}/${name}`,
    )
    // A Deployment goes before what is only named like it.
    const rank = ({ kind }: ObjectRef): number => ORDER.indexOf(kind) + 1 || ORDER.length + 1
    const [first] = own.toSorted((one, other) => rank(one) - rank(other))
    if (first !== undefined) return first
  }
  return undefined
}

const ORDER = ['Deployment', 'StatefulSet', 'CronJob', 'Job', 'ConfigMap', 'Secret']

/** A field that a sentence changes: `replicas 2 -> 3`, `image to 9`, `spec.suspend=true`. */
export interface Setting {
  readonly field: string
  readonly from?: string
  readonly to: string
}

const WORD = String.raw`["'\x60]?([^\s"'\x60,;()]+)["'\x60]?`

/** `about`: the object of the sentence, whose name is no field. */
export function settingIn(text: string, about: ObjectRef | undefined): Setting | undefined {
  const plain = text.replaceAll(/(?:-n|--namespace)[\s=]+\S+/g, ' ').trim()
  const scaled = /\bscaled?\b.*?(?:--replicas[\s=]+|\bto\s+|=\s*)(\d+)/i.exec(plain)?.[1]
  if (scaled !== undefined) return { field: 'spec.replicas', to: scaled }
  const image = /\bset image\b.*?[\w-]+=(\S+)/i.exec(plain)?.[1]
  if (image !== undefined) return { field: 'image', to: image }
  const arrow = new RegExp(`${WORD}\\s*(?:->|=>|→)\\s*${WORD}`).exec(plain)
  const between = new RegExp(`\\bfrom\\s+${WORD}\\s+to\\s+${WORD}`, 'i').exec(plain)
  const change = arrow ?? between
  if (change !== null) {
    const [, from = '', to = ''] = change
    const field = fieldBefore(plain.slice(0, change.index), about) ?? fieldAfter(plain, change)
    return field === undefined ? undefined : { field, from, to }
  }
  const equal = new RegExp(`([\\w.\\[\\]/-]+)\\s*=\\s*${WORD}`).exec(plain)
  if (equal !== null) {
    const before = plain.slice(0, equal.index + (equal[1] ?? '').length)
    const field = fieldBefore(before, about)
    return field === undefined ? undefined : { field, to: equal[2] ?? '' }
  }
  const target = new RegExp(`\\bto\\s+${WORD}`, 'i').exec(plain)
  if (target !== null) {
    const field = fieldBefore(plain.slice(0, target.index), about)
    return field === undefined ? undefined : { field, to: target[1] ?? '' }
  }
  const colon = new RegExp(`([\\w.\\[\\]/-]+):\\s+${WORD}\\s*$`).exec(plain)
  const last = colon ?? new RegExp(`([\\w.\\[\\]/-]+)\\s+${WORD}\\s*$`).exec(plain)
  const field = last === null ? undefined : fieldBefore(last[1] ?? '', about)
  if (last === null || field === undefined || !isValue(last[2] ?? '')) return undefined
  return { field, to: last[2] ?? '' }
}

function isValue(text: string): boolean {
  return /^(?:\d[\w.:-]*|v\d[\w.-]*|true|false)$/.test(text) || text.includes(':')
}

/** The nearest word before a value that is neither the object nor a word of the sentence. */
function fieldBefore(text: string, about: ObjectRef | undefined): string | undefined {
  const words = text
    .split(/[\s,;()]+/)
    .map((word) => word.replaceAll(/^["'`]+|["'`:]+$/g, ''))
    .filter((word) => word !== '')
  const names = new Set(about === undefined ? [] : [about.name, `${about.namespace}/${about.name}`])
  const isOther = (word: string): boolean =>
    names.has(word) ||
    kindOf(word) !== undefined ||
    word.split('/').some((part) => kindOf(part) !== undefined) ||
    NO_FIELDS.has(word.toLowerCase())
  const fields = words.filter((word) => /^[\w.[\]/-]+$/.test(word) && !isOther(word))
  // `image of the sidecar web`, `replicas count`: a field that is known goes before its neighbours.
  const known = fields.findLast(
    (word) => Object.hasOwn(LONG, word.toLowerCase()) || word.includes('.'),
  )
  const last = words.at(-1) ?? ''
  const field =
    known ?? fields.at(-1) ?? (names.has(last) || !/^[\w.-]+$/.test(last) ? undefined : last)
  return field === undefined ? undefined : long(field)
}

/** `41 -> 42 (image)`. */
function fieldAfter(text: string, { index, 0: all }: RegExpExecArray): string | undefined {
  const word = /\b(image|replicas|tag|schedule)\b/i.exec(text.slice(index + all.length))?.[1]
  return word === undefined ? undefined : long(word)
}

const NO_FIELDS: ReadonlySet<string> = new Set(
  (
    'a an the of only and by hand is was are changes changed change bump bumps bumped raise raised ' +
    'set sets edit edited patch patched kubectl somebody someone person at in on to from for commit ' +
    'manually its with container containers count number new value field update updated'
  ).split(' '),
)

/** Fields as people call them. */
const LONG: Readonly<Record<string, string>> = {
  replicas: 'spec.replicas',
  suspend: 'spec.suspend',
  schedule: 'spec.schedule',
  parallelism: 'spec.parallelism',
  ttl: 'spec.ttlSecondsAfterFinished',
  ttlsecondsafterfinished: 'spec.ttlSecondsAfterFinished',
  backofflimit: 'spec.backoffLimit',
  activedeadlineseconds: 'spec.activeDeadlineSeconds',
  concurrencypolicy: 'spec.concurrencyPolicy',
  startingdeadlineseconds: 'spec.startingDeadlineSeconds',
  image: 'image',
  tag: 'image',
}

export function long(field: string): string {
  return LONG[field.toLowerCase()] ?? field
}

export function valueOf(text: string): Json {
  if (/^-?\d+$/.test(text)) return Number(text)
  if (text === 'true' || text === 'false') return text === 'true'
  return text === 'null' ? null : text
}
