import { integerAt, objectAt, stringAt, type JsonObject } from '../../core/json.ts'
import { delayMs } from '../../cluster/controllers/job/backoff.ts'

/** What is taken of the work: how long one attempt takes, and how it ends. */
export interface Work {
  readonly seconds: number
  readonly outcome: 'ok' | 'fail'
}

export interface JobRun {
  /** From the creation of the Job to its end. */
  readonly seconds: number
  readonly ok: boolean
}

/** Undefined where attempts run beside each other or a policy counts them, and one fails. */
export function workOf(job: JsonObject, work: Work): JobRun | undefined {
  const spec = objectAt(job, ['spec']) ?? {}
  const run = work.outcome === 'ok' ? succeeding(spec, work) : failing(spec, work)
  const deadline = integerAt(spec, ['activeDeadlineSeconds'])
  if (run === undefined || deadline === undefined || deadline >= run.seconds) return run
  return { seconds: deadline, ok: false }
}

function succeeding(spec: JsonObject, { seconds }: Work): JobRun | undefined {
  const parallel = integerAt(spec, ['parallelism']) ?? 1
  const completions = integerAt(spec, ['completions']) ?? parallel
  if (parallel <= 0 || completions <= 0) return undefined
  return { seconds: Math.ceil(completions / parallel) * seconds, ok: true }
}

/** One attempt after the other, with pauses of 10 s, 20 s, 40 s (K-17). */
function failing(spec: JsonObject, { seconds }: Work): JobRun | undefined {
  const isPlain =
    (integerAt(spec, ['parallelism']) ?? 1) === 1 &&
    (integerAt(spec, ['completions']) ?? 1) === 1 &&
    stringAt(spec, ['template', 'spec', 'restartPolicy']) !== 'OnFailure' &&
    spec['podFailurePolicy'] === undefined &&
    spec['backoffLimitPerIndex'] === undefined
  if (!isPlain) return undefined
  const retries = integerAt(spec, ['backoffLimit']) ?? DEFAULT_RETRIES
  if (retries > MOST_RETRIES) return undefined
  let total = seconds
  for (let failure = 1; failure <= retries; failure += 1) {
    total += delayMs(failure) / 1000 + seconds
  }
  return { seconds: total, ok: false }
}

const DEFAULT_RETRIES = 6
const MOST_RETRIES = 1000
