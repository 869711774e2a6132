import { at } from '../../core/json.ts'
import type { Place } from '../../core/source.ts'
import { isTemplated } from '../../core/templates.ts'
import type { Turn } from '../../engines/engine.ts'
import { isLater } from '../../engines/order.ts'
import type { Companion, Repository, Subject } from '../../ownership/subject.ts'
import { byCompany, PROVIDERS } from '../company.ts'
import { beyond, guardsOf, isRebound, whenHeld, whenNotHeld } from '../guards.ts'
import { assuming, duration, engineTitle, label } from '../helpers.ts'
import { podTemplatePath } from '../pods.ts'
import { companionLabel, provides, providedBy } from '../providers.ts'
import { referencesOf, type Reference } from '../references.ts'
import type { Rule, RuleFinding } from '../rule.ts'
import {
  jobGuards,
  objectGuards,
  orderGuards,
  turnOfSubject,
  turnsOf,
  type Timed,
} from '../turns.ts'

/**
 * A Job runs in an early phase, wave or step and is waited for, and what its pod cannot start
 * without (a ConfigMap, Secret, ServiceAccount or claim) is created by the same carrier only
 * afterwards. On a first installation the Job never starts, so what it waits for never comes.
 * Silent for references that are optional, for objects that another carrier may bring, for hooks
 * that do not run at an installation, where the same object also stands in an earlier turn, in
 * equal turns, and where hook, wave or name are known only after rendering.
 */
export const hookNeedsLaterObject: Rule = {
  id: 'hook-needs-later-object',
  severity: 'error',
  summary: 'A Job needs an object that is created only after the Job is done.',
  kinds: ['Job'],
  checkRepository,
}

interface Needy {
  readonly subject: Subject
  readonly turn: Turn
  readonly references: readonly Reference[]
}

function checkRepository({ subjects }: Repository): readonly RuleFinding[] {
  const groups = byCompany(subjects.flatMap(needy))
  return [...groups].flatMap(([company, members]) => {
    const names = members.flatMap(({ references }) => references.map(({ name }) => name))
    const companions = company.mentioning([...new Set(names)], PROVIDERS)
    return members.flatMap((member) => judge(member, companions))
  })
}

/** Waves of ordinary Jobs count where somebody wrote one. */
function needy(subject: Subject): readonly Needy[] {
  const { kind, traits } = subject
  if (kind !== 'Job' || !traits.applies) return []
  const turn = turnOfSubject(subject)
  if (turn === undefined || turn.phase === 'after') return []
  const isOrdered =
    traits.hook !== undefined ||
    turn.annotation !== undefined ||
    subject.engine.turnOf === undefined
  if (!isOrdered) return []
  const path = [...podTemplatePath(subject), 'spec']
  const found = new Map<string, Reference>()
  for (const reference of referencesOf(at(subject.object, path), path)) {
    const key = JSON.stringify([reference.kind, reference.name])
    if (!found.has(key)) found.set(key, reference)
  }
  return found.size === 0 ? [] : [{ subject, turn, references: [...found.values()] }]
}

function judge(member: Needy, companions: readonly Companion[]): readonly RuleFinding[] {
  return member.references.flatMap((reference) => {
    const late = lateProvider(member, reference, companions) ?? lateGenerated(member, reference)
    return late === undefined ? [] : [finding(member, reference, late)]
  })
}

/** What brings the object only afterwards. */
interface Late {
  readonly title: string
  readonly turn: Turn
  readonly place: Place
  /** Conditions of a template under which it is so, for a sentence. */
  readonly conditions: readonly string[]
  readonly isSure: boolean
  readonly isGenerated?: true
}

function lateProvider(
  { subject, turn }: Needy,
  reference: Reference,
  companions: readonly Companion[],
): Late | undefined {
  const guards = guardsOf(subject.manifest, reference.path)
  if (isTemplated(reference.name) && isRebound(guards)) return undefined
  const providers = companions.filter((one) => provides(one, reference, subject))
  const shared = [...jobGuards(subject), ...guards]
  const judged = providers.map((companion) => ({ companion, times: turnsOf(subject, companion) }))
  if (judged.some(({ times }) => isEarly(times, turn))) return undefined
  for (const { companion, times } of judged) {
    const late = times.find((time) => isLater(time.turn, turn))
    if (late === undefined) continue
    if (late.turn.phase === turn.phase && isOrderOpen(companion)) continue
    const own = [
      ...orderGuards(subject.manifest),
      ...beyond(objectGuards(companion.manifest), shared),
    ]
    return {
      title: titleOf(companion),
      turn: late.turn,
      place: companion.placeOf(['metadata', 'name']),
      conditions: [...own.map(whenHeld), ...late.when.map(late.otherwise ? whenNotHeld : whenHeld)],
      isSure: own.length === 0 && late.when.length === 0 && !isOrderOpen(companion),
    }
  }
  return undefined
}

