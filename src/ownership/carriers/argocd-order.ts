import { stringAt, type JsonObject } from '../../core/json.ts'
import type { Entry } from '../kustomize/built.ts'
import type { Load } from './carrier.ts'

/** When Argo CD applies an object within one sync. */
interface Turn {
  readonly phases: readonly string[]
  readonly wave: number
}

/**
 * Whether something of the same carrier comes after the object in a sync, so that the sync waits
 * for it. Only Jobs and carriers are seen: `false` says that none of these does.
 */
export function isFollowed(entry: Entry, loads: readonly Load[]): boolean {
  const own = turnOf(entry.object.value)
  if (!own.phases.includes('Sync')) return false
  return loads.some(({ entries }) =>
    entries.some((other) => other !== entry && isLater(turnOf(other.object.value), own)),
  )
}

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
  return { phases, wave: /^-?\d+$/.test(wave ?? '') ? Number(wave) : 0 }
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
