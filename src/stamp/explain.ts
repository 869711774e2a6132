import {
  fingerprint,
  type ConfigDigests,
  type Fingerprint,
  type PolicyId,
} from '../core/fingerprint.ts'
import { isList, isObject, fieldPath, type Json, type JsonObject, type Path } from '../core/json.ts'
import type { Shape } from '../core/normalise/field.ts'
import { normaliseSpec } from '../core/normalise/normalise.ts'
import { TYPES } from '../core/normalise/types.ts'
import { INTENT_LEAVES_OUT, RELEASE_LABELS } from '../core/policies/intent.ts'
import { canonicalQuantity } from '../core/quantity.ts'
import { isSame } from './values.ts'

/**
 * counts: another value makes another name. default: says what its absence says. idle: the API
 * server keeps it, and it changes nothing that runs. left-out: it could, and the policy does not
 * count it.
 */
export type FieldEffect = 'counts' | 'default' | 'idle' | 'left-out'

export interface ExplainedField {
  /** As written: `spec.template.spec.containers[0].image`. */
  readonly path: string
  /** As written; a list of scalars as a whole. */
  readonly value: Json
  readonly effect: FieldEffect
  readonly why: string
  /** The spelling that is hashed, where it is another one: `1` for `1000m`. */
  readonly countsAs?: string
  /** Of the part of the fingerprint that holds the field: its path, and its eight digits. */
  readonly part?: string
  readonly digest?: string
}

export interface Explanation {
  readonly fingerprint: Fingerprint
  /** In the order of the manifest. */
  readonly fields: readonly ExplainedField[]
}

export interface ExplainOptions {
  readonly policy?: PolicyId
  /** Of `StampedObject.inputs`: what is followed, and the salt. */
  readonly inputs?: ConfigDigests
}

/** What each field of a Job or CronJob does to its fingerprint. */
export function explainFingerprint(object: JsonObject, options: ExplainOptions = {}): Explanation {
  const { policy = 'intent', inputs = {} } = options
  const made = fingerprint(object, { policy, config: inputs })
  const explainer = new Explainer(object, policy, made)
  return { fingerprint: made, fields: [...explainer.fields(), ...inputFields(inputs, made)] }
}

class Explainer {
  private readonly object: JsonObject
  private readonly kind: 'Job' | 'CronJob'
  private readonly policy: PolicyId
  private readonly made: Fingerprint
  /** Of the object alone: what is followed does not change with its fields. */
  private readonly own: string

  constructor(object: JsonObject, policy: PolicyId, made: Fingerprint) {
    this.object = object
    this.kind = object['kind'] === 'CronJob' ? 'CronJob' : 'Job'
    this.policy = policy
    this.made = made
    this.own = fingerprint(object, { policy }).digest
  }

  fields(): readonly ExplainedField[] {
    return Object.entries(this.object).flatMap(([key, value]): readonly ExplainedField[] => {
      if (value === undefined) return []
      if (key === 'kind') return [this.withDigest({ path: key, value, effect: 'counts', why: '' })]
      if (key === 'spec') return leavesOf(value, [key]).map((path) => this.explain(path))
      const why = OUTSIDE.get(key) ?? 'it is not part of what the Job does'
      return [{ path: key, value, effect: 'left-out', why }]
    })
  }

  private explain(path: Path): ExplainedField {
    const value = valueAt(this.object, path) ?? null
    const without = withoutPath(this.object, path)
    const field = { path: fieldPath(path), value }
    if (fingerprint(without, { policy: this.policy }).digest !== this.own) {
      const spelling = this.spellingOf(path, value)
      return this.withDigest({ ...field, effect: 'counts', ...spelling }, path)
    }
    if (this.policy === 'intent') {
      if (this.isEqual(without, 'server')) {
        return { ...field, effect: 'default', why: 'it says what Kubernetes takes for granted' }
      }
      if (this.isEqual(without, 'runs')) {
        return { ...field, effect: 'idle', why: 'it changes nothing in the pods that run' }
      }
    }
    return { ...field, effect: 'left-out', why: this.whyLeftOut(path) }
  }

  private isEqual(without: JsonObject, equality: 'runs' | 'server'): boolean {
    return isSame(
      normaliseSpec(this.kind, specOf(this.object), equality),
      normaliseSpec(this.kind, specOf(without), equality),
    )
  }

  private whyLeftOut(path: Path): string {
    if (this.policy === 'adr-012') return 'the policy adr-012 does not cover it'
    const inTemplate = this.kind === 'CronJob' ? path[1] === 'jobTemplate' : true
    if (!inTemplate) return 'it says when Jobs are made, not what they do'
    const field = this.kind === 'CronJob' ? path[3] : path[1]
    const known = INTENT_LEAVES_OUT.find((one) => one.field === field)
    if (known !== undefined) return known.why
    const last = path.at(-1)
    if (typeof last === 'string' && RELEASE_LABELS.includes(last)) {
      return 'this label carries a version or the name of a tool, and the pod does not see it'
    }
    return 'it is not part of what the Job does'
  }

