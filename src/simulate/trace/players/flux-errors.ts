import { stringAt } from '../../../core/json.ts'
import { conditionOf } from '../../health/health.ts'
import type { Actor } from '../../../cluster/actor.ts'
import { cutValues } from '../answers.ts'
import type { Trace } from '../format.ts'

/** What was told in Ready=False, in the order in which it was first told. */
export interface Kept {
  readonly messages: Set<string>
}

/** Recorders kept what Flux objects said while they were not ready. */
export const errorKeeper: Actor<Kept, never> = {
  name: 'error-keeper',
  begin: () => ({ messages: new Set() }),
  observe({ messages }, { object }) {
    if (!object.apiVersion.includes('.toolkit.fluxcd.io/')) return
    const ready = conditionOf(object, 'Ready')
    const message = stringAt(ready, ['message'])
    if (ready?.['status'] === 'False' && message !== undefined) messages.add(message)
  },
  wake: () => undefined,
  copy: ({ messages }) => ({ messages: new Set(messages) }),
}

/**
 * The model's errors in the words of the recording where both say the same: durations differ from
 * run to run, long values were cut by the recorder, and the same failure may be told many times.
 */
export function alikeErrors(kept: Kept, { answer }: Trace): string | null {
  const model = [...kept.messages]
  const recorded = answer.error === null ? [] : answer.error.split(' || ')
  if (plainly(model) === plainly(recorded)) return answer.error
  return model.length === 0 ? null : model.join(' || ')
}

function plainly(messages: readonly string[]): string {
  return [...new Set(messages.map(plain))].join(' || ')
}

function plain(message: string): string {
  return cutValues(message)
    .replaceAll(/Invalid value: \{[^}]*\}/g, 'Invalid value: {...}')
    .replaceAll(/failed after [0-9hmsµn.]+:/g, 'failed after some time:')
    .trim()
}
