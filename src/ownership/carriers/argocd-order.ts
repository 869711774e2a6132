import { at, isObject, stringAt, type JsonObject } from '../../core/json.ts'
import { bytesOf, findBytes } from '../../core/yaml/bytes.ts'
import { KUSTOMIZATION_NAMES } from '../kustomize/build.ts'
import type { Entry } from '../kustomize/built.ts'
import { parent } from '../tree.ts'
import type { World } from '../world.ts'
import type { Load } from './carrier.ts'

/** When Argo CD applies an object within one sync. */
interface Turn {
  readonly phases: readonly string[]
  readonly wave: number
  readonly isHook: boolean
}

/**
 * Whether something of the same application surely comes after a plain object in a sync, so that
 * the sync waits for it. `false` says only that nothing is known to.
 */
export function isFollowed(entry: Entry, loads: readonly Load[], world: World): boolean {
  const own = turnOf(entry.object.value)
  if (own.isHook) return false
  return loads.some(
    ({ entries, files }) =>
      entries.some((other) => other !== entry && isLater(turnOf(other.object.value), own)) ||
      (files?.() ?? []).some((path) => holdsLater(path, own, entry, world)),
  )
}

/**
 * Whether the object, which asks for a wave of its own, surely comes last in a sync of several
 * waves: everything that the application applies was seen, and nothing follows.
 */
export function isLast(entry: Entry, loads: readonly Load[], world: World): boolean {
  const own = turnOf(entry.object.value)
  const asks = at(entry.object.value, WAVE) !== undefined
  if (own.isHook || !asks || !loads.every(({ isWhole }) => isWhole === true)) return false
  const files = loads.flatMap((load) => load.files?.() ?? [])
  if (files.some((path) => world.sourceOf(path) === undefined)) return false
  if (isFollowed(entry, loads, world) || isSetElsewhere(entry, files, world)) return false
  const others = files.flatMap((path) => turnsIn(path, entry, world))
  return others.some(({ isHook, wave }) => isHook || wave < own.wave)
}

const WAVE = ['metadata', 'annotations', 'argocd.argoproj.io/sync-wave']

/** A kustomization on the way may give others a wave. */
function isSetElsewhere({ links }: Entry, files: readonly string[], world: World): boolean {
  const folders = new Set(files.map(parent))
  const paths = [
    ...links.map(({ path }) => path),
    ...[...folders].flatMap((folder) =>
      KUSTOMIZATION_NAMES.map((name) => (folder === '' ? name : `${folder}/${name}`)),
    ),
  ]
  return paths.some((path) => {
    const source = world.sourceOf(path)
    return source !== undefined && MARKS.some((mark) => findBytes(source.bytes, mark, 0) >= 0)
  })
}

function turnsIn(path: string, entry: Entry, world: World): readonly Turn[] {
  const { document } = entry.manifest
  return world.documentsIn(path).flatMap((other) => {
    const value = other.value()
    if (!isObject(value) || value['kind'] === undefined || other === document) return []
    return [turnOf(value)]
  })
}

/** Files without a word on order hold objects of wave 0, and need no parsing. */
function holdsLater(path: string, own: Turn, entry: Entry, world: World): boolean {
  const source = world.sourceOf(path)
  if (source === undefined) return false
  const isOrdered = MARKS.some((mark) => findBytes(source.bytes, mark, 0) >= 0)
  const isOwnFile = source.path === entry.manifest.document.source.path
  if (!isOrdered && !isOwnFile) return own.wave < 0
  if (!isOrdered && own.wave >= 0) return false
  return world.documentsIn(path).some((document) => {
    if (document.index === entry.manifest.document.index && isOwnFile) return false
    const value = document.value()
    return isObject(value) && value['kind'] !== undefined && isLater(turnOf(value), own)
  })
}

const MARKS = ['sync-wave', 'argocd.argoproj.io/hook', 'helm.sh/hook'].map(bytesOf)

function isLater({ phases, wave }: Turn, own: Turn): boolean {
  return phases.includes('PostSync') || (phases.includes('Sync') && wave > own.wave)
}

function turnOf(object: JsonObject): Turn {
  const annotation = (key: string): string | undefined =>
    stringAt(object, ['metadata', 'annotations', key])
  const wave = annotation('argocd.argoproj.io/sync-wave') ?? annotation('helm.sh/hook-weight')
  const own = annotation('argocd.argoproj.io/hook')
  const helm = annotation('helm.sh/hook')
  const phases = own === undefined ? helmPhases(helm) : words(own)
  const isHook = own !== undefined || (helm !== undefined && helm !== 'crd-install')
  return { phases, isHook, wave: /^-?\d+$/.test(wave ?? '') ? Number(wave) : 0 }
}

function helmPhases(hook: string | undefined): readonly string[] {
  if (hook === undefined || hook === 'crd-install') return ['Sync']
  return words(hook).flatMap((word) => {
    if (word === 'post-install' || word === 'post-upgrade') return ['PostSync']
    return word === 'pre-install' || word === 'pre-upgrade' ? ['PreSync'] : []
  })
}

function words(list: string): readonly string[] {
  return list.split(',').map((word) => word.trim())
}