  /** What is hashed where it is written in another way. */
  private spellingOf(path: Path, value: Json): Pick<ExplainedField, 'why' | 'countsAs'> {
    if (this.policy !== 'intent') return { why: '' }
    const shape = shapeAt(this.kind, path)
    if (shape?.kind === 'quantity' && (typeof value === 'string' || typeof value === 'number')) {
      const canonical = canonicalQuantity(value, shape.scale)
      if (canonical !== undefined && canonical !== String(value)) {
        return { why: 'it counts by its value', countsAs: canonical }
      }
    }
    if (shape?.kind === 'list' && shape.order.counts !== 'order' && isList(value)) {
      return { why: 'the order of this list does not count' }
    }
    return { why: '' }
  }

  private withDigest(field: ExplainedField, path: Path = [field.path]): ExplainedField {
    const named = digestPath(this.object, path)
    const part = named.findLast((prefix) => Object.hasOwn(this.made.fields, prefix))
    const digest = part === undefined ? undefined : this.made.fields[part]
    return part === undefined || digest === undefined ? field : { ...field, part, digest }
  }
}

const OUTSIDE: ReadonlyMap<string, string> = new Map([
  ['apiVersion', 'it says how the object is written'],
  ['metadata', "the object's own name, labels and annotations change nothing that runs"],
  ['status', 'it is written by the cluster'],
])

function inputFields(inputs: ConfigDigests, made: Fingerprint): readonly ExplainedField[] {
  return Object.entries(inputs).map(([name, value]) => {
    const part =
      made.fields[`config.${name}`] === undefined ? `config["${name}"]` : `config.${name}`
    const digest = made.fields[part]
    const why =
      name === 'semel.dev/salt'
        ? 'the salt of this Job'
        : `the content of ${name.startsWith('Secret/') ? name : `ConfigMap/${name}`}, which it follows`
    const field: ExplainedField = { path: part, value, effect: 'counts', why }
    return digest === undefined ? field : { ...field, part, digest }
  })
}

/** The paths of all scalars, empty collections and lists of scalars below a value. */
function leavesOf(value: Json, path: Path): readonly Path[] {
  if (isList(value)) {
    if (value.length === 0 || !value.every((item) => isObject(item))) return [path]
    return value.flatMap((item, index) => leavesOf(item, [...path, index]))
  }
  if (!isObject(value) || Object.keys(value).length === 0) return [path]
  return Object.entries(value).flatMap(([key, item]) =>
    item === undefined ? [] : leavesOf(item, [...path, key]),
  )
}

function valueAt(value: Json, path: Path): Json | undefined {
  let here: Json | undefined = value
  for (const step of path) {
    if (isList(here)) here = typeof step === 'number' ? here[step] : undefined
    else here = isObject(here) ? here[step] : undefined
  }
  return here
}

function specOf(object: JsonObject): JsonObject {
  return isObject(object['spec']) ? object['spec'] : {}
}

/** The object without one field; an item of a list that is empty then stays as `{}`. */
function withoutPath(object: JsonObject, path: Path): JsonObject {
  const without = (value: Json | undefined, [step, ...rest]: Path): Json | undefined => {
    if (step === undefined) return undefined
    if (isList(value)) {
      return value.map((item, index) => (index === step ? (without(item, rest) ?? null) : item))
    }
    if (!isObject(value)) return value
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, item]): [string, Json | undefined][] => {
        if (key !== step) return [[key, item]]
        const changed = without(item, rest)
        return changed === undefined ? [] : [[key, changed]]
      }),
    )
  }
  const changed = without(object, path)
  return isObject(changed) ? changed : object
}

function shapeAt(kind: 'Job' | 'CronJob', path: Path): Shape | undefined {
  let shape: Shape | undefined = {
    kind: 'struct',
    type: kind === 'Job' ? 'JobSpec' : 'CronJobSpec',
  }
  for (const step of path.slice(1)) {
    if (shape?.kind === 'struct') {
      shape = typeof step === 'string' ? fieldShape(shape.type, step) : undefined
    } else if (shape?.kind === 'list' || shape?.kind === 'map') shape = shape.of
    else return undefined
  }
  return shape
}

function fieldShape(type: string, field: string): Shape | undefined {
  const fields = TYPES[type]?.fields ?? {}
  return Object.hasOwn(fields, field) ? fields[field]?.shape : undefined
}

/** The path and its beginnings as field digests name them: `containers[migrate]` for `[0]`. */
function digestPath(object: JsonObject, path: Path): readonly string[] {
  const prefixes: string[] = []
  let text = ''
  let here: Json | undefined = object
  for (const step of path) {
    if (typeof step === 'number') {
      here = isList(here) ? here[step] : undefined
      const name = isObject(here) ? here['name'] : undefined
      text += typeof name === 'string' ? `[${bare(name)}]` : `[#${step}]`
    } else {
      here = isObject(here) ? here[step] : undefined
      const isWord = /^[A-Za-z0-9_-]+$/.test(step)
      text += isWord ? `${text === '' ? '' : '.'}${step}` : `[${JSON.stringify(step)}]`
    }
    prefixes.push(text)
    // The policy adr-012 has the template at its top.
    if (text.startsWith('spec.template')) prefixes.push(text.slice('spec.'.length))
  }
  return prefixes
}

function bare(name: string): string {
  return /^[A-Za-z0-9_.-]+$/.test(name) ? name : JSON.stringify(name)
}
