import { at } from '../../core/json.ts'
import { isTemplated } from '../../core/templates.ts'
import type { Hook } from '../../engines/engine.ts'
import { annotationOf } from '../../engines/metadata.ts'
import type { Companion, Company, Repository, Subject } from '../../ownership/subject.ts'
import { byCompany, PROVIDERS, SERVICES } from '../company.ts'
import { beyond, guardsOf, isRebound, whenHeld } from '../guards.ts'
import { assuming, hookWords, policyPath } from '../helpers.ts'
import { companionLabel, providedBy, sameNamespace } from '../providers.ts'
import { nameKey, podSpecPath, referencesOf, type Reference } from '../references.ts'
import type { Rule, RuleFinding } from '../rule.ts'
import { jobGuards, objectGuards } from '../turns.ts'

/**
 * An object that hook Jobs need was made a hook itself and is deleted when the hooks have
 * succeeded, but something ordinary of the same carrier (a Deployment, a CronJob) needs it too:
 * its pods cannot be created, or not created again.
 * Silent where an ordinary object of the same name exists, for before-hook-creation alone, for
 * optional references, and for policies and names that only rendering knows.
 */
export const hookDeletesNeededObject: Rule = {
  id: 'hook-deletes-needed-object',
  severity: 'error',
  summary: 'An object is deleted when the hooks succeed, and something that stays needs it.',
  kinds: ['Job', 'CronJob'],
  checkRepository,
}

/** Kinds that pods refer to. */
const NEEDED = ['ConfigMap', 'PersistentVolumeClaim', 'Secret', 'ServiceAccount']

const WORKLOADS = [...SERVICES, 'CronJob', 'Job']

function checkRepository({ subjects }: Repository): readonly RuleFinding[] {
  const hooks = subjects.filter(({ traits }) => traits.hook !== undefined && traits.applies)
  const groups = byCompany(hooks.map((subject) => ({ subject })))
  return [...groups].flatMap(([company, [first]]) =>
    first === undefined ? [] : judge(first.subject, company),
  )
}

/** An object that goes with the hooks. */
interface Vanishing {
  readonly companion: Companion
  readonly hook: Hook
}

function judge(subject: Subject, company: Company): readonly RuleFinding[] {
  const vanishing = company
    .mentioning(['hook-succeeded', 'HookSucceeded'], NEEDED)
    .flatMap((companion) => vanishes(subject, companion))
  if (vanishing.length === 0) return []
  const names = vanishing.flatMap(({ companion }) => companion.names)
  const around = company.mentioning(names, [...PROVIDERS, ...WORKLOADS])
  return vanishing.flatMap((one) => {
    if (isAlsoOrdinary(subject, one.companion, around)) return []
    const user = around
      .map((companion) => ({ companion, reference: needs(subject, companion, one.companion) }))
      .find(({ reference }) => reference !== undefined)
    return user?.reference === undefined
      ? []
      : [finding(subject, one, { ...user, reference: user.reference })]
  })
}

function vanishes(subject: Subject, companion: Companion): readonly Vanishing[] {
  const hook = hookOf(subject, companion)
  if (hook === undefined || !hook.deletePolicies.includes('hook-succeeded')) return []
  const isKnown = hook.policyAnnotations.every(
    (key) => !isTemplated(annotationOf(companion.object, key)),
  )
  return isKnown ? [{ companion, hook }] : []
}

function hookOf({ engine, carrier }: Subject, { object }: Companion): Hook | undefined {
  return engine.traits(carrier?.object, object).hook
}

function isAlsoOrdinary(
  subject: Subject,
  { kind, names }: Companion,
  around: readonly Companion[],
): boolean {
  const keys = new Set(names.map(nameKey))
  return around.some((other) => {
    const provided = providedBy(other)
    return (
      provided.kind === kind &&
      provided.names.some((name) => keys.has(nameKey(name))) &&
      hookOf(subject, other)?.deletePolicies.includes('hook-succeeded') !== true
    )
  })
}

/** Where a workload that stays refers to the object. */
function needs(
  subject: Subject,
  workload: Companion,
  { kind, names, manifest }: Companion,
): Reference | undefined {
  if (!WORKLOADS.includes(workload.kind) || !sameNamespace(workload, subject)) return undefined
  if (subject.engine.traits(subject.carrier?.object, workload.object).hook !== undefined) {
    return undefined
  }
  const keys = new Set(names.map(nameKey))
  const rebound = [manifest, workload.manifest].some((one) => isRebound(guardsOf(one, ['kind'])))
  const path = podSpecPath(workload.kind)
  return referencesOf(at(workload.object, path), path).find(
    (reference) =>
      reference.kind === kind &&
      keys.has(nameKey(reference.name)) &&
      !(rebound && isTemplated(reference.name)),
  )
}

function finding(
  subject: Subject,
  { companion, hook }: Vanishing,
  user: { readonly companion: Companion; readonly reference: Reference },
): RuleFinding {
  const { reference } = user
  const title = companionLabel(companion)
  const needer = companionLabel(user.companion)
  const conditions = beyond(
    [
      ...objectGuards(companion.manifest),
      ...guardsOf(companion.manifest, policyPath(hook)),
      ...objectGuards(user.companion.manifest),
      ...guardsOf(user.companion.manifest, reference.path),
    ],
    jobGuards(subject),
  )
  const when = [...new Set(conditions.map(whenHeld))].join(' and ')
  const shown = companion.placeOf(policyPath(hook))
  const used = user.companion.placeOf(reference.path)
  return {
    subject,
    // No line of a Secret is ever shown.
    ...(companion.kind === 'Secret' ? { at: ['metadata', 'name'] } : { place: shown }),
    what:
      `${title} is a ${hookWords(hook)} that is deleted when the hooks succeed` +
      `${when === '' ? '' : ` (${when})`}, but ${needer} needs it`,
    why:
      assuming(subject, 'runs hooks') +
      (companion.kind === 'ServiceAccount'
        ? `a hook is no part of what stays: as soon as the hooks have succeeded, no pod of ${needer} can be created`
        : `a hook is no part of what stays: as soon as the hooks have succeeded, pods of ${needer} that start later cannot start`),
    remedy:
      `keep an ordinary ${companion.kind} for ${needer}, and give the hook one of its own, with ` +
      'another name, a smaller weight or wave, and before-hook-creation as its only policy',
    ...(when !== '' || subject.traits.assumed ? { severity: 'warning' } : {}),
    related: [
      ...(companion.kind === 'Secret' ? [{ place: shown, note: title }] : []),
      { place: used, note: `${needer} ${reference.how} it` },
    ],
  }
}
