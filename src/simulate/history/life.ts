import { controllerOf, type KubeObject } from '../../cluster/object.ts'
import type { Instant } from '../../cluster/time.ts'
import { isList, objectAt, stringAt, type JsonObject } from '../../core/json.ts'
import type { JobLife, Outcome, RunCause, Step } from './history.ts'

/** A life while it is being written. */
export interface Entry {
  job: KubeObject
  readonly cause: RunCause
  readonly created: readonly Step[]
  readonly createdAt: Instant
  readonly work: string
  startedAt: Instant | undefined
  pods: number
  executions: number
  endedAt: Instant | undefined
  outcome: Outcome
  deletedAt: Instant | undefined
  deleted: readonly Step[] | undefined
}

export function lifeOf(entry: Entry): JobLife {
  const { job, cause, created, createdAt, startedAt, pods, outcome } = entry
  const { endedAt, deletedAt, deleted } = entry
  const { uid, namespace = '', name } = job.metadata
  const owner = controllerOf(job)
  const held = startedAt === undefined ? heldOf(job) : undefined
  return {
    uid,
    namespace,
    name,
    ...(owner?.kind === 'CronJob' ? { cronJob: owner.name } : {}),
    image: imageOf(job),
    createdAt,
    created,
    cause,
    ...(startedAt === undefined ? {} : { startedAt }),
    ...(held === undefined ? {} : { held }),
    pods,
    executions: entry.executions,
    ...(endedAt === undefined ? {} : { endedAt }),
    outcome,
    ...(deletedAt === undefined ? {} : { deletedAt }),
    ...(deleted === undefined ? {} : { deleted }),
  }
}

/** How a Job has ended, once it has. */
export function endOf(job: KubeObject): 'complete' | 'failed' | undefined {
  const conditions = objectAt(job, ['status'])?.['conditions']
  if (!isList(conditions)) return undefined
  for (const condition of conditions) {
    if (stringAt(condition, ['status']) !== 'True') continue
    if (stringAt(condition, ['type']) === 'Complete') return 'complete'
    if (stringAt(condition, ['type']) === 'Failed') return 'failed'
  }
  return undefined
}

/** Why a Job has no pod. */
function heldOf(job: KubeObject): string | undefined {
  const spec = objectAt(job, ['spec'])
  if (spec?.['suspend'] === true) return 'is suspended'
  const manager = stringAt(spec, ['managedBy'])
  if (manager !== undefined && manager !== 'kubernetes.io/job-controller') {
    return `is left to ${manager}`
  }
  return undefined
}

function imageOf(job: JsonObject): string {
  const containers = objectAt(job, ['spec', 'template', 'spec'])?.['containers']
  return isList(containers) ? (stringAt(containers[0], ['image']) ?? '') : ''
}
