import { isObject, objectAt, type JsonObject, type Path } from '../core/json.ts'
import { inheritOf } from './env.ts'
import { keyedMerge, tidied } from './merge.ts'
import type { JobScope } from './scope.ts'

export interface Storage {
  readonly volumes: readonly JsonObject[]
  readonly mounts: readonly JsonObject[]
}

/** The volumes of the pod and what its containers mount: the user's by name, then ConfigMaps. */
export function storageOf(scope: JobScope, fullName: string): Storage {
  const { root, group, job } = scope
  const automatic = automaticOf(scope, fullName)
  const fromRoot = scope.flag('useRootVolumes', false) ? root['volumes'] : undefined
  const own = keyedMerge([fromRoot, group['volumes'], job['volumes']])
  const asked = keyedMerge([group['volumeMounts'], job['volumeMounts']])
  for (const { volume } of automatic) {
    if (own[volume] !== undefined) sayReserved(scope, volume)
  }
  const known = new Set([...Object.keys(own), ...automatic.map(({ volume }) => volume)])
  for (const name of Object.keys(asked).sort()) {
    if (!known.has(name)) sayMissing(scope, name)
  }
  const mounts = [
    ...named(asked),
    ...automatic.map(({ volume, mountPath, isWritable }) => ({
      name: volume,
      mountPath,
      ...(isWritable ? {} : { readOnly: true }),
    })),
  ]
  judgePaths(scope, mounts)
  return { volumes: [...named(own), ...automatic.map(({ source }) => source)], mounts }
}

interface Automatic {
  readonly volume: string
  readonly mountPath: string
  readonly isWritable: boolean
  readonly source: JsonObject
}

function automaticOf({ root, group, job }: JobScope, fullName: string): readonly Automatic[] {
  const wished = inheritOf(group, job)['configMapMount']
  if (wished === false) return []
  const entries = Object.entries(objectAt(root, ['configMaps']) ?? {})
  return entries
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([key, entry]) => {
      if (!isObject(entry) || entry['enabled'] !== true) return []
      if (isObject(wished) && wished[key] === false) return []
      const { mountPath, defaultMode } = entry
      if (typeof mountPath !== 'string' || mountPath === '') return []
      const mode = typeof defaultMode === 'number' ? { defaultMode } : {}
      const configMap = { name: `${fullName}-${key}`, ...mode }
      const volume = `cm-${key}`
      const isWritable = entry['readOnly'] === false
      return [{ volume, mountPath, isWritable, source: { name: volume, configMap } }]
    })
}

function named(map: JsonObject): readonly JsonObject[] {
  return Object.keys(map)
    .sort()
    .flatMap((name) => {
      const entry = tidied(map[name] ?? null)
      return isObject(entry) ? [{ name, ...entry }] : []
    })
}

function judgePaths(scope: JobScope, mounts: readonly JsonObject[]): void {
  const seen = new Map<string, string>()
  for (const { name, mountPath } of mounts) {
    if (typeof mountPath !== 'string' || typeof name !== 'string') continue
    const key = mountPath.replace(/(?<=.)\/+$/, '')
    const first = seen.get(key)
    if (first === undefined) seen.set(key, name)
    else {
      scope.say('JG119', {
        text: `'${first}' and '${name}' are both mounted on ${mountPath}`,
        remedy:
          'give one another mountPath, or switch an automatic one off: inherit.configMapMount',
        at: placeOfMount(scope, [name, first]),
      })
    }
  }
}

/** The mount of the user is shown rather than an automatic one. */
function placeOfMount(scope: JobScope, names: readonly string[]): Path {
  const own = names.map((name) => scope.whereIs('volumeMounts', name))
  const [first = ''] = names
  const automatic = ['configMaps', first.replace(/^cm-/, '')]
  return own.find((path) => path !== scope.path) ?? automatic
}

function sayMissing(scope: JobScope, name: string): void {
  const isOnRoot = objectAt(scope.root, ['volumes'])?.[name] !== undefined
  scope.say('JG119', {
    text: `the mount '${name}' names no volume of the pod`,
    remedy: isOnRoot
      ? 'it is a root volume: set useRootVolumes: true'
      : `add volumes.${name}, or remove the mount`,
    at: scope.whereIs('volumeMounts', name),
  })
}

function sayReserved(scope: JobScope, name: string): void {
  scope.say('JG119', {
    text: `the volume name '${name}' is that of an automatic one`,
    remedy: `rename it, or switch the other off: inherit.configMapMount.${name.slice('cm-'.length)}`,
    at: scope.whereIs('volumes', name),
  })
}
