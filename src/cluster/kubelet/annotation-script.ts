import { isObject, type Json } from '../../core/json.ts'
import { controllerOf } from '../object.ts'
import type { Pod } from '../pod.ts'
import type { ContainerRun, PodPlan, PodScript } from './script.ts'

/** What a pod of a Job runs without `play/duration`. */
const DEFAULT_DURATION_MS = 300
const COMPLETION_INDEX = 'batch.kubernetes.io/job-completion-index'

/**
 * Pods play what their annotations say, as in the recorded traces. Times in milliseconds; lists go by
 * attempt, their last entry repeats.
 * - `play/duration`: how long it runs, a number or a list `2000,4000`;
 * - `play/exit`: its exit code, a number or a list `1,1,0`;
 * - `play/duration-by-index`, `play/exit-by-index`: JSON objects from completion index to the same;
 *   their lists go by the attempts of that index;
 * - `play/linger`: how long it takes to stop once it is deleted;
 * - `play/restart`: how long a container of restartPolicy OnFailure waits before it starts again.
 *
 * A pod that belongs to no Job and has no `play/duration` runs until it is stopped. What a pod reads
 * (ConfigMaps, Secrets) need not be there.
 */
export const annotationScript: PodScript = { plan }

function plan(pod: Pod, attempt: number, attemptOfIndex: number): PodPlan {
  const annotations = pod.metadata.annotations ?? {}
  const index = annotations[COMPLETION_INDEX]
  const ofIndex = (name: string): readonly number[] | undefined =>
    index === undefined ? undefined : numbersAt(annotations[name], index)
  const durations = ofIndex('play/duration-by-index')
  const exits = ofIndex('play/exit-by-index')
  const durationMs =
    pick(durations, attemptOfIndex) ??
    pick(numbers(annotations['play/duration']), attempt) ??
    (controllerOf(pod)?.kind === 'Job' ? DEFAULT_DURATION_MS : undefined)
  const codes =
    exits === undefined
      ? rest(numbers(annotations['play/exit']), attempt)
      : rest(exits, attemptOfIndex)
  const length = durationMs === undefined ? {} : { durationMs }
  const runs = codes.map((exitCode): ContainerRun => ({ ...length, exitCode }))
  const linger = numbers(annotations['play/linger'])[0]
  const restart = numbers(annotations['play/restart'])[0]
  return {
    containers: Object.fromEntries(pod.spec.containers.map(({ name }) => [name, { runs }])),
    needsReferences: false,
    ...(linger === undefined ? {} : { stopMs: linger }),
    ...(restart === undefined ? {} : { restart }),
  }
}

function numbers(text: string | undefined): readonly number[] {
  if (text === undefined || text.trim() === '') return []
  return text.split(',').map(Number).filter(Number.isFinite)
}

/** Of a JSON object from index to a number, or to a list of them as text. */
function numbersAt(json: string | undefined, index: string): readonly number[] | undefined {
  if (json === undefined) return undefined
  const parsed = parse(json)
  const value = isObject(parsed) ? parsed[index] : undefined
  if (typeof value === 'number') return [value]
  return typeof value === 'string' ? numbers(value) : undefined
}

function parse(json: string): Json | undefined {
  try {
    return JSON.parse(json) as Json
  } catch {
    return undefined
  }
}

function pick(list: readonly number[] | undefined, attempt: number): number | undefined {
  return list === undefined ? undefined : (list[attempt] ?? list.at(-1))
}

/** This attempt's entry first; the following ones are for restarts in the same pod. */
function rest(list: readonly number[], attempt: number): readonly number[] {
  const left = list.slice(attempt)
  return left.length > 0 ? left : [list.at(-1) ?? 0]
}
