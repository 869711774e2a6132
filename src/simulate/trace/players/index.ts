import type { TracePlayer } from '../player.ts'
import { argocdPlayer } from './argocd.ts'
import { fluxOperatorPlayer } from './flux-operator.ts'
import { helmControllerPlayer } from './helm-controller.ts'
import { helmPlayer } from './helm.ts'
import { kroPlayer } from './kro.ts'
import { kubernetesPlayer } from './kubernetes.ts'
import { kustomizeControllerPlayer } from './kustomize-controller.ts'

/** The engines whose traces can be played. */
export const tracePlayers: readonly TracePlayer[] = [
  kubernetesPlayer,
  helmPlayer,
  kroPlayer,
  argocdPlayer,
  fluxOperatorPlayer,
  kustomizeControllerPlayer,
  helmControllerPlayer,
]
