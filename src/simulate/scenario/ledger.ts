import { isList, objectAt, stringAt } from '../../core/json.ts'
import type { Cause } from '../../cluster/actor.ts'
import type { WatchEvent } from '../../cluster/api/request.ts'
import { controllerOf, type KubeObject } from '../../cluster/object.ts'
import type { Instant } from '../../cluster/time.ts'
import type { Run } from './format.ts'

interface Note {
  readonly job: KubeObject
  readonly cause: string | undefined
  startedAt: Instant | undefined
  endedAt: Instant | undefined
  outcome: Run['outcome']
}

/** Counts runs: Job objects whose pod was created. */
export class RunLedger {
  readonly #start: Instant
  readonly #jobs = new Map<string, Note>()
  #cause: string | undefined

  constructor(start: Instant) {
    this.#start = start
  }

  cause({ rule, effect }: Cause): void {
    this.#cause = `${rule}: ${effect}`
  }

  write({ type, resource, object }: WatchEvent, at: Instant): void {
    if (resource.group === 'batch' && resource.resource === 'jobs') this.#seeJob(type, object, at)
    if (resource.group !== '' || resource.resource !== 'pods' || type !== 'ADDED') return
    const owner = controllerOf(object)
    const note = owner === undefined ? undefined : this.#jobs.get(owner.uid)
    if (note !== undefined) note.startedAt ??= at
  }

  #seeJob(type: string, job: KubeObject, at: Instant): void {
    const { uid } = job.metadata
    let note = this.#jobs.get(uid)
    if (note === undefined) {
      note = {
        job,
        cause: this.#cause,
        startedAt: undefined,
        endedAt: undefined,
        outcome: 'running',
      }
      this.#jobs.set(uid, note)
    }
    if (note.outcome !== 'running') return
    const ended = endOf(job)
    if (ended !== undefined) note.outcome = ended
    else if (type === 'DELETED') note.outcome = 'gone'
    if (note.outcome !== 'running') note.endedAt = at
  }

  /** In the order of their starts; those at or after `until` are outside. */
  runs(until: Instant): readonly Run[] {
    const runs: Run[] = []
    for (const { job, cause, startedAt, endedAt, outcome } of this.#jobs.values()) {
      if (startedAt === undefined || startedAt >= until) continue
      const owner = controllerOf(job)
      runs.push({
        job: job.metadata.name,
        namespace: job.metadata.namespace ?? '',
        ...(owner?.kind === 'CronJob' ? { cronjob: owner.name } : {}),
        startedAtSeconds: (startedAt - this.#start) / 1000,
        ...(endedAt === undefined ? {} : { endedAtSeconds: (endedAt - this.#start) / 1000 }),
        outcome: endedAt !== undefined && endedAt >= until ? 'running' : outcome,
        image: imageOf(job),
        ...(cause === undefined ? {} : { cause }),
      })
    }
    return runs.sort((one, other) => one.startedAtSeconds - other.startedAtSeconds)
  }
}

function endOf(job: KubeObject): 'complete' | 'failed' | undefined {
  const conditions = objectAt(job, ['status'])?.['conditions']
  if (!isList(conditions)) return undefined
  for (const condition of conditions) {
    if (stringAt(condition, ['status']) !== 'True') continue
    if (stringAt(condition, ['type']) === 'Complete') return 'complete'
    if (stringAt(condition, ['type']) === 'Failed') return 'failed'
  }
  return undefined
}

function imageOf(job: KubeObject): string {
  const containers = objectAt(job, ['spec', 'template', 'spec'])?.['containers']
  return isList(containers) ? (stringAt(containers[0], ['image']) ?? '') : ''
}
