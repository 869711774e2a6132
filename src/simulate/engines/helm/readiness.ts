import { integerAt, stringAt } from '../../../core/json.ts'
import type { KubeObject } from '../../../cluster/object.ts'
import type { Instant } from '../../../cluster/time.ts'
import { conditionOf, isTrue } from '../../health/health.ts'
import { kstatus } from '../../health/index.ts'

export interface Status {
  readonly status: string
  readonly message: string
}

/**
 * Where an object stands for Helm 4. `isJobAware`: a Job counts when it has ended, else as soon as
 * it has started. Of hooks, only Jobs and pods are waited for.
 */
export function statusOf(
  live: KubeObject | undefined,
  isJobAware: boolean,
  now: Instant,
  isHook: boolean,
): Status {
  if (live === undefined) return { status: 'NotFound', message: 'Resource not found' }
  if (isJob(live)) return isJobAware ? endedJob(live) : startedJob(live, now)
  if (isHook && live.kind !== 'Pod') return { status: 'Current', message: 'Resource is current' }
  return kstatus(live, now)
}

/** A dying Job counts as what its conditions say (H-5, traces helm/024, 032). */
function endedJob(job: KubeObject): Status {
  return finished(job) ?? { status: 'InProgress', message: 'Job in progress' }
}

/** Helm's version of kstatus knows no suspended Jobs: they have not started (trace helm/034). */
function startedJob(job: KubeObject, now: Instant): Status {
  const plain = kstatus(job, now)
  if (plain.status === 'Terminating') return plain
  const end = finished(job)
  if (end !== undefined) return end
  return stringAt(job, ['status', 'startTime']) === undefined
    ? { status: 'InProgress', message: 'Job not started' }
    : { status: 'Current', message: 'Job in progress' }
}

function finished(job: KubeObject): Status | undefined {
  const completions = integerAt(job, ['spec', 'completions']) ?? 1
  if (isTrue(conditionOf(job, 'Complete'))) {
    const succeeded = integerAt(job, ['status', 'succeeded']) ?? 0
    return { status: 'Current', message: `Job Completed. succeeded: ${succeeded}/${completions}` }
  }
  if (!isTrue(conditionOf(job, 'Failed'))) return undefined
  const failed = integerAt(job, ['status', 'failed']) ?? 0
  return { status: 'Failed', message: `Job Failed. failed: ${failed}/${completions}` }
}

/** How a hook has ended for Helm 3; what is neither Job nor pod has ended as soon as it is seen. */
export function hookEnd(live: KubeObject): { readonly error?: string } | undefined {
  if (isJob(live)) {
    if (isTrue(conditionOf(live, 'Complete'))) return {}
    const failed = conditionOf(live, 'Failed')
    if (!isTrue(failed)) return undefined
    return { error: `job ${live.metadata.name} failed: ${stringAt(failed, ['reason']) ?? ''}` }
  }
  if (live.kind !== 'Pod') return {}
  const phase = stringAt(live, ['status', 'phase'])
  if (phase === 'Succeeded') return {}
  return phase === 'Failed' ? { error: `pod ${live.metadata.name} failed` } : undefined
}

/**
 * Helm 3 counts a Job's successes and looks at no condition: a failed one is waited for until the
 * timeout (trace helm/015), and so is one whose status has no count (trace helm/035).
 */
export function isReadyToHelm3(live: KubeObject, now: Instant): boolean {
  if (!isJob(live)) return kstatus(live, now).status === 'Current'
  const wanted = integerAt(live, ['spec', 'completions'])
  const failed = integerAt(live, ['status', 'failed']) ?? 0
  if (failed > (integerAt(live, ['spec', 'backoffLimit']) ?? 6)) return false
  return wanted === undefined || (integerAt(live, ['status', 'succeeded']) ?? 0) >= wanted
}

function isJob({ apiVersion, kind }: KubeObject): boolean {
  return kind === 'Job' && apiVersion === 'batch/v1'
}
