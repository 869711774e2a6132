import { stringAt } from '../../core/json.ts'
import type { Companion, Repository, Subject } from '../../ownership/subject.ts'
import { byCompany, SERVICES } from '../company.ts'
import { beyond, guardsOf, isRebound } from '../guards.ts'
import {
  annotationPath,
  assuming,
  engineTitle,
  hookWords,
  label,
  policyPath,
  runsByHelm,
} from '../helpers.ts'
import { companionLabel, sameNamespace } from '../providers.ts'
import type { Rule, RuleFinding } from '../rule.ts'
import { jobGuards, objectGuards } from '../turns.ts'
import { waitFor } from '../waits.ts'

/**
 * An init container of an ordinary object waits for a hook Job. When the Job runs only after the
 * ordinary objects are ready, each waits for the other. When the Job is deleted on success, pods
 * that start later wait for something that is gone.
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
  readonly names: readonly string[]
  /** `later`: the Job comes after the ordinary objects; `gone`: it is deleted on success. */
  readonly trouble: 'later' | 'gone'
  readonly isSure: boolean
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

function awaited(subject: Subject): readonly Awaited[] {
  const { engine, traits, object, carrier, manifest } = subject
  const { hook } = traits
  const turn = engine.turnOf?.(object)
  if (hook === undefined || turn === undefined || !traits.applies) return []
  const names = [stringAt(object, ['metadata', 'name']), manifest.name]
  const known = [...new Set(names.filter((name) => name !== undefined))]
  if (known.length === 0 || isRebound(guardsOf(manifest, ['kind']))) return []
  const base = { subject, names: known }
  const ready = engine.readyBeforeAfter?.(carrier?.object) ?? 'never'
  if (turn.phase === 'after' && ready !== 'never') {
    return [{ ...base, trouble: 'later', isSure: ready === 'always' && !traits.assumed }]
  }
  if (!hook.deletePolicies.includes('hook-succeeded')) return []
  return [{ ...base, trouble: 'gone', isSure: !traits.assumed }]
}

function judge(member: Awaited, workloads: readonly Companion[]): readonly RuleFinding[] {
  const { subject, names } = member
  for (const workload of workloads) {
    const { traits } = subject
    const own = subject.engine.traits(subject.carrier?.object, workload.object)
    if (own.hook !== undefined || !own.applies || traits.hook === undefined) continue
    if (!sameNamespace(workload, subject) || isRebound(objectGuards(workload.manifest))) continue
    const path = waitFor(workload, names)
    if (path === undefined) continue
    const conditions = beyond(
      [...objectGuards(workload.manifest), ...guardsOf(workload.manifest, path, 'value')],
      jobGuards(subject),
    )
    const place = workload.placeOf(path)
    const isSure = member.isSure && conditions.length === 0
    return [
      {
        subject,
        ...(member.trouble === 'later' ? later(subject, workload) : gone(subject, workload)),
        ...(isSure ? {} : { severity: 'warning' }),
        related: [{ place, note: `${companionLabel(workload)} waits here` }],
      },
    ]
  }
  return []
}

function later(subject: Subject, workload: Companion): Omit<RuleFinding, 'subject'> {
  const { hook } = subject.traits
  const who = companionLabel(workload)
  const asked = subject.engine.readyBeforeAfter?.(subject.carrier?.object) !== 'always'
  return {
    ...(hook === undefined ? {} : { at: annotationPath(hook.annotation) }),
    what: `${who} waits for ${label(subject)}, which runs only after ${who} is ready`,
    why:
      assuming(subject, 'runs hooks') +
      `the Job is a ${hook === undefined ? 'hook' : hookWords(hook)}: ${engineTitle(subject)} runs it ` +
      `when all ordinary objects are ready${asked ? ' (with --wait or --atomic)' : ''}; the init ` +
      `container waits for the Job, so neither ever starts, and the release or sync fails or hangs`,
    remedy:
      'run the Job before (pre-install,pre-upgrade or PreSync) with all that it needs, or as an ' +
      'ordinary Job; or let the application itself wait for what the Job makes',
  }
}

function isBefore({ engine, object }: Subject): boolean {
  return engine.turnOf?.(object)?.phase === 'before'
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
      (hook !== undefined && runsByHelm(hook) && isBefore(subject)
        ? `that is before the first pod of ${who} starts, so every pod waits for a Job that is gone`
        : `pods of ${who} that start later (a restart, a new node) wait for a Job that is gone`),
    remedy:
      'keep the Job (before-hook-creation as its only policy), or wait for what the Job makes, ' +
      'such as a version in the database',
  }
}
