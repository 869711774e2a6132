import type { ScenarioEvent } from './format.ts'

/** Events that are asked of the engine itself, and which engine hears them. */
const ASKED: Readonly<Record<string, readonly string[]>> = {
  sync: [
    'argocd',
    'fleet',
    'rancher-fleet',
    'flux-helmrelease',
    'helm-controller',
    'flux-kustomization',
    'flux-resourceset',
    'flux-operator',
    'generic-reconciler',
    'package-operator',
    'helm',
    'helm-cli',
    'kubectl',
    'kubectl-schedule',
    'kustomize',
    'terraform',
  ],
  values: [
    'argocd',
    'fleet',
    'rancher-fleet',
    'flux-helmrelease',
    'helm-controller',
    'flux-resourceset',
    'flux-operator',
    'helm',
    'helm-cli',
    'terraform',
  ],
  upgrade: ['flux-helmrelease', 'helm-controller', 'helm', 'helm-cli'],
  rollback: ['flux-helmrelease', 'helm-controller', 'helm', 'helm-cli'],
  test: ['flux-helmrelease', 'helm-controller', 'helm', 'helm-cli'],
  uninstall: [
    'flux-helmrelease',
    'helm-controller',
    'flux-resourceset',
    'flux-operator',
    'helm',
    'helm-cli',
  ],
}

/** Why an engine could not hear what an event asks of it. */
export function notSupported(kind: string, event: ScenarioEvent): string | undefined {
  for (const [key, kinds] of Object.entries(ASKED)) {
    if (event[key] === undefined || event[key] === false || kinds.includes(kind)) continue
    return `${key}: nobody asks ${kind} for this; engines that know it are ${kinds.join(', ')}`
  }
  return undefined
}
