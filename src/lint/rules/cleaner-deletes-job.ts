import { stringAt, type Path } from '../../core/json.ts'
import { isTemplated } from '../../core/templates.ts'
import type { Waiter } from '../../engines/engine.ts'
import type { Subject } from '../../ownership/subject.ts'
import { contractOf, engineTitle, label } from '../helpers.ts'
import type { Rule, RuleFinding } from '../rule.ts'

/**
 * Cleaners delete by the age of an object, whether its Job runs or not. A hook that is deleted
 * while it runs leaves an Argo CD sync hanging; elsewhere the wait fails or takes the absence for
 * a success; and an engine that restores absent objects runs the Job again.
 * Silent for a mark that never comes due or that only rendering knows, and where neither a wait
 * nor a repeat follows (also where the author says that a repeat converges).
 */
export const cleanerDeletesJob: Rule = {
  id: 'cleaner-deletes-job',
  severity: 'warning',
  summary: 'A cleaner deletes the Job by its age, also while it runs.',
  kinds: ['Job'],
  check,
}

interface Mark {
  readonly cleaner: string
  readonly path: Path
  /** For a sentence: `2h after its creation`. */
  when(value: string): string
}

const fromBirth = (value: string): string => `${value} after its creation`
const onDate = (value: string): string => `at ${value}`

const MARKS: readonly Mark[] = [
  { cleaner: 'kube-janitor', path: ['annotations', 'janitor/ttl'], when: fromBirth },
  { cleaner: 'kube-janitor', path: ['annotations', 'janitor/expires'], when: onDate },
  {
    cleaner: 'k8s-ttl-controller',
    path: ['annotations', 'k8s-ttl-controller.twin.sh/ttl'],
    when: fromBirth,
  },
  {
    cleaner: 'Kyverno',
    path: ['labels', 'cleanup.kyverno.io/ttl'],
    when: (value) => (/^\d{4}-/.test(value) ? onDate(value) : fromBirth(value)),
  },
]

/** Written on purpose, to keep an object from a rule of the cleaner. */
const NEVER = /^(?:forever|unlimited)$/i

function check(subject: Subject): readonly RuleFinding[] {
  const { object, traits } = subject
  if (!traits.applies) return []
  return MARKS.flatMap((mark) => {
    const path = ['metadata', ...mark.path]
    const value = stringAt(object, path)
    if (value === undefined || isTemplated(value) || NEVER.test(value)) return []
    const effects = [...waited(subject), ...repeated(subject)]
    if (effects.length === 0) return []
    return [
      {
        at: path,
        what: `${label(subject)} is deleted ${mark.when(value)}, whether it has ended or not`,
        why: `${mark.cleaner} looks at the age alone; ${effects.join('; ')}`,
        remedy:
          traits.hook === undefined
            ? 'remove the mark and keep the finished Job: it runs nothing'
            : 'remove the mark: the delete policy of the hook already cleans up',
      },
    ]
  })
}

function waited({ traits }: Subject): readonly string[] {
  const { waiter, hook } = traits
  if (waiter === undefined) return []
  const outcomes: Readonly<Record<Waiter['absent'], string>> = {
    success: `for ${waiter.who} a Job that is gone has succeeded`,
    failure: `${waiter.who} fails, and a retry runs the work again`,
    timeout: `${waiter.who} waits until its timeout and fails`,
    hangs:
      hook === undefined
        ? `${waiter.who} waits without an end`
        : `if it still runs, ${waiter.who} hangs until a person terminates it: the hook finalizer ` +
          'keeps the Job, and its end is never written',
  }
  return [outcomes[waiter.absent]]
}

function repeated(subject: Subject): readonly string[] {
  const { restoresAbsent, hook } = subject.traits
  if (hook !== undefined || contractOf(subject) === 'converges') return []
  if (restoresAbsent.when === 'never') return []
  const when = restoresAbsent.when === 'change' ? ` with ${restoresAbsent.on}` : ''
  const title = engineTitle(subject)
  return [`${title} then creates the absent Job, which runs again${when}`]
}
