import type { Pod } from '../pod.ts'

/**
 * What pods do, in place of real containers. Handed to the kubelet; asked once for each pod, when it
 * is first seen. The same arguments must give the same plan.
 */
export interface PodScript {
  /** How many pods the same owner had before, and how many of the same completion index. */
  plan(pod: Pod, attempt: number, attemptOfIndex: number): PodPlan
}

/** Plain data. Whatever is left out happens at once, or not at all. Times in milliseconds. */
export interface PodPlan {
  /** By name, init containers included. A container that is left out never ends; an init one does. */
  readonly containers?: { readonly [name: string]: ContainerPlan }
  /** No node takes the pod, for so long or for ever. */
  readonly unschedulable?: { readonly message: string; readonly forMs?: number }
  /** Default true: it waits for the ConfigMaps and Secrets that it reads. */
  readonly needsReferences?: boolean
  /** From its creation to its first container. */
  readonly startMs?: number
  /** From running to Ready, or that it never is. */
  readonly readyMs?: number | 'never'
  /** From the request to stop to the end; the grace period ends it earlier. */
  readonly stopMs?: number
  /** Somebody ends it, so long after its first container started. */
  readonly disruption?: Disruption
  /** How long a container waits before it starts again; default as the kubelet's: crash-loop. */
  readonly restart?: 'crash-loop' | number
}

export interface ContainerPlan {
  /** First start, first restart and so on; the last one repeats. */
  readonly runs: readonly ContainerRun[]
  /** In place of `runs`, by the content (digest) that its image had when the container started. */
  readonly runsOf?: { readonly [digest: string]: readonly ContainerRun[] }
  /**
   * What has to be there when it starts. Without a ConfigMap or Secret of the pod's own namespace it
   * is not even made; without anything else it fails at once.
   */
  readonly needs?: readonly Need[]
  /** Its image cannot be pulled, for so long or for ever. */
  readonly pullFails?: { readonly message?: string; readonly forMs?: number }
}

/** An object that has to be there: a Deployment (and its like) ready, a Job complete. */
export interface Need {
  readonly kind: string
  readonly namespace: string
  readonly name: string
}

export interface ContainerRun {
  /** Left out: it runs until it is stopped. */
  readonly durationMs?: number
  /** Default 0. */
  readonly exitCode?: number
  /** Default `Completed` or `Error`: for `OOMKilled`. */
  readonly reason?: string
  /** Ends `durationMs` (default 0) after that container's end, if it ended with that code (or any). */
  readonly endsAfter?: { readonly container: string; readonly exitCode?: number }
}

export interface Disruption {
  readonly afterMs: number
  /**
   * Reason of the DisruptionTarget condition. `TerminationByKubelet` (a node short of something) ends
   * the pod as Failed and leaves it; the others delete it.
   */
  readonly reason:
    | 'TerminationByKubelet'
    | 'PreemptionByScheduler'
    | 'DeletionByTaintManager'
    | 'EvictionByEvictionAPI'
  readonly message?: string
}
