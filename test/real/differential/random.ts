import { seededChance, type Chance } from '../../../src/cluster/chance.ts'
import type { RequestOptions } from '../../../src/cluster/api/request.ts'
import type { ResourceId } from '../../../src/cluster/object.ts'
import type { Json, JsonObject } from '../../../src/core/json.ts'
import { mutated } from './mutate.ts'
import { pick } from './pick.ts'
import * as k from './script.ts'
import { changed, type Step } from './script.ts'
import { changesOf, objectOf, statusOf } from './make.ts'

/** How many steps are played on one set of objects, in one namespace. */
const SEQUENCE = 50

const NAMES = ['a', 'b', 'c'] as const
const MANAGERS = ['one', 'two', 'three'] as const
const RESOURCES: readonly ResourceId[] = [
  k.JOBS,
  k.JOBS,
  k.JOBS,
  k.CRONJOBS,
  k.CONFIGMAPS,
  k.CONFIGMAPS,
  k.PODS,
  k.DEPLOYMENTS,
  k.REPLICASETS,
  k.STATEFULSETS,
  k.DAEMONSETS,
  k.SECRETS,
  k.LEASES,
]

/**
 * A sequence of requests about few objects of few kinds, all from the seed: what is sent is mostly
 * valid, now and then with a fault in it. Updates start from the object as it was seen last.
 */
export function randomSteps(seed: number, count: number = SEQUENCE): readonly Step[] {
  const chance = seededChance(seed)
  // Few kinds in one sequence, so that the same objects are met again and again.
  const kinds = [pick(chance, RESOURCES), pick(chance, RESOURCES)]
  return Array.from({ length: count }, () => randomStep(chance, kinds))
}

function randomStep(chance: Chance, kinds: readonly ResourceId[]): Step {
  const resource = pick(chance, kinds)
  const name = pick(chance, NAMES)
  const make = pick(chance, [...MAKERS, ...OFTEN])
  return make(chance, resource, name)
}

type Maker = (chance: Chance, resource: ResourceId, name: string) => Step

const createOne: Maker = (chance, resource, name) => {
  const body = { ...faulty(chance, objectOf(chance, resource, name)) }
  return k.create(resource, body, { ...optional(chance), ...anyCode })
}

const applyOne: Maker = (chance, resource, name) => {
  const body = faulty(chance, objectOf(chance, resource, name))
  const force = chance.next() < 0.4
  const options = {
    ...optional(chance).options,
    fieldManager: pick(chance, MANAGERS),
    ...(force ? { force } : {}),
  }
  return k.patch(resource, name, ['apply', body], { options, ...anyCode })
}

const updateOne: Maker = (chance, resource, name) => {
  const label = `${resource.resource}/${name}`
  const body = changed(label, faulty(chance, changesOf(chance, resource)))
  return k.update(resource, name, body, { ...optional(chance), ...anyCode })
}

const replaceOne: Maker = (chance, resource, name) =>
  k.update(resource, name, faulty(chance, objectOf(chance, resource, name)), {
    ...optional(chance),
    ...anyCode,
  })

const mergeOne: Maker = (chance, resource, name) =>
  k.merge(resource, name, faulty(chance, changesOf(chance, resource)), {
    ...optional(chance),
    ...anyCode,
  })

const strategicOne: Maker = (chance, resource, name) =>
  k.patch(resource, name, ['strategic', faulty(chance, changesOf(chance, resource))], {
    ...optional(chance),
    ...anyCode,
  })

const jsonOne: Maker = (chance, resource, name) =>
  k.patch(resource, name, ['json', jsonPatchOf(chance, changesOf(chance, resource))], {
    ...optional(chance),
    ...anyCode,
  })

const statusOne: Maker = (chance, resource, name) => {
  const status = faulty(chance, statusOf(chance, resource))
  const more = { subresource: 'status', ...optional(chance), ...anyCode }
  const at = chance.next()
  if (at < 0.5) return k.merge(resource, name, { status }, more)
  if (at < 0.7) return k.patch(resource, name, ['strategic', { status }], more)
  return k.update(resource, name, changed(`${resource.resource}/${name}`, { status }), more)
}

