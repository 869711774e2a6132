import type { JsonObject } from '../../../core/json.ts'
import type { Io } from '../../../cluster/actor.ts'
import { shortWords } from '../words.ts'
import type { ActionInput } from './contract.ts'
import type { Target } from './objects.ts'

/** Who acts on whose behalf, for cause chains. */
export interface Doer {
  readonly actor: string
  readonly carrier: string
}

export interface Reason extends Doer {
  readonly rule: string
  readonly data?: JsonObject
}

/** `created Job`, `deleted Job to replace it`: what was done to an object of a release. */
export function tell(effect: string, target: Target, reason: Reason, io: Io<never>): void {
  io.cause({ at: io.now, effect, object: placeIn(target), ...reason })
}

/** Nothing was changed, because the server said no. */
export function tellRefusal(message: string, target: Target, reason: Reason, io: Io<never>): void {
  tell(`refused ${target.kind.kind}: ${shortWords(message)}`, target, reason, io)
}

/** `Job shop/migrate`, `Namespace shop`. */
function placeIn({ kind, namespace, name }: Target): string {
  return `${kind.kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`
}

/** `failed to roll back release app: ...` */
export function failureOf(action: ActionInput['action'], release: string, error: string): string {
  const verb = action === 'rollback' ? 'roll back' : action
  return `failed to ${verb} release ${release}: ${shortWords(error)}`
}
