import {
  at,
  integerAt,
  isObject,
  isList,
  stringAt,
  type Json,
  type JsonObject,
  type Path,
} from '../../core/json.ts'
import { fields } from '../fields/index.ts'
import type { KubeObject, ManagedFieldsEntry } from '../object.ts'
import type { Call, Host, Result } from './host.ts'
import type { Kind, ScalePaths } from './kind.ts'
import {
  badRequest,
  conflict,
  invalid,
  methodNotAllowed,
  notFound,
  OPTIMISTIC_LOCK,
  Refusal,
} from './status.ts'
import { managersOfUpdate, writeOver } from './update.ts'

const BUILT_IN: ScalePaths = {
  specReplicas: ['spec', 'replicas'],
  statusReplicas: ['status', 'replicas'],
  selector: ['spec', 'selector'],
}

/** The scale subresource: the object's replicas as an autoscaling/v1 Scale. */
export function scale(host: Host, call: Call): Result | Refusal {
  const { request, kind } = call
  const name = request.name ?? ''
  const object = host.store.get(kind, request.namespace, name)
  if (object === undefined) return notFound(kind, name)
  const shown = scaleOf(kind, object)
  if (request.verb === 'get') return { code: 200, body: shown }
  if (request.verb !== 'update' && request.verb !== 'patch') return methodNotAllowed()
  const wanted = wantedScale(call, shown)
  if (wanted instanceof Refusal) return wanted
  const version = stringAt(wanted, ['metadata', 'resourceVersion']) ?? ''
  if (version !== '' && version !== object.metadata.resourceVersion) {
    return conflict(kind, name, OPTIMISTIC_LOCK)
  }
  const replicas = integerAt(wanted, ['spec', 'replicas']) ?? 0
  if (replicas < 0) {
    const detail = 'must be greater than or equal to 0'
    const error = { type: 'Invalid', field: 'spec.replicas', value: replicas, detail } as const
    return invalid({ group: 'autoscaling', kind: 'Scale' }, name, [error])
  }
  const next = withValue(object, pathsOf(kind).specReplicas, replicas)
  const { subresource: _, ...plain } = request
  const main = { ...call, request: plain }
  // The server keeps no time of who scales.
  const managedFields = managersOfUpdate(call, next, object)
    .map(timeless)
    .toSorted((one, other) => Number(isScale(other)) - Number(isScale(one)))
  const written = writeOver(host, main, object, { object: next, managedFields })
  if (written instanceof Refusal) return written
  return { code: 200, body: scaleOf(kind, written.body as KubeObject) }
}

function isScale({ subresource }: ManagedFieldsEntry): boolean {
  return subresource === 'scale'
}

function timeless(entry: ManagedFieldsEntry): ManagedFieldsEntry {
  if (!isScale(entry)) return entry
  const { time: _, ...rest } = entry
  return rest
}

function wantedScale({ request }: Call, shown: KubeObject): JsonObject | Refusal {
  if (request.verb === 'update') {
    return isObject(request.body) ? request.body : badRequest('the body is no Scale')
  }
  const body = request.patch?.body ?? null
  const result =
    request.patch?.type === 'json' ? fields.jsonPatch(shown, body) : fields.mergePatch(shown, body)
  if ('kind' in result) return result
  const { message } = result
  return badRequest(typeof message === 'string' ? message : '')
}

function scaleOf(kind: Kind, object: KubeObject): KubeObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata
  const paths = pathsOf(kind)
  const replicas = integerAt(object, paths.specReplicas) ?? 0
  const selector = selectorText(
    paths.selector === undefined ? undefined : at(object, paths.selector),
  )
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      uid,
      resourceVersion,
      creationTimestamp,
    },
    spec: replicas === 0 ? {} : { replicas },
    status: {
      replicas: integerAt(object, paths.statusReplicas) ?? 0,
      ...(selector === '' ? {} : { selector }),
    },
  }
}

function pathsOf(kind: Kind): ScalePaths {
  return kind.scale ?? BUILT_IN
}

/** A label selector as one line: `a=b,c in (d,e),!f`. */
function selectorText(selector: Json | undefined): string {
  if (typeof selector === 'string') return selector
  if (!isObject(selector)) return ''
  const labels = isObject(selector['matchLabels']) ? selector['matchLabels'] : {}
  const terms = Object.keys(labels).map((key): readonly [string, string] => [
    key,
    `${key}=${stringAt(labels, [key]) ?? ''}`,
  ])
  const expressions = selector['matchExpressions']
  for (const entry of isList(expressions) ? expressions : []) {
    const key = stringAt(entry, ['key']) ?? ''
    terms.push([key, expressionText(key, entry)])
  }
  return terms
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, term]) => term)
    .join(',')
}

function expressionText(key: string, entry: Json): string {
  const operator = stringAt(entry, ['operator'])
  const given = at(entry, ['values'])
  const values = isList(given) ? given.map(String).sort().join(',') : ''
  if (operator === 'Exists') return key
  if (operator === 'DoesNotExist') return `!${key}`
  return `${key} ${operator === 'NotIn' ? 'notin' : 'in'} (${values})`
}

function withValue(object: JsonObject, path: Path, value: Json): JsonObject {
  const [step, ...rest] = path
  if (step === undefined) return object
  if (rest.length === 0) return { ...object, [step]: value }
  const inner = object[step]
  return { ...object, [step]: withValue(isObject(inner) ? inner : {}, rest, value) }
}