/** In time in every variant, or at a time that is not known. */
function isEarly(times: readonly Timed[], turn: Turn): boolean {
  return times.every((time) => !isLater(time.turn, turn))
}

function isOrderOpen(companion: Companion): boolean {
  return companion.isOpen(['metadata']) || companion.isOpen(['metadata', 'annotations'])
}

/** A generator gives its object a new name with each change, so it is late at each of them. */
function lateGenerated({ subject, turn }: Needy, reference: Reference): Late | undefined {
  const generated = subject.generatedNames.find(
    ({ kind, name }) => kind === reference.kind && name === reference.name,
  )
  if (generated === undefined) return undefined
  const { annotations, place } = generated
  const own = subject.engine.turnOf?.({ metadata: { annotations } })
  if (own === undefined || !isLater(own, turn)) return undefined
  const title = `the generated ${generated.kind} ${generated.name}`
  return { title, turn: own, place, conditions: [], isSure: true, isGenerated: true }
}

function titleOf(companion: Companion): string {
  const { kind, names } = providedBy(companion)
  const title = companionLabel(companion)
  return kind === companion.kind ? title : `${title} (which makes ${kind} ${names.at(-1) ?? ''})`
}

function finding({ subject, turn }: Needy, reference: Reference, late: Late): RuleFinding {
  const unless =
    late.conditions.length === 0 ? '' : ` (${[...new Set(late.conditions)].join(' and ')})`
  return {
    subject,
    at: reference.path,
    what:
      `${label(subject)} ${reference.how} ${reference.kind} ${reference.name}, ` +
      `which is created only after the Job is done${unless}`,
    why:
      assuming(subject, 'runs hooks') +
      `the Job is ${turn.words}; ${late.title} is ${late.turn.words}; ` +
      `${outcome(subject, reference)}${laterRuns(reference, late)}`,
    remedy: remedyOf(subject, reference, turn),
    ...(late.isSure && !subject.traits.assumed ? {} : { severity: 'warning' }),
    related: [{ place: late.place, note: `${late.title}: ${late.turn.words}` }],
  }
}

function outcome(subject: Subject, { kind }: Reference): string {
  const { waiter } = subject.traits
  const stuck =
    kind === 'ServiceAccount'
      ? 'without its account no pod can even be created'
      : 'the pod cannot start without it'
  const who = waiter?.who ?? engineTitle(subject)
  const limit = waiter?.timeoutSeconds
  const end =
    limit !== undefined
      ? `fails after ${duration(limit)}`
      : `waits for the Job${waiter === undefined ? '' : ' without an end'}`
  return `on a first installation ${stuck}, and ${who} ${end}`
}

function laterRuns({ kind }: Reference, { isGenerated }: Late): string {
  if (isGenerated === true) {
    return '; its name changes with its content, so every change of it stops the next run too'
  }
  const isRead = kind === 'ConfigMap' || kind === 'Secret'
  return isRead ? '; later runs read what the revision before has left' : ''
}

function remedyOf(subject: Subject, { kind }: Reference, turn: Turn): string {
  if (subject.engine.turnOf === undefined) {
    return `create the ${kind} in an earlier step, or in the step of the Job`
  }
  const hasWaves = turn.words.includes('wave')
  const later = hasWaves
    ? 'run the Job in the Sync phase, in a later wave'
    : 'run the Job after the ordinary objects (post-install,post-upgrade)'
  if (turn.phase === 'with')
    return `give the ${kind} a smaller wave than the Job, or the Job a larger one`
  return (
    `make a ${kind} for the hook alone: with the same hook annotation, a smaller ` +
    `${hasWaves ? 'wave' : 'weight'}, and before-hook-creation as its only policy; or ${later}`
  )
}
