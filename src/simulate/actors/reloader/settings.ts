import { booleanAt, listAt, stringAt, type JsonObject } from '../../../core/json.ts'

/** How Reloader was started, by the names of its flags; annotations under their default names. */
export interface ReloaderSettings {
  /** What becomes of a template: a variable with the hash of the data, or an annotation. */
  readonly strategy: 'env-vars' | 'annotations'
  readonly autoReloadAll: boolean
  readonly reloadOnCreate: boolean
  readonly reloadOnDelete: boolean
  readonly ignoresJobs: boolean
  readonly ignoresCronJobs: boolean
  readonly ignoresConfigMaps: boolean
  readonly ignoresSecrets: boolean
  readonly ignoredNamespaces: readonly string[]
  /** RL-5: from 1.3 on. */
  readonly knowsJobs: boolean
  /** RL-4: from 1.4.6 on. */
  readonly ownsItsJobs: boolean
}

export const RELOADER_SETTINGS: readonly string[] = [
  'reloadStrategy',
  'autoReloadAll',
  'reloadOnCreate',
  'reloadOnDelete',
  'ignoredWorkloadTypes',
  'resourcesToIgnore',
  'namespacesToIgnore',
  'version',
]

export function reloaderSettings(settings: JsonObject): ReloaderSettings {
  const workloads = texts(settings, 'ignoredWorkloadTypes')
  const resources = texts(settings, 'resourcesToIgnore').map((one) => one.toLowerCase())
  const version = stringAt(settings, ['version'])
  return {
    strategy: stringAt(settings, ['reloadStrategy']) === 'annotations' ? 'annotations' : 'env-vars',
    autoReloadAll: booleanAt(settings, ['autoReloadAll']) ?? false,
    reloadOnCreate: booleanAt(settings, ['reloadOnCreate']) ?? false,
    reloadOnDelete: booleanAt(settings, ['reloadOnDelete']) ?? false,
    ignoresJobs: workloads.includes('jobs'),
    ignoresCronJobs: workloads.includes('cronjobs'),
    ignoresConfigMaps: resources.includes('configmaps'),
    ignoresSecrets: resources.includes('secrets'),
    ignoredNamespaces: texts(settings, 'namespacesToIgnore'),
    knowsJobs: isAtLeast(version, [1, 3, 0]),
    ownsItsJobs: isAtLeast(version, [1, 4, 6]),
  }
}

function texts(settings: JsonObject, key: string): readonly string[] {
  return listAt(settings, [key]).filter((one) => typeof one === 'string')
}

/** A version that nobody states is a new one. */
function isAtLeast(version: string | undefined, least: readonly number[]): boolean {
  if (version === undefined) return true
  const parts = version.replace(/^v/, '').split('.').map(Number)
  for (const [at, wanted] of least.entries()) {
    const part = parts[at] ?? Infinity
    if (part !== wanted) return part > wanted
  }
  return true
}
