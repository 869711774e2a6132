import type { TracePlayer } from '../player.ts'
import { argocdPlayer } from './argocd.ts'
import { kubernetesPlayer } from './kubernetes.ts'

/** The engines whose traces can be played. */
export const tracePlayers: readonly TracePlayer[] = [kubernetesPlayer, argocdPlayer]
