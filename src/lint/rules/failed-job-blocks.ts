import { at, listAt, stringAt } from '../../core/json.ts'
import type { Manifest } from '../../core/manifest.ts'
import { placeOf } from '../../core/manifest.ts'
import type { Waiter } from '../../engines/engine.ts'
import type { Repository, Subject } from '../../ownership/subject.ts'
import {
  carrierLinks,
  engineTitle,
  hashInName,
  label,
  mayBecomeHook,
  queuedByKueue,
  related,
} from '../helpers.ts'
import type { Rule, RuleFinding } from '../rule.ts'

/** It removes the failed Job, and is another rule's matter. */
const TTL = ['spec', 'ttlSecondsAfterFinished']

/**
 * Somebody waits for the Job, nothing runs a failed one again, and its name stays the same, so
 * that even the repaired template is refused as immutable. One failure then holds up the engine's
 * object, and what depends on it, until a person deletes the Job.
 * Silent when a change replaces the Job (force), when its name follows its content, when a TTL
 * removes it, when the engine recreates failed Jobs, for hooks, for suspended Jobs, for CronJobs,
 * when nobody waits, and when the engine is not known.
 */
export const failedJobBlocks: Rule = {
  id: 'failed-job-blocks',
  severity: 'warning',
  summary: 'One failed Job holds up everything behind it until a person deletes it.',
  kinds: ['Job'],
  checkRepository,
}

function checkRepository({ subjects, manifests }: Repository): readonly RuleFinding[] {
  let dependents: Dependents | undefined
  return subjects.flatMap((subject) => {
    const { waiter } = subject.traits
    if (waiter === undefined || !blocks(subject, waiter)) return []
    dependents ??= dependentsBy(manifests)
    return [finding(subject, waiter, waitingFor(subject.carrier, dependents))]
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
    (at(object, ['spec', 'suspend']) !== true || queuedByKueue(subject)) &&
    at(object, TTL) === undefined &&
    !subject.isOpen(['spec']) &&
    hashInName(subject) === undefined
  )
}

function finding(subject: Subject, waiter: Waiter, dependents: readonly Manifest[]): RuleFinding {
  const held = subject.carrier === undefined ? waiter.who : title(subject.carrier)
  const behind = dependents.length === 0 ? '' : `, and with it ${listOf(dependents)},`
  return {
    subject,
    at: ['metadata', 'name'],
    what:
      `one failure of ${label(subject)} holds up ${held}${behind} until a person ` +
      'deletes the Job',
    why:
      `${engineTitle(subject)} does not run a failed Job again, and the repaired template is ` +
      'refused as immutable, because the name stays the same; meanwhile this holds back ' +
      waiter.who,
    remedy: remedyOf(subject),
    related: [
      ...related(subject, ['wait', 'healthChecks', 'force']),
      ...dependents.slice(0, MOST_SHOWN).map((manifest) => ({
        place: placeOf(manifest, ['spec', 'dependsOn'], 'key'),
        note: `${title(manifest)} waits as well`,
      })),
    ],
  }
}

const MOST_NAMED = 3
const MOST_SHOWN = 10

function listOf(dependents: readonly Manifest[]): string {
  const named = dependents.slice(0, MOST_NAMED).map(title).join(', ')
  const rest = dependents.length - MOST_NAMED
  return rest > 0 ? `${named} and ${rest} more` : named
}

function remedyOf(subject: Subject): string {
  const offersForce = carrierLinks(subject).some(({ settings }) =>
    settings.some(({ name }) => name === 'force'),
  )
  const name = 'let the name follow the content, so that the repaired Job is a new one'
  return offersForce ? `${name}; or set force, so that a changed template replaces the Job` : name
}

function title({ kind, namespace, name }: Manifest): string {
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name ?? '(no name)'}`
}

/** What waits for the carrier by `spec.dependsOn`, directly or through another, nearest first. */
function waitingFor(carrier: Manifest | undefined, dependents: Dependents): readonly Manifest[] {
  if (carrier === undefined) return []
  const found = new Set([carrier])
  for (const target of found) {
    for (const manifest of dependents.get(keyOf(target)) ?? []) found.add(manifest)
  }
  return [...found].slice(1)
}

/** By the object that they wait for. */
type Dependents = ReadonlyMap<string, readonly Manifest[]>

function dependentsBy(manifests: readonly Manifest[]): Dependents {
  const dependents = new Map<string, Manifest[]>()
  for (const manifest of manifests) {
    for (const entry of listAt(manifest.object, ['spec', 'dependsOn'])) {
      // Entries name a kind only where several are possible; the default is the dependent's own.
      const key = keyOf({
        kind: stringAt(entry, ['kind']) ?? manifest.kind,
        namespace: stringAt(entry, ['namespace']) ?? manifest.namespace,
        name: stringAt(entry, ['name']),
      })
      const known = dependents.get(key)
      if (known === undefined) dependents.set(key, [manifest])
      else known.push(manifest)
    }
  }
  return dependents
}

function keyOf({ kind, namespace, name }: Pick<Manifest, 'kind' | 'namespace' | 'name'>): string {
  return JSON.stringify([kind, namespace, name])
}
