import { stringAt } from '../../core/json.ts'
import type { Turn } from '../../engines/engine.ts'
import { isLater } from '../../engines/order.ts'
import type { Companion, Repository, Subject } from '../../ownership/subject.ts'
import { byCompany, SERVICES } from '../company.ts'
import { beyond, guardsOf, isRebound } from '../guards.ts'
import { annotationPath, assuming, engineTitle, label, policyPath, runsByHelm } from '../helpers.ts'
import { companionLabel, sameNamespace } from '../providers.ts'
import type { Rule, RuleFinding } from '../rule.ts'
import { jobGuards, objectGuards, turnOfSubject, turnsOf } from '../turns.ts'
import { waitFor } from '../waits.ts'

/**
 * An init container of an ordinary object waits for a Job that the same carrier runs only after
 * that object is ready (a hook of the last phase, a later wave, a later step): each waits for the
 * other. Or it waits for a hook that is deleted on success, so that pods which start later wait for
 * something that is gone.
 * Silent for hooks that run before and stay, where nothing waits for ordinary objects to be ready,
 * for waits that name another object, and for names that only rendering knows.
 */
export const ordinaryObjectWaitsForHook: Rule = {
  id: 'ordinary-object-waits-for-hook',
  severity: 'error',
  summary: 'An object waits for a hook Job that waits for it, or that is deleted.',
  kinds: ['Job'],
  checkRepository,
}

interface Awaited {
  readonly subject: Subject
  readonly turn: Turn
  readonly names: readonly string[]
}

function checkRepository({ subjects }: Repository): readonly RuleFinding[] {
  const groups = byCompany(subjects.flatMap(awaited))
  return [...groups].flatMap(([company, members]) => {
    const workloads = company.mentioning(
      members.flatMap(({ names }) => names),
      SERVICES,
    )
    return members.flatMap((member) => judge(member, workloads))
  })
}

/** Jobs that somebody has put in an order, and whose turn or policy can hurt who waits. */
function awaited(subject: Subject): readonly Awaited[] {
  const { engine, traits, object, manifest } = subject
  const turn = turnOfSubject(subject)
  if (subject.kind !== 'Job' || turn === undefined || !traits.applies) return []
  const isOrdered = traits.hook !== undefined || turn.annotation !== undefined
  if (!isOrdered && engine.turnOf !== undefined) return []
  if (turn.phase === 'before' && !isDeleted(subject)) return []
  const names = [stringAt(object, ['metadata', 'name']), manifest.name]
  const known = [...new Set(names.filter((name) => name !== undefined))]
  if (known.length === 0 || isRebound(guardsOf(manifest, ['kind']))) return []
  return [{ subject, turn, names: known }]
}

function isDeleted({ traits }: Subject): boolean {
  return traits.hook?.deletePolicies.includes('hook-succeeded') === true
}

function judge(member: Awaited, workloads: readonly Companion[]): readonly RuleFinding[] {
  const { subject, names } = member
  for (const workload of workloads) {
    const own = subject.engine.traits(subject.carrier?.object, workload.object)
    if (own.hook !== undefined || !own.applies) continue
    if (!sameNamespace(workload, subject) || isRebound(objectGuards(workload.manifest))) continue
    const path = waitFor(workload, names)
    const trouble = path === undefined ? undefined : troubleOf(member, workload)
    if (path === undefined || trouble === undefined) continue
    const conditions = beyond(
      [...objectGuards(workload.manifest), ...guardsOf(workload.manifest, path, 'value')],
      jobGuards(subject),
    )
    const { isSure, ...words } = trouble
    const place = workload.placeOf(path)
    return [
      {
        subject,
        ...words,
        ...(isSure && conditions.length === 0 && !subject.traits.assumed
          ? {}
          : { severity: 'warning' }),
        related: [{ place, note: `${companionLabel(workload)} waits here` }],
      },
    ]
  }
  return []
}

type Trouble = Omit<RuleFinding, 'subject'> & { readonly isSure: boolean }

function troubleOf(member: Awaited, workload: Companion): Trouble | undefined {
  const { subject, turn } = member
  const ready = readiness(subject)
  const earlier = turnsOf(subject, workload).find((time) => isLater(turn, time.turn))
  if (earlier !== undefined && ready !== 'never') {
    return {
      ...later(member, workload, earlier.turn),
      isSure: ready === 'always' && earlier.when.length === 0,
    }
  }
  return isDeleted(subject) ? { ...gone(subject, workload), isSure: true } : undefined
}

/** Steps always wait for all that they have applied. */
function readiness({ engine, carrier }: Subject): 'always' | 'if-asked' | 'never' {
  if (engine.turnOf === undefined) return 'always'
  return engine.readyBeforeAfter?.(carrier?.object) ?? 'never'
}

function later(
  { subject, turn }: Awaited,
  workload: Companion,
  earlier: Turn,
): Omit<RuleFinding, 'subject'> {
  const { hook } = subject.traits
  const who = companionLabel(workload)
  const key = hook?.annotation ?? turn.annotation
  const asked = readiness(subject) === 'always' ? '' : ' (with --wait, --atomic or a timeout)'
  return {
    at: key === undefined ? ['metadata', 'name'] : annotationPath(key),
    what: `${who} waits for ${label(subject)}, which runs only after ${who} is ready`,
    why:
      assuming(subject, 'runs hooks') +
      `the Job is ${turn.words}; ${who} is ${earlier.words}: ${engineTitle(subject)} runs the Job ` +
      `when what comes before it is ready${asked}; the init container waits for the Job, so ` +
      'neither ever gets there, and the release or sync fails or hangs',
    remedy:
      'run the Job before (an earlier hook, wave or step) with all that it needs; or let the ' +
      'application itself wait for what the Job makes',
  }
}

function gone(subject: Subject, workload: Companion): Omit<RuleFinding, 'subject'> {
  const { hook } = subject.traits
  const who = companionLabel(workload)
  return {
    ...(hook === undefined ? {} : { at: policyPath(hook) }),
    what: `${who} waits for ${label(subject)}, which is deleted as soon as it has succeeded`,
    why:
      assuming(subject, 'runs hooks') +
      `${engineTitle(subject)} deletes the Job when the hooks have succeeded; ` +
      (hook !== undefined && runsByHelm(hook) && turnOfSubject(subject)?.phase === 'before'
        ? `that is before the first pod of ${who} starts, so every pod waits for a Job that is gone`
        : `pods of ${who} that start later (a restart, a new node) wait for a Job that is gone`),
    remedy:
      'keep the Job (before-hook-creation as its only policy), or wait for what the Job makes, ' +
      'such as a version in the database',
  }
}
