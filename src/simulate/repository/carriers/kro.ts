import {
  at,
  isObject,
  listAt,
  objectAt,
  stringAt,
  type Json,
  type JsonObject,
} from '../../../core/json.ts'
import { isTemplated } from '../../../core/templates.ts'
import { bytesOf, findBytes } from '../../../core/yaml/bytes.ts'
import { kindFinder } from '../../engines/kinds.ts'
import { objectsOf } from '../../trace/manifests.ts'
import { namespacesOf, unknownLanes } from '../jobs.ts'
import { readText } from '../others.ts'
import { fileText, picked, type Around, type Load, type Part, type PartLane } from '../part.ts'

const STAGE = 'kro'

/**
 * A definition with the instances of its kind that stand in the repository. Without an instance
 * nothing is made; a graph with kinds that the model has never heard of is not played.
 */
export function kro(load: Load, around: Around): Part {
  const { carrier, subjects } = load
  const kind = stringAt(carrier, ['spec', 'schema', 'kind']) ?? ''
  const none = (unknown: string): Part => ({
    kind: STAGE,
    carriers: [],
    files: {},
    lanes: unknownLanes(subjects, unknown),
  })
  if (carrier === undefined || kind === '') return none('its definition names no kind')
  const foreign = foreignKind(carrier)
  if (foreign !== undefined) {
    return none(`its graph also makes a ${foreign}, a kind that this model does not know`)
  }
  const instances = instancesOf(carrier, kind, around)
  if (instances.length === 0) return none(`no ${kind} in this repository asks for it`)
  const metadata = objectAt(carrier, ['metadata']) ?? {}
  const definition: JsonObject = {
    ...picked(carrier, ['apiVersion', 'kind', 'spec']),
    metadata: picked(metadata, ['name', 'labels', 'annotations']),
  }
  const files = instances.map((instance) => {
    const place = objectAt(instance, ['metadata']) ?? {}
    const name = `${stringAt(place, ['namespace']) ?? 'default'}.${stringAt(place, ['name']) ?? ''}`
    return [`${kind.toLowerCase()}.${name}.yaml`, fileText(instance)] as const
  })
  const lanes = instances.flatMap((instance) => lanesOf(subjects, instance, carrier))
  return {
    kind: STAGE,
    carriers: [definition],
    files: Object.fromEntries(files),
    lanes,
    namespaces: namespacesOf([...instances, ...lanes.map(({ object }) => object)]),
  }
}

function foreignKind(carrier: JsonObject): string | undefined {
  const find = kindFinder()
  for (const resource of listAt(carrier, ['spec', 'resources'])) {
    const template = objectAt(resource, ['template']) ?? objectAt(resource, ['externalRef'])
    const [apiVersion, kind] = ['apiVersion', 'kind'].map((key) => stringAt(template, [key]) ?? '')
    if (find(apiVersion ?? '', kind ?? '', NOTHING) === undefined) return kind
  }
  return undefined
}

const NOTHING = {
  get: () => undefined,
  list: () => [],
  dependents: () => [],
  byUid: () => undefined,
  all: () => [],
}

function instancesOf(carrier: JsonObject, kind: string, around: Around): readonly JsonObject[] {
  const { world } = around
  const group = stringAt(carrier, ['spec', 'schema', 'group']) ?? 'kro.run'
  const needle = bytesOf(kind)
  const found = world.tree.under('').flatMap((path) => {
    if (!/\.(?:ya?ml|json)$/.test(path)) return []
    const source = world.sourceOf(path)
    if (source === undefined || findBytes(source.bytes, needle, 0) < 0) return []
    return around.kept(`instances ${path}`, [path], () => {
      const text = readText(path, around)
      return text === undefined ? [] : objectsOf(path, text, around.fullParser)
    })
  })
  return found
    .filter((object) => object['kind'] === kind)
    .filter((object) => stringAt(object, ['apiVersion'])?.startsWith(`${group}/`) === true)
    .filter((object) => {
      const name = stringAt(object, ['metadata', 'name'])
      return name !== undefined && !isTemplated(name)
    })
    .map((object) => {
      const metadata = objectAt(object, ['metadata']) ?? {}
      return {
        ...object,
        metadata: { ...metadata, namespace: stringAt(metadata, ['namespace']) ?? 'default' },
      }
    })
}

/** The Jobs of one instance; what stands in `${ }` is put in as far as it is plainly the instance's. */
function lanesOf(
  subjects: Load['subjects'],
  instance: JsonObject,
  carrier: JsonObject,
): readonly PartLane[] {
  const namespace = stringAt(instance, ['metadata', 'namespace']) ?? 'default'
  return subjects.map((subject) => {
    const filled = fill(subject.object, instance, carrier)
    const object = isObject(filled) ? filled : subject.object
    const metadata = objectAt(object, ['metadata']) ?? {}
    return {
      object: {
        ...object,
        metadata: { ...metadata, namespace: stringAt(metadata, ['namespace']) ?? namespace },
      },
      subject,
    }
  })
}

function fill(value: Json, instance: JsonObject, carrier: JsonObject): Json {
  if (typeof value === 'string') return fillText(value, instance, carrier)
  if (Array.isArray(value))
    return (value as readonly Json[]).map((item) => fill(item, instance, carrier))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      item === undefined ? item : fill(item, instance, carrier),
    ]),
  )
}

function fillText(text: string, instance: JsonObject, carrier: JsonObject): Json {
  const whole = /^\$\{\s*([^{}]*?)\s*\}$/.exec(text)?.[1]
  if (whole !== undefined) return valueOf(whole, instance, carrier) ?? text
  return text.replaceAll(/\$\{\s*([^{}]*?)\s*\}/g, (all: string, inner: string) => {
    const value = valueOf(inner, instance, carrier)
    return value === undefined || value === null || typeof value === 'object' ? all : String(value)
  })
}

function valueOf(expression: string, instance: JsonObject, carrier: JsonObject): Json | undefined {
  const path = /^schema\.((?:\w+\.)*\w+)$/.exec(expression)?.[1]?.split('.')
  if (path === undefined) return undefined
  const given = at(instance, path)
  if (given !== undefined || path[0] !== 'spec') return given
  const declared = at(carrier, ['spec', 'schema', ...path])
  const preset =
    typeof declared === 'string' ? /\bdefault=("?)([^"|]*)\1/.exec(declared)?.[2] : undefined
  if (preset === undefined) return undefined
  const text = preset.trim()
  return /^-?\d+$/.test(text)
    ? Number(text)
    : text === 'true'
      ? true
      : text === 'false'
        ? false
        : text
}
