import type { Cause } from '../../cluster/actor.ts'
import { succeeded, type Answer, type Request, type WatchEvent } from '../../cluster/api/request.ts'
import type { Listener } from '../../cluster/cluster.ts'
import { executionsOf } from '../../cluster/kubelet/executions.ts'
import { isInjectedSidecar } from '../../cluster/kubelet/scenario-script.ts'
import { controllerOf, type KubeObject } from '../../cluster/object.ts'
import type { Instant } from '../../cluster/time.ts'
import { objectAt, stringAt } from '../../core/json.ts'
import { CauseBook, type Carrier } from './cause-book.ts'
import { ErrorBook, type SeenError } from './errors.ts'
import type { Happening, JobLife } from './history.ts'
import { causeOf, chainOf } from './chain.ts'
import { happeningOf } from './happening.ts'
import { endOf, lifeOf, type Entry } from './life.ts'
import { workOf } from './work.ts'

export interface Suspension {
  readonly from: Instant
  readonly until?: Instant
}

interface LaneEntry {
  readonly kind: 'Job' | 'CronJob'
  carrier: Carrier | undefined
  readonly entries: Entry[]
  /** Of a CronJob. */
  readonly suspended: Suspension[]
}

/** Lives of one lane, and whose they are. */
export interface WrittenLane {
  readonly name: string
  readonly kind: 'Job' | 'CronJob'
  readonly carrier: Carrier | undefined
  readonly suspended: readonly Suspension[]
  readonly lives: readonly JobLife[]
}

/**
 * Listens to a cluster and writes down every Job object from its creation to its deletion, with
 * the cause chain of both. It is told causes and requests while an actor works, and the writes
 * afterwards, so the cause of a write is known when the write is seen.
 */
export class Chronicle implements Listener {
  readonly #causes = new CauseBook()
  readonly #errors = new ErrorBook()
  readonly #entries = new Map<string, Entry>()
  /** Starts of the work in each pod that is still there. */
  readonly #executions = new Map<string, number>()
  readonly #lanes = new Map<string, LaneEntry>()
  readonly #texts = new Map<string, string>()
  readonly #happenings: Happening[] = []
  readonly #races = new Map<string, Set<string>>()
  #longest = 0

  /** Lives of the lane that has most of them. */
  get longest(): number {
    return this.#longest
  }

  longestLane(): { readonly name: string; readonly lives: number } {
    let longest = { name: '', lives: 0 }
    for (const [name, { entries }] of this.#lanes) {
      if (entries.length > longest.lives) longest = { name, lives: entries.length }
    }
    return longest
  }

  cause(cause: Cause): void {
    this.#causes.note(cause)
    this.#errors.told(cause)
    const happening = happeningOf(cause)
    if (happening !== undefined && this.#happenings.length < MAX_HAPPENINGS) {
      this.#happenings.push(happening)
    }
    const race = stringAt(cause.data, ['race'])
    if (race !== undefined) this.#race(race, cause.object)
  }

  request(request: Request, answer: Answer, at: Instant): void {
    if (succeeded(answer)) this.#causes.noteRequest(request, answer, at)
    else this.#errors.refused(request, answer, at)
  }

  write(event: WatchEvent, at: Instant): void {
    const { type, resource, object } = event
    if (resource.group === 'batch' && resource.resource === 'jobs') this.#seeJob(type, object, at)
    else if (resource.group === 'batch' && resource.resource === 'cronjobs') {
      this.#seeCronJob(type, object, at)
    } else if (resource.group === '' && resource.resource === 'pods') {
      this.#seePod(type, object, at)
    }
    this.#errors.written(event, at)
  }

  /** What a person or the world does, from outside the cluster. */
  happen(happening: Happening): void {
    this.#happenings.push(happening)
  }

  /** All that there was is gone at once, and nobody deleted it. */
  lost(at: Instant, words: string): void {
    for (const entry of this.#entries.values()) {
      if (entry.deletedAt !== undefined) continue
      if (entry.endedAt === undefined) {
        entry.endedAt = at
        entry.outcome = 'gone'
      }
      entry.deletedAt = at
      entry.deleted = [{ at, role: 'effect', actor: 'person', words }]
      this.#causes.forget(entry.job)
    }
  }

  errors(): readonly SeenError[] {
    return this.#errors.list()
  }

  races(): ReadonlyMap<string, ReadonlySet<string>> {
    return this.#races
  }

  happenings(): readonly Happening[] {
    return this.#happenings.toSorted((one, other) => one.at - other.at)
  }

