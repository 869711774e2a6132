import { patchOf } from './choose.ts'
import { podSpecOf } from './pod-reads.ts'
import type { Target } from './targets.ts'

/**
 * Of two documents with the same name the one without a restart policy is a patch of the other:
 * the API server refuses a Job without one. Standing alone it is taken for a Job.
 */
export function withPatches(targets: readonly Target[]): readonly Target[] {
  const complete = new Map<string, Target[]>()
  for (const target of targets) {
    if (!isComplete(target)) continue
    // A patch that could not follow still has the name without the hash.
    for (const name of new Set([target.name, target.base])) {
      const key = keyOf(target.kind, name)
      complete.set(key, [...(complete.get(key) ?? []), target])
    }
  }
  return targets.map((target) => {
    const { choice, name } = target
    if (choice.kind === 'leave' || name === undefined || isComplete(target)) return target
    const namesakes = complete.get(keyOf(target.kind, name)) ?? []
    const whole = namesakes.some((other) => mayBeSame(target, other))
    const why = 'it holds no restart policy, and a whole Job of the same name stands beside it'
    return whole ? { ...target, choice: patchOf(why) } : target
  })
}

function isComplete({ manifest }: Target): boolean {
  const { restartPolicy } = podSpecOf(manifest.object)
  return typeof restartPolicy === 'string' && restartPolicy !== ''
}

function keyOf(kind: string, name: string | undefined): string {
  return `${kind}/${name ?? ''}`
}

function mayBeSame(one: Target, other: Target): boolean {
  return (
    one.namespace === undefined ||
    other.namespace === undefined ||
    one.namespace === other.namespace
  )
}
