import type { Body } from './client.ts'

/**
 * What a pod does, read from its annotations. `.NAME` after an annotation means the container or
 * init container of that name alone.
 *
 * - `play/duration`: how long each container runs, in milliseconds, or `forever`. 300 when absent;
 *   init containers 50; a container of a pod that restarts always runs forever.
 * - `play/exit`: exit codes, `1,1,0`: one for each attempt, the last one for all that follow. An
 *   attempt is a pod of the same owner (and completion index), or a restart in the same pod.
 * - `play/stop`: milliseconds that a deleted pod, or a sidecar at the end, takes to stop. 0.
 */
export function scriptOf(pod: Body, attempt: number): PodScript {
  const annotations = pod.metadata?.annotations ?? {}
  const policy = (pod.spec?.['restartPolicy'] as Restart | undefined) ?? 'Always'
  const read = (name: string, container: string): string | undefined =>
    annotations[`play/${name}.${container}`]
  const script = (container: Container, isInit: boolean): ContainerScript => {
    const { name, image = '' } = container
    const isSidecar = isInit && container.restartPolicy === 'Always'
    const shared = (of: string): string | undefined =>
      isInit ? undefined : annotations[`play/${of}`]
    const duration = read('duration', name) ?? shared('duration')
    const byDefault = isInit ? 50 : policy === 'Always' ? 'forever' : 300
    const exits = (read('exit', name) ?? shared('exit') ?? '0').split(',').map(Number)
    return {
      name,
      image,
      isInit,
      isSidecar,
      durationMs: milliseconds(duration ?? byDefault),
      exitCode: (restarts) => exits[Math.min(attempt + restarts, exits.length - 1)] ?? 0,
      restart: isInit && policy === 'Always' ? 'OnFailure' : policy,
      stopMs: milliseconds(read('stop', name) ?? 0),
    }
  }
  return {
    inits: containersOf(pod, 'initContainers').map((container) => script(container, true)),
    mains: containersOf(pod, 'containers').map((container) => script(container, false)),
    stopMs: milliseconds(annotations['play/stop'] ?? 0),
  }
}

export interface PodScript {
  readonly inits: readonly ContainerScript[]
  readonly mains: readonly ContainerScript[]
  readonly stopMs: number
}

export interface ContainerScript {
  readonly name: string
  readonly image: string
  readonly isInit: boolean
  /** An init container with `restartPolicy: Always`. */
  readonly isSidecar: boolean
  readonly durationMs: number
  readonly exitCode: (restarts: number) => number
  readonly restart: Restart
  readonly stopMs: number
}

type Restart = 'Always' | 'OnFailure' | 'Never'

interface Container {
  readonly name: string
  readonly image?: string
  readonly restartPolicy?: string
}

function containersOf(pod: Body, field: 'containers' | 'initContainers'): readonly Container[] {
  return (pod.spec?.[field] as readonly Container[] | undefined) ?? []
}

function milliseconds(value: string | number): number {
  return value === 'forever' ? Number.POSITIVE_INFINITY : Number(value)
}
