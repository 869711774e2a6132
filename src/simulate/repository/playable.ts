import { sha256Hex } from '../../core/hash.ts'
import {
  at,
  isList,
  isObject,
  listAt,
  objectAt,
  stringAt,
  type Json,
  type JsonObject,
  type Path,
} from '../../core/json.ts'
import { isTemplated, literalParts } from '../../core/templates.ts'
import { textOf } from '../../ownership/json-text.ts'

/**
 * A Job or CronJob that can be given to an API server, or why nobody can tell when it runs. What
 * only rendering knows and what decides about running (name, TTL, schedule, hook annotations) makes
 * it unknown; anything else (image, arguments, labels) gets a placeholder.
 */
export type Playable =
  | {
      readonly object: JsonObject
      /** Fields whose unknown text was left out, so that their defaults hold. */
      readonly leftOut: readonly string[]
    }
  | { readonly unknown: string }

export function playable(object: JsonObject, isOpen: (path: Path) => boolean): Playable {
  const isCron = object['kind'] === 'CronJob'
  const spec: Path = ['spec']
  const jobSpec: Path = isCron ? ['spec', 'jobTemplate', 'spec'] : spec
  const unknown = undecided(object, spec, jobSpec) ?? undecidedOpen(isOpen, spec, jobSpec)
  if (unknown !== undefined) return { unknown }
  const leftOut: string[] = []
  const cleaned = clean(named(object), [], [...jobSpec, 'template'], leftOut)
  const template = objectAt(object, [...jobSpec, 'template']) ?? {}
  const after = holdsTemplate(template)
    ? withAt(cleaned, [...jobSpec, 'template'], skeleton(template))
    : cleaned
  return { object: after, leftOut }
}

/** A name is all that counts where there is one. */
function named(object: JsonObject): JsonObject {
  const { generateName, ...metadata } = objectAt(object, ['metadata']) ?? {}
  const name = stringAt(metadata, ['name'])
  if (generateName === undefined || name === undefined || name === '') return object
  return { ...object, metadata }
}

/** Fields that decide whether and when it runs, with what a person calls them. */
const DECIDING = {
  metadata: ['name', 'namespace', 'generateName'],
  spec: ['suspend', 'schedule', 'timeZone', 'concurrencyPolicy'],
  jobSpec: ['ttlSecondsAfterFinished', 'suspend', 'managedBy'],
}

function undecided(object: JsonObject, spec: Path, jobSpec: Path): string | undefined {
  for (const [base, fields] of [
    [['metadata'], DECIDING.metadata],
    [spec, DECIDING.spec],
    [jobSpec, DECIDING.jobSpec],
  ] as const) {
    for (const field of fields) {
      const value = at(object, [...base, field])
      if (isUnknown(value)) return words([...base, field], value)
    }
  }
  const metadata = objectAt(object, ['metadata'])
  if (metadata?.['name'] === undefined && metadata?.['generateName'] === undefined) {
    return 'it has no name, and no API server takes it'
  }
  for (const part of ['annotations', 'labels']) {
    const pairs = objectAt(object, ['metadata', part]) ?? {}
    if (isUnknown(at(object, ['metadata', part]))) return words(['metadata', part], 'a template')
    for (const [key, value] of Object.entries(pairs)) {
      if (isUnknown(key)) return `a key of its ${part} is ${key}, which only rendering can tell`
      if (isUnknown(value) && isHeeded(key, part)) return words([part, key], value)
    }
  }
  return undefined
}

const isUnknown = (value: Json | undefined): value is string => isTemplated(value)

function words(path: Path, text: string): string {
  return `${path.join('.')} is ${text}, which only rendering can tell`
}

/** Annotations, and labels, that an engine or a second actor obeys. */
function isHeeded(key: string, part: string): boolean {
  const group = key.slice(0, Math.max(0, key.lastIndexOf('/')))
  return part === 'annotations' ? HEEDED.test(group) : HEEDED_LABELS.test(group)
}

const HEEDED =
  /(^|\.)(argoproj\.io|helm\.sh|toolkit\.fluxcd\.io|fluxcd\.controlplane\.io|kro\.run|cattle\.io|x-k8s\.io|stakater\.com)$/
