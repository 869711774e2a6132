import type { Cause, Io } from '../../actor.ts'
import { succeeded, type Answer, type Request } from '../../api/request.ts'
import { calledOf, type KubeObject } from '../../object.ts'
import { PODS, type Pod } from '../../pod.ts'
import { JOBS, TRACKING_FINALIZER, type Job } from './job.ts'

/** The manager under which all controllers of the controller manager write. */
const WRITE = { fieldManager: 'kube-controller-manager' }

export type Written<T> =
  | { readonly object: T }
  | { readonly code: number; readonly message: string; readonly answer: Answer }

/**
 * What the Job controller asks of the API server, and the Events it tells. Both are counted, as a
 * real client is limited in how many it may send.
 */
export class JobClient {
  requests = 0
  events = 0
  readonly #io: Io<never>

  constructor(io: Io<never>) {
    this.#io = io
  }

  freshJob(job: Job): Written<KubeObject> {
    return this.#ask({ verb: 'get', resource: JOBS, ...named(job) })
  }

  /** K-17, K-20: the whole status, refused when the Job has changed since it was read. */
  writeStatus(job: Job, status: Job['status']): Written<KubeObject> {
    const body = { ...job, status }
    return this.#ask({
      verb: 'update',
      resource: JOBS,
      subresource: 'status',
      ...named(job),
      body,
      options: WRITE,
    })
  }

  createPod(job: Job, body: Request['body']): Written<KubeObject> {
    const written = this.#ask({
      verb: 'create',
      resource: PODS,
      ...placeOf(job),
      ...(body === undefined ? {} : { body }),
      options: WRITE,
    })
    if ('object' in written) {
      this.event(job, 'Normal', 'SuccessfulCreate', `Created pod: ${written.object.metadata.name}`)
    } else if (!isTerminatingNamespace(written.answer)) {
      this.event(job, 'Warning', 'FailedCreate', `Error creating: ${written.message}`)
    }
    return written
  }

  /** Undefined when it went well, or the pod was gone already. */
  deletePod(job: Job, pod: Pod): string | undefined {
    const written = this.#ask({ verb: 'delete', resource: PODS, ...named(pod) })
    if ('object' in written) {
      this.event(job, 'Normal', 'SuccessfulDelete', `Deleted pod: ${pod.metadata.name}`)
      return undefined
    }
    if (written.code === 404) return undefined
    this.event(job, 'Warning', 'FailedDelete', `Error deleting: ${written.message}`)
    return `unable to delete pods: ${written.message}`
  }

  /** Undefined when it went well, or the pod was gone already. */
  untrack(pod: Pod): string | undefined {
    return this.patchPod(pod, {
      metadata: { '$deleteFromPrimitiveList/finalizers': [TRACKING_FINALIZER] },
    })
  }

  patchPod(pod: Pod, body: Request['body']): string | undefined {
    const written = this.#ask({
      verb: 'patch',
      resource: PODS,
      ...named(pod),
      patch: { type: 'strategic', body: body ?? {} },
      options: WRITE,
    })
    if ('object' in written || written.code === 404) return undefined
    return written.message
  }

  event(job: Job, type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.events += 1
    this.#io.event(job, type, reason, message)
  }

  /** Why something was done to the Job, or to a pod of it. */
  cause(
    job: Job,
    what: Pick<Cause, 'rule' | 'effect' | 'trigger' | 'data'>,
    object: KubeObject = job,
  ): void {
    const carrier = calledOf(job)
    const about = object === job ? carrier : calledOf(object)
    this.#io.cause({
      at: this.#io.now,
      actor: 'job-controller',
      ...what,
      object: about,
      carrier,
    })
  }

  #ask(request: Omit<Request, 'user'>): Written<KubeObject> {
    this.requests += 1
    const answer = this.#io.request(request)
    if (succeeded(answer)) return { object: answer.body }
    const { message } = answer.body
    return {
      code: answer.code,
      message: typeof message === 'string' ? message : `the server answered ${answer.code}`,
      answer,
    }
  }
}

/** The namespace is going away, so every further creation in it fails, too. */
export function isTerminatingNamespace(answer: Answer): boolean {
  const { details } = answer.body
  if (typeof details !== 'object' || details === null || !('causes' in details)) return false
  const { causes } = details
  return (
    Array.isArray(causes) &&
    causes.some((cause: { readonly reason?: string }) => cause.reason === 'NamespaceTerminating')
  )
}

function named(object: KubeObject): { readonly namespace?: string; readonly name: string } {
  return { ...placeOf(object), name: object.metadata.name }
}

function placeOf(object: KubeObject): { readonly namespace?: string } {
  const { namespace } = object.metadata
  return namespace === undefined ? {} : { namespace }
}
