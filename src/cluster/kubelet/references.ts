import { isObject, listAt, objectAt, stringAt, type Json } from '../../core/json.ts'
import type { Reader } from '../actor.ts'
import type { Pod } from '../pod.ts'

/** Why a pod's containers cannot be made. */
export interface Missing {
  readonly kind: 'ConfigMap' | 'Secret'
  readonly name: string
  /** As a container's waiting state says it. */
  readonly reason: 'CreateContainerConfigError' | 'ContainerCreating'
  readonly message: string
}

/**
 * The first ConfigMap or Secret that the pod cannot do without and that is not there: in a volume, or
 * in the environment of a container. What is marked optional may be absent.
 */
export function missingReference(pod: Pod, read: Reader): Missing | undefined {
  const { namespace } = pod.metadata
  const isThere = (kind: Missing['kind'], name: string): boolean => {
    const resource = kind === 'Secret' ? 'secrets' : 'configmaps'
    return read.get({ group: '', version: 'v1', resource }, namespace, name) !== undefined
  }
  for (const { kind, name, isVolume } of referencesOf(pod)) {
    if (isThere(kind, name)) continue
    return {
      kind,
      name,
      reason: isVolume ? 'ContainerCreating' : 'CreateContainerConfigError',
      message: `${kind.toLowerCase()} "${name}" not found`,
    }
  }
  return undefined
}

interface Reference {
  readonly kind: Missing['kind']
  readonly name: string
  readonly isVolume: boolean
}

function referencesOf(pod: Pod): readonly Reference[] {
  const found: Reference[] = []
  const note = (
    kind: Missing['kind'],
    source: Json | undefined,
    key: string,
    isVolume: boolean,
  ) => {
    if (!isObject(source) || source['optional'] === true) return
    const name = stringAt(source, [key])
    if (name !== undefined) found.push({ kind, name, isVolume })
  }
  for (const volume of listAt(pod.spec, ['volumes'])) {
    note('ConfigMap', objectAt(volume, ['configMap']), 'name', true)
    note('Secret', objectAt(volume, ['secret']), 'secretName', true)
    for (const source of listAt(volume, ['projected', 'sources'])) {
      note('ConfigMap', objectAt(source, ['configMap']), 'name', true)
      note('Secret', objectAt(source, ['secret']), 'name', true)
    }
  }
  for (const container of [...(pod.spec.initContainers ?? []), ...pod.spec.containers]) {
    for (const source of listAt(container, ['envFrom'])) {
      note('ConfigMap', objectAt(source, ['configMapRef']), 'name', false)
      note('Secret', objectAt(source, ['secretRef']), 'name', false)
    }
    for (const variable of listAt(container, ['env'])) {
      note('ConfigMap', objectAt(variable, ['valueFrom', 'configMapKeyRef']), 'name', false)
      note('Secret', objectAt(variable, ['valueFrom', 'secretKeyRef']), 'name', false)
    }
  }
  return found
}