const HEEDED_LABELS = /(^|\.)(toolkit\.fluxcd\.io|fluxcd\.controlplane\.io|x-k8s\.io)$/

function undecidedOpen(
  isOpen: (path: Path) => boolean,
  spec: Path,
  jobSpec: Path,
): string | undefined {
  if (isOpen(['metadata', 'annotations']) || isOpen(['metadata'])) {
    return 'rendering may add annotations, and one of them can make it a hook'
  }
  if (isOpen(jobSpec) || isOpen(spec)) {
    return 'rendering may add fields to its spec, among them a TTL or a suspension'
  }
  return undefined
}

/** Without unknown text: labels and annotations keep a placeholder, fields lose their value. */
function clean(
  value: JsonObject,
  path: readonly string[],
  template: Path,
  leftOut: string[],
): JsonObject {
  const cleaned: { [key: string]: Json | undefined } = {}
  for (const [key, item] of Object.entries(value)) {
    const here = [...path, key]
    if (here.length === template.length && here.every((step, index) => step === template[index])) {
      cleaned[key] = item
    } else if (isUnknown(item)) {
      const isText = path.at(-1) === 'labels' || path.at(-1) === 'annotations'
      if (isText) cleaned[key] = placeholder(item)
      else leftOut.push(here.join('.'))
    } else if (isObject(item)) {
      cleaned[key] = clean(item, here, template, leftOut)
    } else if (isList(item) && holdsTemplate(item)) {
      leftOut.push(here.join('.'))
    } else {
      cleaned[key] = item
    }
  }
  return cleaned
}

/** Fit for a label too. */
function placeholder(text: string): string {
  const joined = literalParts(text).join('unknown')
  return /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(joined) ? joined.slice(0, 63) : 'unknown'
}

function holdsTemplate(value: Json | undefined): boolean {
  if (isUnknown(value)) return true
  if (isList(value)) return value.some(holdsTemplate)
  return (
    isObject(value) &&
    Object.entries(value).some(([key, item]) => isUnknown(key) || holdsTemplate(item))
  )
}

/**
 * A pod template with unknown text, as far as it matters to a run: containers by name and image.
 * An argument follows the whole content, so that a change of it stays a change.
 */
function skeleton(template: JsonObject): JsonObject {
  const spec = objectAt(template, ['spec']) ?? {}
  const content = `content ${sha256Hex(textOf(template)).slice(0, 8)}`
  const policy = stringAt(spec, ['restartPolicy'])
  const containers = containersOf(spec, 'containers')
  const inits = containersOf(spec, 'initContainers')
  const [first = { name: 'main', image: 'unknown' }, ...rest] = containers
  return {
    metadata: withoutTemplates(objectAt(template, ['metadata'])),
    spec: {
      restartPolicy: policy === 'OnFailure' ? policy : 'Never',
      ...(inits.length === 0 ? {} : { initContainers: inits }),
      containers: [{ ...first, args: [content] }, ...rest],
    },
  }
}

function withoutTemplates(metadata: JsonObject = {}): JsonObject {
  const pairs = (part: string): JsonObject =>
    Object.fromEntries(
      Object.entries(objectAt(metadata, [part]) ?? {})
        .filter(([key]) => !isUnknown(key))
        .map(([key, value]) => [key, isUnknown(value) ? placeholder(value) : value]),
    )
  return { labels: pairs('labels'), annotations: pairs('annotations') }
}

function containersOf(spec: JsonObject, field: string): readonly JsonObject[] {
  return listAt(spec, [field])
    .filter(isObject)
    .map((container, index) => {
      const name = stringAt(container, ['name'])
      const image = stringAt(container, ['image']) ?? 'unknown'
      const policy = stringAt(container, ['restartPolicy'])
      return {
        name: name === undefined || isUnknown(name) ? `container-${index + 1}` : name,
        image: isUnknown(image) ? literalParts(image).join('unknown') : image,
        ...(policy === 'Always' ? { restartPolicy: policy } : {}),
      }
    })
}

function withAt(whole: JsonObject, path: Path, value: JsonObject): JsonObject {
  const [step, ...rest] = path
  if (step === undefined) return value
  const inner = whole[step]
  return { ...whole, [step]: withAt(isObject(inner) ? inner : {}, rest, value) }
}
