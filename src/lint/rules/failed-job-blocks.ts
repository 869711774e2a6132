import { at, listAt, stringAt } from '../../core/json.ts'
import type { Manifest } from '../../core/manifest.ts'
import { placeOf } from '../../core/manifest.ts'
import type { Waiter } from '../../engines/engine.ts'
import type { Repository, Subject } from '../../ownership/subject.ts'
import { engineTitle, hashInName, label, mayBecomeHook, related } from '../helpers.ts'
import type { Rule, RuleFinding } from '../rule.ts'

/** It removes the failed Job, and is another rule's matter. */
const TTL = ['spec', 'ttlSecondsAfterFinished']

/**
 * Somebody waits for the Job, nothing runs a failed one again, and its name stays the same, so
 * that even the repaired template is refused as immutable. One failure then holds up the engine's
 * object, and what depends on it, until a person deletes the Job.
 * Silent when a change replaces the Job (force), when its name follows its content, when a TTL
 * removes it, when the engine recreates failed Jobs, for hooks, for CronJobs, when nobody waits,
 * and when the engine is not known.
 */
export const failedJobBlocks: Rule = {
  id: 'failed-job-blocks',
  severity: 'warning',
  summary: 'One failed Job holds up everything behind it until a person deletes it.',
  kinds: ['Job'],
  checkRepository,
}

function checkRepository(repository: Repository): readonly RuleFinding[] {
  return repository.subjects.flatMap((subject) => {
    const { waiter } = subject.traits
    if (waiter === undefined || !blocks(subject, waiter)) return []
    return [finding(subject, waiter, dependentsOf(subject.carrier, repository.manifests))]
  })
}

function blocks(subject: Subject, { afterFailure }: Waiter): boolean {
  const { kind, traits, object } = subject
  return (
    kind === 'Job' &&
    traits.applies &&
    !traits.assumed &&
    afterFailure === 'stays-failed' &&
    traits.templateChange === 'refused' &&
    traits.recreatesFailed === undefined &&
    traits.hook === undefined &&
    !mayBecomeHook(subject) &&
    at(object, TTL) === undefined &&
    !subject.isOpen(['spec']) &&
    hashInName(subject) === undefined
  )
}

function finding(subject: Subject, waiter: Waiter, dependents: readonly Manifest[]): RuleFinding {
  const names = dependents.map(title)
  const held = subject.carrier === undefined ? waiter.who : title(subject.carrier)
  const behind = names.length === 0 ? '' : `, and with it ${names.join(', ')}`
  return {
    subject,
    at: ['metadata', 'name'],
    what:
      `one failure of ${label(subject)} holds up ${held}${behind} until a person ` +
      'deletes the Job',
    why:
      `${waiter.who} sees the failed Job, ${engineTitle(subject)} does not run it again, and ` +
      'the repaired template is refused as immutable because the name stays the same',
    remedy: remedyOf(subject),
    related: [
      ...related(subject, ['wait', 'healthChecks', 'force']),
      ...dependents.map((manifest) => ({
        place: placeOf(manifest, ['spec', 'dependsOn'], 'key'),
        note: `${title(manifest)} waits as well`,
      })),
    ],
  }
}

function remedyOf(subject: Subject): string {
  const offersForce = subject.chain.some(({ settings }) =>
    settings.some(({ name }) => name === 'force'),
  )
  const name = 'let the name follow the content, so that the repaired Job is a new one'
  return offersForce ? `${name}; or set force, so that a changed template replaces the Job` : name
}

function title({ kind, namespace, name }: Manifest): string {
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name ?? '(no name)'}`
}

/** What waits for the carrier by `spec.dependsOn`, directly or through another, nearest first. */
function dependentsOf(
  carrier: Manifest | undefined,
  manifests: readonly Manifest[],
): readonly Manifest[] {
  if (carrier === undefined) return []
  const found: Manifest[] = []
  const queue = [carrier]
  for (const target of queue) {
    for (const manifest of manifests) {
      if (manifest === carrier || found.includes(manifest)) continue
      if (!dependsOn(manifest, target)) continue
      found.push(manifest)
      queue.push(manifest)
    }
  }
  return found
}

/** Entries name a kind only where several are possible; the default is the dependent's own. */
function dependsOn(manifest: Manifest, target: Manifest): boolean {
  return listAt(manifest.object, ['spec', 'dependsOn']).some(
    (entry) =>
      stringAt(entry, ['name']) === target.name &&
      (stringAt(entry, ['kind']) ?? manifest.kind) === target.kind &&
      (stringAt(entry, ['namespace']) ?? manifest.namespace) === target.namespace,
  )
}
