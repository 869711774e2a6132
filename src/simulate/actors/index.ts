import { argocdImageUpdater } from './argocd-image-updater/index.ts'
import { fluxImageAutomation } from './flux-image-automation/index.ts'
import { kueue } from './kueue/index.ts'
import { istioMesh, linkerdMesh } from './mesh/index.ts'
import { reloader } from './reloader/index.ts'
import type { SecondActor } from './second-actor.ts'

export { registryOf } from './registry.ts'
export { secondActorRules } from './rules.ts'
export type { ActorParts, ActorTools, GitCommit, SecondActor } from './second-actor.ts'

/** Who may act on Jobs besides the engine. One line each. */
export const secondActors: readonly SecondActor[] = [
  argocdImageUpdater,
  fluxImageAutomation,
  istioMesh,
  kueue,
  linkerdMesh,
  reloader,
]
