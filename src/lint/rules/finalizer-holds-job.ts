import { at, isList } from '../../core/json.ts'
import type { Subject } from '../../ownership/subject.ts'
import { engineTitle, label } from '../helpers.ts'
import type { Rule, RuleFinding } from '../rule.ts'

const FINALIZERS = ['metadata', 'finalizers']

/**
 * A finalizer in the manifest keeps the old Job when it is to be deleted, and whoever replaces it
 * meets the dying object: the work is not run, the sync hangs, or the engine reports a success of
 * long ago.
 * Silent where nothing deletes the Job, for finalizers that Kubernetes, the engine or Semel itself
 * takes away, and where rendering decides the list.
 */
export const finalizerHoldsJob: Rule = {
  id: 'finalizer-holds-job',
  severity: 'warning',
  summary: 'A finalizer keeps the old Job while the engine wants to replace it.',
  kinds: ['Job'],
  check,
}

/** Removed by those who put them there, without anybody's doing. */
const HARMLESS = /^(?:foregroundDeletion|orphan|argocd\.argoproj\.io\/.*|semel\.dev\/.*)$/

function check(subject: Subject): readonly RuleFinding[] {
  const { object, traits } = subject
  const list = at(object, FINALIZERS)
  if (!isList(list) || !traits.applies || traits.whileHeld === undefined) return []
  const names = list.flatMap((name) =>
    typeof name === 'string' && !HARMLESS.test(name) ? [name] : [],
  )
  const deletion = deletedBy(subject)
  if (names.length === 0 || deletion === undefined) return []
  return [
    {
      at: FINALIZERS,
      what: `${label(subject)} cannot be replaced while its finalizer ${names.join(', ')} stands`,
      why: `${deletion}; ${traits.whileHeld}`,
      remedy:
        'leave finalizers out of the manifest; who needs one adds it to the live Job and takes it ' +
        'away in time; or let the name follow the content, so that no Job is replaced',
    },
  ]
}

function deletedBy(subject: Subject): string | undefined {
  const { object, traits } = subject
  const title = engineTitle(subject)
  const { hook } = traits
  if (hook?.deletePolicies.includes('before-hook-creation') === true) {
    return `${title} deletes the hook of the last run before it creates the next one`
  }
  if (hook !== undefined) return undefined
  if (traits.updatesBy === 'delete-and-create') return `${title} deletes and creates the Job`
  if (traits.templateChange === 'recreates') return `${title} replaces a changed Job`
  if (traits.recreatesFailed !== undefined) return `${title} replaces a failed Job`
  const ttl = at(object, ['spec', 'ttlSecondsAfterFinished']) ?? undefined
  return ttl !== undefined && traits.restoresAbsent.when === 'watch'
    ? 'the TTL deletes the finished Job'
    : undefined
}
