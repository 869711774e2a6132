import type { Io } from '../actor.ts'
import { CowMap } from '../api/cow-map.ts'
import type { Instant } from '../time.ts'
import type { AllAttempts } from './attempts.ts'
import { pullImage, type NodeImages } from './images.ts'
import type { Life } from './life.ts'
import { isMet } from './needs.ts'
import { COMPLETE, type Surroundings } from './piece.ts'
import type { Registry } from './registry.ts'
import type { PodPlan, PodScript } from './script.ts'

/** All that the kubelet remembers: its own notes and, as a runtime would, what containers did. */
export interface KubeletState {
  /** Pods that have not ended, by uid. */
  readonly played: CowMap<string, Played>
  /** How those ended whose object is still there. */
  readonly ended: CowMap<string, Gone>
  readonly attempts: AllAttempts
  /** Pods that nothing happens to until an object appears: `ConfigMap settings`. */
  readonly waiting: CowMap<string, string>
  readonly images: NodeImages
}

export interface Played {
  readonly namespace: string
  readonly name: string
  readonly plan: PodPlan
  readonly seenAt: Instant
  /** Undefined until its containers run. */
  readonly life?: Life
  /** It is being deleted, and has stopped by then. */
  readonly stopAt?: Instant
  readonly isDisrupted?: boolean
}

export interface Gone {
  readonly namespace: string
  readonly name: string
  readonly life: Life
}

export interface KubeletWake {
  readonly uid: string
}

/** What the kubelet works with. */
export interface Here {
  readonly io: Io<KubeletWake>
  readonly script: PodScript
  readonly node: string
  readonly registry: Registry | undefined
  readonly hasNativeSidecars: boolean
}

export function emptyState(): KubeletState {
  return {
    played: new CowMap(),
    ended: new CowMap(),
    attempts: new CowMap(),
    waiting: new CowMap(),
    images: new CowMap(),
  }
}

export function copyState({
  played,
  ended,
  attempts,
  waiting,
  images,
}: KubeletState): KubeletState {
  return {
    played: played.copy(),
    ended: ended.copy(),
    attempts: attempts.copy(),
    waiting: waiting.copy(),
    images: images.copy(),
  }
}

/** What a pod's containers find here when they start. */
export function surroundingsOf(
  { images }: KubeletState,
  { io, registry }: Here,
  pod: {
    readonly namespace: string
  },
): Surroundings {
  const pull: Surroundings['pull'] =
    registry === undefined
      ? COMPLETE.pull
      : (piece, at) => pullImage(piece, at, { images, registry })
  return {
    pull,
    lacks: (needs) =>
      needs.some((need) => {
        const isHeldFor = need.kind === 'ConfigMap' || need.kind === 'Secret'
        return !(isHeldFor && need.namespace === pod.namespace) && !isMet(need, io.read)
      }),
  }
}