  lanes(): readonly WrittenLane[] {
    return [...this.#lanes].map(([name, { kind, carrier, entries, suspended }]) => ({
      name,
      kind,
      carrier,
      suspended,
      lives: entries.map(lifeOf),
    }))
  }

  #race(words: string, object: string | undefined): void {
    const lanes = this.#races.get(words) ?? new Set()
    if (object?.startsWith('Job ') === true) lanes.add(object.slice(4))
    this.#races.set(words, lanes)
  }

  #seePod(type: string, pod: KubeObject, at: Instant): void {
    const owner = controllerOf(pod)
    const entry = owner === undefined ? undefined : this.#entries.get(owner.uid)
    if (entry === undefined) return
    const { uid } = pod.metadata
    const before = this.#executions.get(uid) ?? 0
    const starts = executionsOf(pod, isInjectedSidecar)
    entry.executions += Math.max(0, starts - before)
    if (type === 'DELETED') this.#executions.delete(uid)
    else this.#executions.set(uid, Math.max(starts, before))
    // A pod that comes back with etcd has started before.
    if (type !== 'ADDED' || stringAt(pod, ['status', 'startTime']) !== undefined) return
    entry.pods += 1
    if (entry.startedAt !== undefined) return
    entry.startedAt = at
    if (entry.outcome === 'waiting') entry.outcome = 'running'
  }

  #seeJob(type: string, job: KubeObject, at: Instant): void {
    const entry = this.#entryOf(type, job, at)
    entry.job = job
    if (entry.endedAt === undefined) {
      const ended = endOf(job)
      if (ended !== undefined) entry.outcome = ended
      else if (type === 'DELETED') entry.outcome = 'gone'
      if (ended !== undefined || type === 'DELETED') entry.endedAt = at
    }
    if (type !== 'DELETED') return
    entry.deletedAt = at
    entry.deleted = this.#causes.deletionOf(job, at)
    this.#causes.forget(job)
  }

  /** One object has several lives where etcd went back in time. */
  #entryOf(type: string, job: KubeObject, at: Instant): Entry {
    const known = this.#entries.get(job.metadata.uid)
    if (known === undefined) return this.#begin(job, at)
    if (type === 'DELETED' || known.endedAt === undefined) return known
    const isBack = known.deletedAt !== undefined || endOf(job) === undefined
    return isBack ? this.#begin(job, at) : known
  }

  #begin(job: KubeObject, at: Instant): Entry {
    const lane = this.#lane(laneNameOf(job), job)
    const before = lane.entries.at(-1)
    const work = this.#shared(workOf(job))
    const chain = this.#causes.creationOf(job, at)
    const cause = causeOf(job, { before, work, cause: chain.cause })
    const by = chain.cause
    if (cause !== 'schedule' && by?.carrier !== undefined) {
      lane.carrier ??= { carrier: by.carrier, actor: by.actor }
    }
    const entry: Entry = {
      job,
      cause,
      created: chainOf(job, { before, cause, at, chain }),
      createdAt: at,
      work,
      startedAt: undefined,
      pods: 0,
      executions: 0,
      endedAt: undefined,
      outcome: 'waiting',
      deletedAt: undefined,
      deleted: undefined,
    }
    this.#entries.set(job.metadata.uid, entry)
    lane.entries.push(entry)
    this.#longest = Math.max(this.#longest, lane.entries.length)
    return entry
  }

  /** A CronJob has a lane although no tick has come yet. */
  #seeCronJob(type: string, cron: KubeObject, at: Instant): void {
    const { namespace = '', name } = cron.metadata
    const lane = this.#laneOf(`${namespace}/${name}`, 'CronJob')
    lane.carrier ??= this.#causes.carrierOf(`CronJob ${namespace}/${name}`)
    const last = lane.suspended.at(-1)
    const isHeld = type !== 'DELETED' && objectAt(cron, ['spec'])?.['suspend'] === true
    const wasHeld = last !== undefined && last.until === undefined
    if (isHeld && !wasHeld) lane.suspended.push({ from: at })
    else if (!isHeld && wasHeld) lane.suspended[lane.suspended.length - 1] = { ...last, until: at }
  }

  /** Equal texts of a thousand lives are kept once. */
  #shared(text: string): string {
    const known = this.#texts.get(text)
    if (known !== undefined) return known
    this.#texts.set(text, text)
    return text
  }

  #lane(name: string, job: KubeObject): LaneEntry {
    return this.#laneOf(name, controllerOf(job)?.kind === 'CronJob' ? 'CronJob' : 'Job')
  }

  #laneOf(name: string, kind: 'Job' | 'CronJob'): LaneEntry {
    const known = this.#lanes.get(name)
    if (known !== undefined) return known
    const made: LaneEntry = { kind, carrier: undefined, entries: [], suspended: [] }
    this.#lanes.set(name, made)
    return made
  }
}

/** More marks than this say nothing that fewer do not. */
const MAX_HAPPENINGS = 20_000

function laneNameOf(job: KubeObject): string {
  const { namespace = '', name, generateName } = job.metadata
  const owner = controllerOf(job)
  if (owner?.kind === 'CronJob') return `${namespace}/${owner.name}`
  return `${namespace}/${typeof generateName === 'string' ? `${generateName}*` : name}`
}
