import type { Cause } from '../../cluster/actor.ts'
import type { Answer, Request } from '../../cluster/api/request.ts'
import type { KubeObject } from '../../cluster/object.ts'
import type { Instant } from '../../cluster/time.ts'
import { stringAt } from '../../core/json.ts'
import type { Step } from './history.ts'

/** The cause that stood when a Job was created, and its chain. */
export interface Creation {
  readonly cause: Cause | undefined
  readonly trigger: readonly Step[]
  readonly effect: readonly Step[]
}

/** An engine's own object, and the process that works for it. */
export interface Carrier {
  readonly carrier: string
  readonly actor: string
}

/** The last causes, by what they are about: enough to say why something was just written. */
export class CauseBook {
  /** The last trigger of each carrier. */
  readonly #triggers = new Map<string, Cause>()
  /** The last creation and deletion of each Job. */
  readonly #creations = new Map<string, Cause>()
  readonly #deletions = new Map<string, Cause>()
  readonly #carriers = new Map<string, Carrier>()
  /** Who sent the request, for writes that nobody explained. */
  readonly #users = new Map<string, { readonly user: string; readonly at: Instant }>()

  /** Who last said to act on a CronJob on behalf of its own object. */
  carrierOf(object: string): Carrier | undefined {
    return this.#carriers.get(object)
  }

  note(cause: Cause): void {
    const { actor, object, carrier, trigger, effect } = cause
    if (trigger !== undefined) {
      const whose = carrier ?? object
      if (whose !== undefined) this.#triggers.set(whose, cause)
    }
    if (object?.startsWith('CronJob ') === true && carrier !== undefined && carrier !== object) {
      this.#carriers.set(object, { carrier, actor })
    }
    if (object?.startsWith('Job ') !== true) return
    if (DELETES.test(effect)) {
      // A foreground deletion is asked for once and carried out later.
      if (!this.#deletions.has(object)) this.#deletions.set(object, cause)
    } else if (CREATES.test(effect)) this.#creations.set(object, cause)
  }

  noteRequest(request: Request, answer: Answer, at: Instant): void {
    const { verb, resource, options, user } = request
    if (resource.resource !== 'jobs' || options?.dryRun === true) return
    if (verb === 'get' || verb === 'list' || request.subresource !== undefined) return
    const name = request.name ?? stringAt(answer.body, ['metadata', 'name']) ?? ''
    const key = `${verb === 'delete' ? 'delete' : 'write'} ${request.namespace ?? ''}/${name}`
    if (verb === 'delete' && this.#users.has(key)) return
    this.#users.set(key, { user, at })
  }

  creationOf(job: KubeObject, at: Instant): Creation {
    const key = nameOf(job)
    const found = this.#creations.get(`Job ${key}`)
    const cause = found?.at === at ? found : undefined
    const user = this.#users.get(`write ${key}`)?.user ?? 'somebody'
    return {
      cause,
      trigger: this.#triggerOf(cause),
      effect: [cause === undefined ? byHand(at, user, `created Job ${key}`) : effectOf(cause)],
    }
  }

  deletionOf(job: KubeObject, at: Instant): readonly Step[] {
    const key = nameOf(job)
    const cause = this.#deletions.get(`Job ${key}`)
    const user = this.#users.get(`delete ${key}`)?.user ?? 'somebody'
    if (cause === undefined) return [byHand(at, user, `deleted Job ${key}`)]
    return [...this.#triggerOf(cause), effectOf(cause)]
  }

  /** The Job is gone: the next one of its name has causes of its own. */
  forget(job: KubeObject): void {
    const key = nameOf(job)
    this.#deletions.delete(`Job ${key}`)
    this.#users.delete(`delete ${key}`)
  }

  #triggerOf(cause: Cause | undefined): readonly Step[] {
    if (cause === undefined) return []
    const { carrier } = cause
    const round =
      cause.trigger === undefined && carrier !== undefined ? this.#triggers.get(carrier) : cause
    if (round?.trigger === undefined) return []
    const { at, actor, rule, trigger } = round
    const whose = carrier === undefined ? '' : `${carrier}: `
    const words = `${whose}${trigger.words}`
    return [{ at, role: 'trigger', actor, words, rule, trigger: trigger.kind }]
  }
}

const CREATES = /^(?:re-?)?(?:created|applied|installed|started|replaced|brought back|changed back)/
const DELETES = /^(?:deleted|pruned|removed|collected|garbage|lost)/

function effectOf({ at, actor, rule, effect, object }: Cause): Step {
  const whole = object === undefined ? effect : sentence(effect, object)
  return { at, role: 'effect', actor, words: whole, rule }
}

/** `deleted Job to replace it` and `Job shop/migrate`: `deleted Job shop/migrate to replace it`. */
function sentence(effect: string, object: string): string {
  const [kind = ''] = object.split(' ')
  if (effect.includes(object)) return effect
  const at = effect.indexOf(kind)
  if (at < 0) return `${effect} ${object}`
  return `${effect.slice(0, at)}${object}${effect.slice(at + kind.length)}`
}

function byHand(at: Instant, actor: string, words: string): Step {
  return { at, role: 'effect', actor, words }
}

function nameOf(job: KubeObject): string {
  return `${job.metadata.namespace ?? ''}/${job.metadata.name}`
}
