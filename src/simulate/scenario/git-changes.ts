import { isObject, stringAt, type Json, type JsonObject } from '../../core/json.ts'
import { objectsOf } from '../trace/manifests.ts'
import type { ObjectRef } from '../world/world.ts'
import { fieldAt, keysOf, withField } from './fields.ts'
import type { Files } from './stage.ts'
import { long, parseRef } from './words.ts'

/** Kinds whose engine applies what stands in Git, and fields that its own object has. */
const CARRIERS: Readonly<Record<string, { readonly kinds: RegExp; readonly own: RegExp }>> = {
  'flux-kustomization': {
    kinds: /^Kustomization$/,
    own: /^spec\.(?:suspend|interval|retryInterval|timeout|force|wait|prune|path|targetNamespace|dependsOn|sourceRef|postBuild|patches|images|healthChecks|healthCheckExprs|deletionPolicy|commonMetadata|components|serviceAccountName)\b/,
  },
  argocd: {
    kinds: /^(?:Application|AppProject)$/,
    own: /^spec\.(?:syncPolicy|sources?|destination|project|ignoreDifferences|info|revisionHistoryLimit)\b/,
  },
  fleet: {
    kinds: /^(?:GitRepo|Bundle)$/,
    own: /^spec\.(?:paused|paths|correctDrift|helm|targets|pollingInterval|branch|repo|forceSyncGeneration|targetNamespace|keepResources)\b/,
  },
}

/**
 * The files after `change: {spec.replicas: 3}` of an event, where it is about manifests in Git and
 * not about the engine's own object. Undefined: it is not about these files.
 */
export function changedInGit(engine: string, event: JsonObject, files: Files): Files | undefined {
  const carrier = CARRIERS[engine === 'rancher-fleet' ? 'fleet' : engine]
  const { change } = event
  if (carrier === undefined || !isObject(change)) return undefined
  let made: Files | undefined
  for (const { ref, fields } of partsOf(event, change)) {
    if (ref !== undefined && carrier.kinds.test(ref.kind)) continue
    if (ref === undefined && Object.keys(fields).every((path) => carrier.own.test(path))) continue
    made = withChange(made ?? files, ref, fields) ?? made
  }
  return made
}

interface Part {
  readonly ref: ObjectRef | undefined
  readonly fields: JsonObject
}

/** `{spec.replicas: 3}` with `object` beside it, or `{Deployment/shop/web: {spec.replicas: 3}}`. */
function partsOf(event: JsonObject, change: JsonObject): readonly Part[] {
  const own = Object.entries(change).filter(
    ([key, value]) =>
      key.includes('/') && isObject(value) && !/^(?:spec|metadata|data)\./.test(key),
  )
  if (own.length > 0) {
    return own.map(([key, value]) => ({ ref: parseRef(key), fields: isObject(value) ? value : {} }))
  }
  const { object } = event
  return [{ ref: typeof object === 'string' ? parseRef(object) : undefined, fields: change }]
}

function withChange(
  files: Files,
  ref: ObjectRef | undefined,
  fields: JsonObject,
): Files | undefined {
  const paths = Object.entries(fields).map(([path, value]) => [keysOf(long(path)), value] as const)
  const isMeant = (object: JsonObject): boolean =>
    ref === undefined ? paths.every(([path]) => isPlace(object, path)) : isThat(object, ref)
  let isChanged = false
  const next = Object.entries(files).map(([path, text]) => {
    if (!/\.(?:ya?ml|json)$/.test(path) || text.includes('{{')) return [path, text]
    const objects = objectsOf(path, text)
    if (!objects.some(isMeant)) return [path, text]
    isChanged = true
    const made = objects.map((object) => (isMeant(object) ? withAll(object, paths) : object))
    return [path, made.map((object) => JSON.stringify(object)).join('\n---\n')]
  })
  return isChanged ? (Object.fromEntries(next) as Files) : undefined
}

type Paths = readonly (readonly [readonly string[], Json | undefined])[]

function withAll(object: JsonObject, paths: Paths): JsonObject {
  return paths.reduce((made, [path, value]) => withField(made, path, value), object)
}

/** Without a name, what has the field, and work that could have it. */
function isPlace(object: JsonObject, path: readonly string[]): boolean {
  if (fieldAt(object, path) !== undefined) return true
  const isWork = /^(?:Cron)?Job$/.test(stringAt(object, ['kind']) ?? '')
  return isWork && !/^(?:replicas|data)$/.test(path.at(-1) ?? '')
}

function isThat(object: JsonObject, { kind, namespace, name }: ObjectRef): boolean {
  return (
    stringAt(object, ['kind']) === kind &&
    stringAt(object, ['metadata', 'name']) === name &&
    (namespace === undefined ||
      (stringAt(object, ['metadata', 'namespace']) ?? namespace) === namespace)
  )
}
