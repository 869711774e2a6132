import type { Wanted } from '../core/yaml/read-file.ts'

/** Kinds and API groups that decide what happens to a Job. */
export const OBJECTS: Wanted = {
  needles: [
    { kind: 'Job' },
    { kind: 'CronJob' },
    // Its labels decide what is injected into the pods of Jobs.
    { kind: 'Namespace' },
    { group: 'kustomize.toolkit.fluxcd.io' },
    { group: 'kustomize.config.k8s.io' },
    { group: 'helm.toolkit.fluxcd.io' },
    { group: 'source.toolkit.fluxcd.io' },
    { group: 'argoproj.io' },
    { group: 'fluxcd.controlplane.io' },
    { group: 'kro.run' },
    { group: 'fleet.cattle.io' },
  ],
}

export const WHOLE: Wanted = { all: true, needles: [] }

/** Files that are known by their name and need not say a kind. */
const NAMED = new Set([
  'kustomization.yaml',
  'kustomization.yml',
  'Kustomization',
  'Chart.yaml',
  'fleet.yaml',
])

export function isKnownByName(path: string): boolean {
  return NAMED.has(path.slice(path.lastIndexOf('/') + 1))
}

/** Files that may hold manifests; whatever is named on the command line is read anyway. */
export function mayHoldManifests(path: string): boolean {
  return (
    /\.(?:ya?ml|json)$/i.test(path) || path === 'Kustomization' || path.endsWith('/Kustomization')
  )
}
