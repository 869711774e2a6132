import { isList, isObject, integerAt, objectAt, stringAt, type Json } from '../../core/json.ts'
import type { WatchEvent } from '../../cluster/api/request.ts'
import { controllerOf, type KubeObject } from '../../cluster/object.ts'
import type { Instant } from '../../cluster/time.ts'
import type { ObservedCondition, ObservedJob, ObservedPod } from './format.ts'

type Writable<Type> = { -readonly [Key in keyof Type]: Type[Key] }
type JobNote = Omit<Writable<ObservedJob>, 'conditions' | 'pods'> & {
  conditions: ObservedCondition[]
  pods: Writable<ObservedPod>[]
}

/**
 * Watches a model cluster and writes down its Jobs and pods as a recorder does with a real one.
 * Seconds count from `zero`.
 */
export class Observer {
  readonly #zero: Instant
  readonly #jobs: JobNote[] = []
  readonly #byUid = new Map<string, JobNote>()
  readonly #pods = new Map<string, Writable<ObservedPod>>()

  constructor(zero: Instant) {
    this.#zero = zero
  }

  get jobs(): readonly ObservedJob[] {
    return this.#jobs
  }

  write({ type, resource, object, before }: WatchEvent, at: Instant): void {
    const t = (at - this.#zero) / 1000
    if (resource.group === 'batch' && resource.resource === 'jobs') {
      this.#seeJob(type, object, before, t)
    } else if (resource.group === '' && resource.resource === 'pods') {
      this.#seePod(type, object, t)
    }
  }

  #seeJob(type: string, object: KubeObject, before: KubeObject | undefined, t: number): void {
    const { metadata } = object
    let job = this.#byUid.get(metadata.uid)
    if (job === undefined) {
      job = jobNote(object, `J${this.#jobs.length + 1}`, t)
      this.#jobs.push(job)
      this.#byUid.set(metadata.uid, job)
    }
    if (metadata.deletionTimestamp !== undefined && job.deletionRequested === null) {
      job.deletionRequested = t
      job.deletionFinalizers = metadata.finalizers ?? []
    }
    if (type === 'DELETED') {
      job.deleted = t
      if (job.deletionRequested === null) {
        job.deletionRequested = t
        job.deletionFinalizers = metadata.finalizers ?? []
      }
    }
    const old = new Map(conditionsOf(before).map((one) => [stringAt(one, ['type']), one]))
    for (const condition of conditionsOf(object)) {
      const name = stringAt(condition, ['type']) ?? ''
      const status = stringAt(condition, ['status']) ?? ''
      if (stringAt(old.get(name), ['status']) === status) continue
      const reason = stringAt(condition, ['reason'])
      job.conditions.push({ type: name, status, t, ...(reason === undefined ? {} : { reason }) })
    }
  }

  #seePod(type: string, object: KubeObject, t: number): void {
    const pod = this.#pods.get(object.metadata.uid) ?? this.#newPod(object, t)
    if (pod === undefined) return
    const statuses = [
      ...listOf(objectAt(object, ['status'])?.['initContainerStatuses']),
      ...listOf(objectAt(object, ['status'])?.['containerStatuses']),
    ]
    const phase = stringAt(object, ['status', 'phase'])
    if (pod.started === null && phase !== undefined && phase !== 'Pending') pod.started = t
    const isOver = phase === 'Succeeded' || phase === 'Failed'
    if (pod.ended === null && isOver) {
      pod.ended = t
      pod.exit = exitOf(statuses, phase)
    }
    const restarts = statuses.reduce<number>(
      (sum, status) => sum + (integerAt(status, ['restartCount']) ?? 0),
      0,
    )
    if (restarts > 0) pod.restarts = restarts
    if (object.metadata.deletionTimestamp !== undefined) pod.deletionRequested ??= t
    if (type === 'DELETED') {
      pod.deletionRequested ??= t
      pod.deleted = t
    }
  }

  #newPod(object: KubeObject, t: number): Writable<ObservedPod> | undefined {
    const owner = controllerOf(object)
    const job = owner === undefined ? undefined : this.#byUid.get(owner.uid)
    if (job === undefined) return undefined
    const pod: Writable<ObservedPod> = {
      created: t,
      started: null,
      ended: null,
      exit: null,
      deletionRequested: null,
      deleted: null,
    }
    const index =
      object.metadata.annotations?.['batch.kubernetes.io/job-completion-index'] ?? undefined
    if (index !== undefined) pod.index = Number(index)
    job.pods.push(pod)
    this.#pods.set(object.metadata.uid, pod)
    return pod
  }
}

function jobNote(object: KubeObject, uid: string, t: number): JobNote {
  const owner = controllerOf(object)
  const managedBy = stringAt(object, ['spec', 'managedBy'])
  const containers = objectAt(object, ['spec', 'template', 'spec'])?.['containers']
  return {
    name: object.metadata.name,
    namespace: object.metadata.namespace ?? '',
    uid,
    image: stringAt(listOf(containers)[0], ['image']) ?? null,
    ...(owner === undefined ? {} : { owner: `${owner.kind}/${owner.name}` }),
    ...(managedBy === undefined ? {} : { managedBy }),
    ...(object.metadata.generateName === undefined
      ? {}
      : { generateName: object.metadata.generateName }),
    created: t,
    deletionRequested: null,
    deletionFinalizers: null,
    deleted: null,
    conditions: [],
    pods: [],
  }
}

function conditionsOf(object: KubeObject | undefined): readonly Json[] {
  return listOf(objectAt(object, ['status'])?.['conditions'])
}

function listOf(value: Json | undefined): readonly Json[] {
  return isList(value) ? value : []
}

/** Of the first container that did not end with 0; kubelets report 0 when all did. */
function exitOf(statuses: readonly Json[], phase: string): number | null {
  const codes = statuses.flatMap((status) => {
    const code = isObject(status)
      ? integerAt(status, ['state', 'terminated', 'exitCode'])
      : undefined
    return code === undefined ? [] : [code]
  })
  if (codes.length === 0) return phase === 'Succeeded' ? 0 : null
  return codes.find((code) => code !== 0) ?? 0
}
