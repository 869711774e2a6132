import { objectAt, stringAt, type JsonObject } from '../../../core/json.ts'
import type { Io } from '../../../cluster/actor.ts'
import type { Kind } from '../../../cluster/api/kind.ts'
import type { Answer, Request, Status } from '../../../cluster/api/request.ts'
import type { KubeObject } from '../../../cluster/object.ts'
import type { ActionPorts } from './contract.ts'
import { kindOf, nameOf } from './manifest.ts'

/** An object of a chart at its place in the cluster. */
export interface Target {
  readonly object: JsonObject
  readonly kind: Kind
  readonly namespace: string | undefined
  readonly name: string
}

export const USER = 'Helm'

/** The words of Helm when the cluster does not serve the kind. */
export function targetOf(
  object: JsonObject,
  namespace: string,
  io: Io<never>,
  { kindOf: find }: ActionPorts,
): Target | { readonly fault: string } {
  const apiVersion = stringAt(object, ['apiVersion']) ?? ''
  const kind = find(apiVersion, kindOf(object), io.read)
  if (kind === undefined) {
    const fault =
      `resource mapping not found for name: "${nameOf(object)}" namespace: ` +
      `"${stringAt(object, ['metadata', 'namespace']) ?? ''}" from "": no matches for kind ` +
      `"${kindOf(object)}" in version "${apiVersion}"\nensure CRDs are installed first`
    return { fault }
  }
  const name = nameOf(object)
  if (!kind.namespaced) return { object, kind, namespace: undefined, name }
  const own = stringAt(object, ['metadata', 'namespace']) ?? namespace
  const metadata = { ...objectAt(object, ['metadata']), namespace: own }
  return { object: { ...object, metadata }, kind, namespace: own, name }
}

/** All of them, or what keeps one from being built. */
export function targetsOf(
  objects: readonly JsonObject[],
  namespace: string,
  io: Io<never>,
  ports: ActionPorts,
): readonly Target[] | { readonly fault: string } {
  const targets: Target[] = []
  for (const object of objects) {
    const target = targetOf(object, namespace, io, ports)
    if ('fault' in target) return target
    targets.push(target)
  }
  return targets
}

export function placeOf({
  kind,
  namespace,
  name,
}: Target): Pick<Request, 'resource' | 'namespace' | 'name'> {
  const resource = { group: kind.group, version: kind.version, resource: kind.resource }
  return namespace === undefined ? { resource, name } : { resource, namespace, name }
}

/** One that goes into the same place is the same object for Helm: kind, namespace and name. */
export function isSame(one: Target, other: Target): boolean {
  return (
    one.kind.group === other.kind.group &&
    one.kind.resource === other.kind.resource &&
    one.namespace === other.namespace &&
    one.name === other.name
  )
}

/** Undefined when it is not there; a text when even a client does not ask for it. */
export function liveOf(target: Target, io: Io<never>): KubeObject | undefined {
  return io.read.get(target.kind, target.namespace, target.name)
}

export const NAMELESS = 'resource name may not be empty'

export function messageOf(answer: Answer): string {
  return (answer.body as Status).message ?? ''
}

/** What Helm writes on each object of a manifest; hooks do not get it. */
export function withOwner(object: JsonObject, release: string, namespace: string): JsonObject {
  const metadata = objectAt(object, ['metadata']) ?? {}
  return {
    ...object,
    metadata: {
      ...metadata,
      labels: { ...objectAt(metadata, ['labels']), [MANAGED_BY]: 'Helm' },
      annotations: {
        ...objectAt(metadata, ['annotations']),
        [RELEASE_NAME]: release,
        [RELEASE_NAMESPACE]: namespace,
      },
    },
  }
}

/** H-11: what is missing on an object that is there already; undefined when it is the release's. */
export function foreignness(
  live: KubeObject,
  release: string,
  namespace: string,
): string | undefined {
  const { labels = {}, annotations = {} } = live.metadata
  const faults = [
    wrong('label', labels, MANAGED_BY, 'Helm'),
    wrong('annotation', annotations, RELEASE_NAME, release),
    wrong('annotation', annotations, RELEASE_NAMESPACE, namespace),
  ].filter((fault) => fault !== undefined)
  return faults.length === 0 ? undefined : `invalid ownership metadata; ${faults.join('; ')}`
}

function wrong(
  what: string,
  of: { readonly [key: string]: string },
  key: string,
  value: string,
): string | undefined {
  const there = of[key]
  if (there === value) return undefined
  return there === undefined
    ? `${what} validation error: missing key "${key}": must be set to "${value}"`
    : `${what} validation error: key "${key}" must equal "${value}": current value is "${there}"`
}

const MANAGED_BY = 'app.kubernetes.io/managed-by'
const RELEASE_NAME = 'meta.helm.sh/release-name'
const RELEASE_NAMESPACE = 'meta.helm.sh/release-namespace'
