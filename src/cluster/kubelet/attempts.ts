import type { CowMap } from '../api/cow-map.ts'
import { controllerOf } from '../object.ts'
import type { Pod } from '../pod.ts'

const COMPLETION_INDEX = 'batch.kubernetes.io/job-completion-index'

/** How many pods one owner has had. */
export interface Attempts {
  count: number
  readonly ofIndex: Map<string, number>
}

/** By the owner's uid. */
export type AllAttempts = CowMap<string, Attempts>

/** Counts a new pod; says how many there were before it, of its owner and of its index. */
export function countAttempt(
  all: AllAttempts,
  pod: Pod,
): { readonly attempt: number; readonly attemptOfIndex: number } {
  const owner = controllerOf(pod)
  if (owner === undefined) return { attempt: 0, attemptOfIndex: 0 }
  const clone = ({ count, ofIndex }: Attempts) => ({ count, ofIndex: new Map(ofIndex) })
  let mine = all.own(owner.uid, clone)
  if (mine === undefined) {
    mine = { count: 0, ofIndex: new Map() }
    all.set(owner.uid, mine)
  }
  const attempt = mine.count
  mine.count += 1
  const index = pod.metadata.annotations?.[COMPLETION_INDEX]
  if (index === undefined) return { attempt, attemptOfIndex: attempt }
  const attemptOfIndex = mine.ofIndex.get(index) ?? 0
  mine.ofIndex.set(index, attemptOfIndex + 1)
  return { attempt, attemptOfIndex }
}
