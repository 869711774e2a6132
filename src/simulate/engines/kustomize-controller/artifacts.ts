import { isObject, listAt, objectAt, stringAt, type JsonObject } from '../../../core/json.ts'
import type { Io } from '../../../cluster/actor.ts'
import { textOfBase64 } from '../../../cluster/kinds/base64.ts'
import type { KubeObject, ResourceId } from '../../../cluster/object.ts'
import { build, type Built, type Files } from './build.ts'
import type { ControllerOptions } from './state.ts'
import { sourceOf } from './status.ts'

/** Builds, each once: the same files, Kustomization and variables give the same objects. */
export interface Artifacts {
  build(object: KubeObject, revision: string, io: Io<never>): Built
}

export function createArtifacts({
  artifact,
  fullParser,
}: Pick<ControllerOptions, 'artifact' | 'fullParser'>): Artifacts {
  const known = new WeakMap<Files, Map<string, Built>>()
  return {
    build(object, revision, io) {
      const source = sourceOf(object)
      const files = artifact(revision, source)
      if (files === undefined) {
        const message = 'Source is not ready, artifact not found, retrying in 30s'
        return { reason: 'ArtifactFailed', message }
      }
      const variables = variablesOf(object, io)
      if (variables !== undefined && 'fault' in variables) {
        return { reason: 'BuildFailed', message: variables.fault }
      }
      const builds = known.get(files) ?? new Map<string, Built>()
      known.set(files, builds)
      const { name, namespace } = object.metadata
      const key = JSON.stringify([name, namespace, object['spec'], [...(variables ?? [])]])
      const before = builds.get(key)
      if (before !== undefined) return before
      const built = build({
        files,
        object,
        variables,
        ...(fullParser === undefined ? {} : { fullParser }),
      })
      builds.set(key, built)
      return built
    },
  }
}

export interface Reference {
  readonly resource: ResourceId
  readonly name: string
  readonly isOptional: boolean
}

/** ConfigMaps and Secrets that `postBuild.substituteFrom` names. */
export function referencesOf(object: JsonObject): readonly Reference[] {
  return listAt(object, ['spec', 'postBuild', 'substituteFrom']).flatMap((reference) => {
    const kind = stringAt(reference, ['kind'])
    const name = stringAt(reference, ['name'])
    if (name === undefined || (kind !== 'ConfigMap' && kind !== 'Secret')) return []
    const plural = kind === 'ConfigMap' ? 'configmaps' : 'secrets'
    const isOptional = isObject(reference) && reference['optional'] === true
    return [{ resource: { group: '', version: 'v1', resource: plural }, name, isOptional }]
  })
}

/** Later sources win over earlier ones, and what the Kustomization says itself over all. */
function variablesOf(
  object: KubeObject,
  io: Io<never>,
): ReadonlyMap<string, string> | { readonly fault: string } | undefined {
  const postBuild = objectAt(object, ['spec', 'postBuild'])
  if (postBuild === undefined) return undefined
  const values = new Map<string, string>()
  for (const { resource, name, isOptional } of referencesOf(object)) {
    const live = io.read.get(resource, object.metadata.namespace, name)
    if (live === undefined && isOptional) continue
    if (live === undefined) {
      const kind = resource.resource === 'secrets' ? 'Secret' : 'ConfigMap'
      const what = `${resource.resource} "${name}" not found`
      return { fault: `substitute from '${kind}/${name}' error: ${what}` }
    }
    addAll(values, objectAt(live, ['data']), resource.resource === 'secrets')
  }
  addAll(values, objectAt(postBuild, ['substitute']), false)
  return values
}

function addAll(
  values: Map<string, string>,
  data: JsonObject | undefined,
  isBase64: boolean,
): void {
  for (const [key, value] of Object.entries(data ?? {})) {
    if (value === undefined || value === null || typeof value === 'object') continue
    values.set(key, isBase64 ? (textOfBase64(String(value)) ?? '') : String(value))
  }
}
