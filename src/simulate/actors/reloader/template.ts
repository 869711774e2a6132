import {
  isObject,
  listAt,
  objectAt,
  stringAt,
  type Json,
  type JsonObject,
} from '../../../core/json.ts'
import type { Change } from './change.ts'
import type { ReloaderSettings } from './settings.ts'

const LAST_RELOADED = 'reloader.stakater.com/last-reloaded-from'

/**
 * RL-3: a pod template with the trace of a change in it: a variable in the container that uses the
 * object (for an object that is only named: in the first one), or an annotation. Undefined: nothing
 * to do, because no container uses it, or the trace is there already.
 */
export function reloaded(
  template: JsonObject,
  change: Change,
  isAuto: boolean,
  { strategy }: ReloaderSettings,
): JsonObject | undefined {
  const containers = listAt(template, ['spec', 'containers']).filter(isObject)
  const position = containerUsing(template, containers, change, isAuto)
  const container = position === undefined ? undefined : containers[position]
  if (container === undefined) return undefined
  if (strategy === 'annotations') return annotated(template, change, container)
  const env = changedEnv(listAt(container, ['env']), change)
  if (env === undefined) return undefined
  const next = containers.map((one, at) => (at === position ? { ...one, env } : one))
  return { ...template, spec: { ...objectAt(template, ['spec']), containers: next } }
}

function annotated(template: JsonObject, change: Change, container: JsonObject): JsonObject {
  const source = {
    type: postfixOf(change),
    name: change.name,
    namespace: change.namespace,
    hash: change.hash,
    containerRefs: [stringAt(container, ['name']) ?? ''],
  }
  const annotations = {
    ...objectAt(template, ['metadata', 'annotations']),
    [LAST_RELOADED]: JSON.stringify(source),
  }
  return { ...template, metadata: { ...objectAt(template, ['metadata']), annotations } }
}

/** `STAKATER_SETTINGS_CONFIGMAP`; of a deleted object it is taken away. */
function changedEnv(env: readonly Json[], change: Change): readonly Json[] | undefined {
  const base = change.name
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, '_')
    .replace(/^_/, '')
  const name = `STAKATER_${base}_${postfixOf(change)}`
  const found = env.find((one) => stringAt(one, ['name']) === name)
  if (change.how === 'went away') {
    return found === undefined ? undefined : env.filter((one) => one !== found)
  }
  const variable = { name, value: change.hash }
  if (found === undefined) return [...env, variable]
  if (stringAt(found, ['value']) === change.hash) return undefined
  return env.map((one) => (one === found ? variable : one))
}

function postfixOf({ kind }: Change): string {
  return kind === 'Secret' ? 'SECRET' : 'CONFIGMAP'
}

/** An init container that uses the object stands for the first container. */
function containerUsing(
  template: JsonObject,
  containers: readonly JsonObject[],
  change: Change,
  isAuto: boolean,
): number | undefined {
  const inits = listAt(template, ['spec', 'initContainers']).filter(isObject)
  const volume = volumeOf(template, change)
  const mounts = (container: JsonObject): boolean =>
    listAt(container, ['volumeMounts']).some((one) => stringAt(one, ['name']) === volume)
  for (const uses of [
    ...(volume === undefined ? [] : [mounts]),
    (container: JsonObject) => readsInEnv(container, change),
  ]) {
    const position = containers.findIndex(uses)
    if (position >= 0) return position
    if (inits.some(uses)) return 0
  }
  return isAuto ? undefined : 0
}

function volumeOf(template: JsonObject, { kind, name }: Change): string | undefined {
  const isIt = (source: Json | undefined): boolean =>
    kind === 'ConfigMap'
      ? stringAt(source, ['configMap', 'name']) === name
      : stringAt(source, ['secret', 'secretName']) === name
  const isProjected = (source: Json): boolean =>
    stringAt(source, [kind === 'ConfigMap' ? 'configMap' : 'secret', 'name']) === name
  const found = listAt(template, ['spec', 'volumes']).find(
    (volume) => isIt(volume) || listAt(volume, ['projected', 'sources']).some(isProjected),
  )
  return stringAt(found, ['name'])
}

function readsInEnv(container: JsonObject, { kind, name }: Change): boolean {
  const [key, from] =
    kind === 'ConfigMap' ? ['configMapKeyRef', 'configMapRef'] : ['secretKeyRef', 'secretRef']
  return (
    listAt(container, ['env']).some(
      (one) => stringAt(one, ['valueFrom', key ?? '', 'name']) === name,
    ) || listAt(container, ['envFrom']).some((one) => stringAt(one, [from ?? '', 'name']) === name)
  )
}
