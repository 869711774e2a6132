import { at, integerAt, listAt, stringAt } from '../../core/json.ts'
import { placeOf, type Manifest } from '../../core/manifest.ts'
import { isTemplated } from '../../core/templates.ts'
import type { Repository, Subject } from '../../ownership/subject.ts'
import { duration, label } from '../helpers.ts'
import { namespaceOf } from '../chain.ts'
import type { Rule, RuleFinding } from '../rule.ts'
import { turnOfSubject } from '../turns.ts'

const TTL = ['spec', 'ttlSecondsAfterFinished']

/**
 * A Job that is a part of a sequence has a TTL. Each pass through the sequence starts at the first
 * step: where the Job is gone it runs again, and the steps behind it are held until it is done.
 * And who waits for the Job by its name does not find it any more.
 * Silent for the last step that nobody waits for, for a TTL that ends before the wait has seen the
 * Job (ttl-zero-under-waiter speaks there), and for a TTL or name that only rendering knows.
 */
export const ttlInSequence: Rule = {
  id: 'ttl-in-sequence',
  severity: 'warning',
  summary: 'A TTL deletes a Job that later steps, or another object, wait for.',
  kinds: ['Job'],
  checkRepository,
}

function checkRepository({ subjects, manifests }: Repository): readonly RuleFinding[] {
  let waiting: Waiting | undefined
  return subjects.flatMap((subject) => {
    const ttlSeconds = integerAt(subject.object, TTL)
    if (subject.kind !== 'Job' || ttlSeconds === undefined || !subject.traits.applies) return []
    waiting ??= waitingFor(manifests)
    return [...inSteps(subject, ttlSeconds), ...named(subject, ttlSeconds, waiting)]
  })
}

function inSteps(subject: Subject, ttlSeconds: number): readonly RuleFinding[] {
  const { engine, carrier, traits } = subject
  const steps = listAt(carrier?.object, ['spec', 'steps'])
  if (engine.turnOf !== undefined || steps.length === 0) return []
  const turn = turnOfSubject(subject)
  const pollSeconds = traits.waiter?.pollSeconds ?? 0
  if (turn === undefined || ttlSeconds <= pollSeconds) return []
  const behind = steps.slice(turn.wave + 1).map((step) => stringAt(step, ['name']) ?? '')
  if (behind.length === 0) return []
  return [
    {
      subject,
      at: TTL,
      what:
        `${label(subject)} of ${turn.words} is deleted ${duration(ttlSeconds)} after it finishes, ` +
        `and ${behind.length === 1 ? 'the step' : 'the steps'} ${behind.join(', ')} ` +
        `${behind.length === 1 ? 'waits' : 'wait'} for it again`,
      why:
        'every reconcile begins with the first step: where the Job is gone it is created and runs ' +
        'again, and what stands behind it is held until it is done; when a later step fails, each ' +
        'retry repeats this step too',
      remedy:
        'remove ttlSecondsAfterFinished: a finished Job that is still there passes its step at once',
    },
  ]
}

/** What names a Job that it waits for, by the Job's namespace and name. */
type Waiting = ReadonlyMap<string, { readonly manifest: Manifest; readonly index: number }>

function waitingFor(manifests: readonly Manifest[]): Waiting {
  const found = new Map<string, { readonly manifest: Manifest; readonly index: number }>()
  for (const manifest of manifests) {
    for (const [index, entry] of listAt(manifest.object, ['spec', 'dependsOn']).entries()) {
      const group = stringAt(entry, ['apiVersion']) ?? ''
      const name = stringAt(entry, ['name'])
      if (at(entry, ['kind']) !== 'Job' || !group.startsWith('batch/') || name === undefined) continue
      const namespace = stringAt(entry, ['namespace']) ?? manifest.namespace
      found.set(JSON.stringify([namespace, name]), { manifest, index })
    }
  }
  return found
}

function named(subject: Subject, ttlSeconds: number, waiting: Waiting): readonly RuleFinding[] {
  const name = stringAt(subject.object, ['metadata', 'name'])
  if (name === undefined || isTemplated(name)) return []
  const waiter = waiting.get(JSON.stringify([namespaceOf(subject), name]))
  if (waiter === undefined) return []
  const { manifest, index } = waiter
  const who = `${manifest.kind} ${manifest.namespace ?? ''}/${manifest.name ?? ''}`
  return [
    {
      subject,
      at: TTL,
      what: `${label(subject)} is deleted ${duration(ttlSeconds)} after it finishes, and ${who} depends on it`,
      why:
        `an absent Job counts as not ready, however well it ended: ${who} applies nothing while ` +
        'the Job is gone, and a check that comes after the deletion never sees its success',
      remedy:
        'remove ttlSecondsAfterFinished; or let it depend on what applies the Job, or on what the ' +
        'Job makes',
      related: [
        { place: placeOf(manifest, ['spec', 'dependsOn', index]), note: `${who} depends on the Job` },
      ],
    },
  ]
}