const deleteOne: Maker = (chance, resource, name) => {
  const body = deleteBody(chance, resource, name)
  const options = chance.next() < 0.1 ? { options: { dryRun: true } } : {}
  return k.remove(resource, name, {
    ...options,
    ...(body === undefined ? {} : { body }),
    ...anyCode,
  })
}

const letGo: Maker = (_chance, resource, name) =>
  k.merge(resource, name, { metadata: { finalizers: null } }, anyCode)

const getOne: Maker = (_chance, resource, name) => k.get(resource, name, anyCode)

const listAll: Maker = (chance, resource) => k.list(resource, listOptions(chance), anyCode)

const deleteAll: Maker = (chance, resource) =>
  k.removeAll(resource, {
    options: { labelSelector: pick(chance, ['app=x', 'app!=x', 'tier', 'app in (x,y)']) },
    ...(chance.next() < 0.5 ? { body: policyBody(chance) } : {}),
    ...anyCode,
  })

/** Whatever it is. */
const anyCode: k.More = { code: undefined }

const MAKERS: readonly Maker[] = [
  createOne,
  applyOne,
  updateOne,
  replaceOne,
  mergeOne,
  strategicOne,
  jsonOne,
  statusOne,
  deleteOne,
  letGo,
  getOne,
  listAll,
  deleteAll,
]
const OFTEN: readonly Maker[] = [
  createOne,
  createOne,
  applyOne,
  applyOne,
  mergeOne,
  updateOne,
  statusOne,
]

function faulty(chance: Chance, body: JsonObject): JsonObject {
  return chance.next() < 0.15 ? mutated(chance, body) : body
}

function optional(chance: Chance): { readonly options?: RequestOptions } {
  const options: RequestOptions = {
    ...(chance.next() < 0.1 ? { dryRun: true } : {}),
    ...(chance.next() < 0.3 ? { fieldManager: pick(chance, MANAGERS) } : {}),
    ...(chance.next() < 0.05 ? { fieldValidation: pick(chance, ['Strict', 'Ignore']) } : {}),
  }
  return Object.keys(options).length === 0 ? {} : { options }
}

function deleteBody(
  chance: Chance,
  { resource }: ResourceId,
  name: string,
): JsonObject | undefined {
  const at = chance.next()
  if (at < 0.4) return undefined
  if (at < 0.8) return policyBody(chance)
  const options = { apiVersion: 'v1', kind: 'DeleteOptions' }
  if (at < 0.9) return { ...options, gracePeriodSeconds: pick(chance, [0, 1, 30]) }
  const uid = chance.next() < 0.5 ? `$(${resource}/${name}:metadata.uid)` : 'other'
  return { ...options, preconditions: { uid } }
}

function policyBody(chance: Chance): JsonObject {
  const propagationPolicy = pick(chance, ['Background', 'Foreground', 'Orphan'])
  return { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy }
}

function listOptions(chance: Chance): RequestOptions {
  const at = chance.next()
  if (at < 0.5) return {}
  if (at < 0.8)
    return { labelSelector: pick(chance, ['app=x', 'app!=x', '!app', 'tier,app in (x,y)']) }
  if (at < 0.9) return { limit: 1 }
  return { fieldSelector: `metadata.name=${pick(chance, NAMES)}` }
}

/** Each leaf of a change as an operation: set where it is, or taken away. */
function jsonPatchOf(chance: Chance, changes: JsonObject): readonly Json[] {
  const operations: Json[] = []
  const walk = (value: Json | undefined, path: string): void => {
    if (value === null) operations.push({ op: 'remove', path })
    else if (
      isMap(value) &&
      (path === '' || (Object.keys(value).length > 0 && chance.next() < 0.9))
    ) {
      for (const [key, item] of Object.entries(value)) {
        walk(item, `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`)
      }
    } else if (value !== undefined) {
      operations.push({ op: pick(chance, ['add', 'add', 'replace']), path, value })
    }
  }
  walk(changes, '')
  return operations
}

function isMap(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
