import type { ContainerScript } from './script.ts'

/** A container's status as a kubelet writes it. */
export interface ContainerStatus {
  readonly name: string
  readonly image: string
  readonly imageID: string
  readonly ready: boolean
  readonly started: boolean
  readonly restartCount: number
  readonly state: ContainerState
  readonly lastState?: ContainerState
}

interface ContainerState {
  readonly waiting?: { readonly reason: string }
  readonly running?: { readonly startedAt: string }
  readonly terminated?: Terminated
}

interface Terminated {
  readonly exitCode: number
  readonly reason: string
  readonly startedAt: string
  readonly finishedAt: string
}

export function notStarted({ name, image }: ContainerScript): ContainerStatus {
  const state = { waiting: { reason: 'PodInitializing' } }
  return { name, image, imageID: '', ready: false, started: false, restartCount: 0, state }
}

export function running(
  { name, image, isSidecar, isInit }: ContainerScript,
  restartCount: number,
): ContainerStatus {
  const state = { running: { startedAt: new Date().toISOString() } }
  const ready = isSidecar || !isInit
  return { name, image, imageID: `played/${image}`, ready, started: true, restartCount, state }
}

/** What has become of `was`, which ran. */
export function ended(
  { name, image, isInit, isSidecar }: ContainerScript,
  exitCode: number,
  was: ContainerStatus | undefined,
): ContainerStatus {
  const finishedAt = new Date().toISOString()
  const startedAt = was?.state.running?.startedAt ?? finishedAt
  const reason = exitCode === 0 ? 'Completed' : 'Error'
  const state = { terminated: { exitCode, reason, startedAt, finishedAt } }
  const ready = isInit && !isSidecar && exitCode === 0
  const restartCount = was?.restartCount ?? 0
  return { name, image, imageID: `played/${image}`, ready, started: false, restartCount, state }
}

export function phaseConditions(
  phase: 'Pending' | 'Running' | 'Succeeded' | 'Failed',
): readonly PodCondition[] {
  const lastTransitionTime = new Date().toISOString()
  const condition = (type: string, isTrue: boolean): PodCondition => {
    const reason = phase === 'Succeeded' ? { reason: 'PodCompleted' } : {}
    const status = isTrue ? 'True' : 'False'
    return { type, status, lastTransitionTime, ...(isTrue ? {} : reason) }
  }
  return [
    { type: 'PodScheduled', status: 'True', lastTransitionTime },
    condition('Initialized', phase !== 'Pending'),
    condition('Ready', phase === 'Running'),
    condition('ContainersReady', phase === 'Running'),
  ]
}

interface PodCondition {
  readonly type: string
  readonly status: 'True' | 'False'
  readonly lastTransitionTime: string
  readonly reason?: string
}
