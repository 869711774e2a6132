import { integerAt, listAt, stringAt } from '../../core/json.ts'
import { isTemplated } from '../../core/templates.ts'
import type { Subject } from '../../ownership/subject.ts'
import { SERVICES } from '../company.ts'
import { duration, label } from '../helpers.ts'
import { companionLabel } from '../providers.ts'
import type { Rule, RuleFinding } from '../rule.ts'
import { turnOfSubject } from '../turns.ts'
import { waitFor } from '../waits.ts'

const TTL = ['spec', 'ttlSecondsAfterFinished']

/**
 * The Job of a step has a TTL, and other steps come behind it. Each pass begins with the first
 * step: where the Job is gone it runs again, and the steps behind it are held until it is done.
 * What waits for the Job by its name, in an init container of a later step, never finds it again.
 * Silent for the last step, for a TTL that ends before the wait has seen the Job
 * (ttl-zero-under-waiter speaks there), and for a TTL or a step that only rendering knows.
 */
export const ttlInSequence: Rule = {
  id: 'ttl-in-sequence',
  severity: 'warning',
  summary: 'A TTL deletes the Job of a step, and the steps behind it need it again.',
  kinds: ['Job'],
  check,
}

function check(subject: Subject): readonly RuleFinding[] {
  const { engine, carrier, traits, object } = subject
  const ttlSeconds = integerAt(object, TTL)
  const steps = listAt(carrier?.object, ['spec', 'steps'])
  if (ttlSeconds === undefined || !traits.applies || steps.length === 0) return []
  const turn = engine.turnOf === undefined ? turnOfSubject(subject) : undefined
  if (turn === undefined || ttlSeconds <= (traits.waiter?.pollSeconds ?? 0)) return []
  const behind = steps.slice(turn.wave + 1).map((step) => stringAt(step, ['name']) ?? '(no name)')
  if (behind.length === 0) return []
  const waiting = waitingFor(subject)
  const [noun, verb] = behind.length === 1 ? ['step', 'waits'] : ['steps', 'wait']
  return [
    {
      at: TTL,
      what:
        `${label(subject)} ${turn.words} is deleted ${duration(ttlSeconds)} after it finishes, ` +
        `and the ${noun} behind it (${behind.join(', ')}) ${verb} for it again`,
      why:
        'every reconcile begins with the first step: where the Job is gone it is created and runs ' +
        'again, and what stands behind it is held until it is done; when a later step fails, each ' +
        'retry repeats this step too' +
        (waiting === undefined ? '' : `; ${waiting.who} waits for a Job that is gone by then`),
      remedy:
        'remove ttlSecondsAfterFinished: a finished Job that is still there passes its step at once',
      related:
        waiting === undefined ? [] : [{ place: waiting.place, note: `${waiting.who} waits here` }],
    },
  ]
}

function waitingFor(
  subject: Subject,
): { readonly who: string; readonly place: ReturnType<Subject['placeOf']> } | undefined {
  const name = stringAt(subject.object, ['metadata', 'name'])
  if (name === undefined || isTemplated(name)) return undefined
  for (const companion of subject.company.mentioning([name], SERVICES)) {
    const path = waitFor(companion, [name])
    if (path !== undefined) {
      return { who: companionLabel(companion), place: companion.placeOf(path) }
    }
  }
  return undefined
}
