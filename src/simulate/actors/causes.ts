import type { Io, Trigger } from '../../cluster/actor.ts'
import type { Answer } from '../../cluster/api/request.ts'
import type { KubeObject } from '../../cluster/object.ts'
import { stringAt } from '../../core/json.ts'

/** `Job shop/migrate`; cluster-wide: `ClusterQueue main`. */
export function shown({ kind, metadata }: KubeObject): string {
  const { namespace, name } = metadata
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`
}

export interface RoundOptions {
  readonly actor: string
  /** On whose behalf: `ConfigMap shop/settings`. */
  readonly carrier: string
  readonly rule: string
  readonly effect: string
  readonly trigger: Trigger
}

/** One round of an actor's work. It is told with the first thing that it does; idle ones are not. */
export class Round {
  readonly #io: Io<never>
  readonly #options: RoundOptions
  #isTold = false

  constructor(io: Io<never>, options: RoundOptions) {
    this.#io = io
    this.#options = options
  }

  did(rule: string, effect: string, object: string): void {
    const { actor, carrier } = this.#options
    if (!this.#isTold) {
      this.#isTold = true
      this.#io.cause({ at: this.#io.now, object: carrier, ...this.#options })
    }
    this.#io.cause({ at: this.#io.now, actor, carrier, rule, effect, object })
  }
}

/** The first words of a refusal. */
export function refusalOf({ body }: Answer): string {
  return (stringAt(body, ['message']) ?? 'no reason given').slice(0, 160)
}
