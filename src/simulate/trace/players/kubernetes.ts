import { controllerManager } from '../../../cluster/controllers/index.ts'
import type { TracePlayer } from '../player.ts'
import { playOn } from './stage.ts'

/** Jobs, CronJobs and kubectl on a plain cluster: the controller manager is what stops and starts. */
export const kubernetesPlayer: TracePlayer = {
  engine: 'kubernetes',
  play: (trace, tools) => {
    const manager = controllerManager()
    return playOn(trace, { actors: [], restarts: manager.map(({ name }) => name) }, tools)
  },
}
