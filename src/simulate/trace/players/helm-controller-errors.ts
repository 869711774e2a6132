import { stringAt } from '../../../core/json.ts'
import type { Actor } from '../../../cluster/actor.ts'
import type { ClusterEvent } from '../../../cluster/cluster.ts'
import type { Instant } from '../../../cluster/time.ts'
import { conditionOf } from '../../health/health.ts'
import type { Trace } from '../format.ts'

export interface Errors {
  readonly keeper: Actor<null, never>
  readonly event: (event: ClusterEvent) => void
  readonly answer: () => string | null
}

/**
 * `answer.error` of these recordings: the messages of all Warning events and of every Ready=False of
 * a HelmRelease, each once, in the order in which they were first seen.
 */
export function errorsOf(trace: Trace, zero: Instant): Errors {
  const messages = new Set<string>()
  const end = zero + endMs(trace)
  return {
    keeper: {
      name: 'error-keeper',
      begin: () => null,
      observe(_state, { object }, io) {
        if (object.kind !== 'HelmRelease' || io.now > end) return
        const ready = conditionOf(object, 'Ready')
        const message = stringAt(ready, ['message'])
        if (ready?.['status'] === 'False' && message !== undefined) messages.add(message)
      },
      wake: () => undefined,
      copy: (state) => state,
    },
    event({ type, message, about, at }) {
      if (at > end) return
      if (type === 'Warning' && about.kind === 'HelmRelease') messages.add(message)
    },
    answer() {
      const model = [...messages]
      const recorded = trace.answer.error === null ? [] : trace.answer.error.split(' || ')
      if (alike(model) === alike(recorded)) return trace.answer.error
      return model.length === 0 ? null : alike(model)
    },
  }
}

/** What came later was not watched. */
function endMs({ events, observed, tolerance }: Trace): number {
  const seen = [...events, ...(observed.engine ?? []), ...(observed.requests ?? [])]
  return (Math.max(...seen.map(({ t }) => Number(t))) + tolerance.seconds) * 1000
}

function alike(messages: readonly string[]): string {
  return [...new Set(messages.map(plain))].join(' || ')
}

/**
 * Without the last lines of Helm's log, which carry the clock; the recorder cut long values; and a
 * timeout of the poller has three wordings, of which chance decides.
 */
function plain(message: string): string {
  return (message.split('\n\nLast Helm logs:')[0] ?? '')
    .replaceAll(/\{pod template\}|core\.PodTemplateSpec\{.*?\}+(?=: field)/g, '{...}')
    .replaceAll(/Invalid value: \{.*?\}(?=: field is immutable)/g, 'Invalid value: {...}')
    .replaceAll(
      /(client rate limiter Wait returned an error: )?rate: Wait\(n=1\) would exceed context deadline/g,
      'context deadline exceeded',
    )
    .replaceAll(/timeout waiting for: \[.*\]/g, 'context deadline exceeded')
    .trim()
}
