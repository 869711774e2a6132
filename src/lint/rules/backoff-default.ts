import { at, integerAt, stringAt } from '../../core/json.ts'
import type { Subject } from '../../ownership/subject.ts'
import { CONTRACT, contractOf, inJobSpec, label } from '../helpers.ts'
import { podTemplatePath } from '../pods.ts'
import type { Rule, RuleFinding } from '../rule.ts'

/** What the API server puts in when nobody writes a limit. */
const DEFAULT_LIMIT = 6

/**
 * The author says that the work must not be repeated even after a failure, but Kubernetes starts a
 * failed pod again: six times unless somebody wrote another limit, and in place with `OnFailure`.
 * Silent for every other contract, where a pod failure policy decides, and where only rendering
 * knows the limit.
 */
export const backoffDefault: Rule = {
  id: 'backoff-default',
  severity: 'warning',
  summary: 'A failed run is repeated by Kubernetes, although the contract is never-again.',
  kinds: ['Job', 'CronJob'],
  check,
}

function check(subject: Subject): readonly RuleFinding[] {
  const { object, traits } = subject
  if (!traits.applies || contractOf(subject) !== 'never-again') return []
  const spec = inJobSpec(subject)
  const policy = at(object, [...spec, 'podFailurePolicy']) ?? undefined
  if (policy !== undefined || subject.isOpen(spec)) return []
  return tooMany(subject) ?? inPlace(subject)
}

function tooMany(subject: Subject): readonly RuleFinding[] | undefined {
  const { object } = subject
  const path = inJobSpec(subject, 'backoffLimit')
  const perIndex = at(object, inJobSpec(subject, 'backoffLimitPerIndex')) ?? undefined
  const written = at(object, path) ?? undefined
  if (perIndex !== undefined) return []
  const limit = written === undefined ? DEFAULT_LIMIT : integerAt(object, path)
  if (limit === undefined) return []
  if (limit === 0) return undefined
  const times = limit === 1 ? 'once more' : `up to ${limit} more times`
  return [
    {
      at: written === undefined ? inJobSpec(subject) : path,
      ...(written === undefined ? { show: 'key' } : {}),
      what: `${label(subject)} is never-again, but a failed pod is started ${times}`,
      why:
        (written === undefined
          ? `without backoffLimit the limit is ${DEFAULT_LIMIT}`
          : `backoffLimit is ${limit}`) +
        `: one Job object, but the work begins up to ${limit + 1} times`,
      remedy: `set backoffLimit: 0 and restartPolicy: Never, or change ${CONTRACT}`,
    },
  ]
}

function inPlace(subject: Subject): readonly RuleFinding[] {
  const path = [...podTemplatePath(subject), 'spec', 'restartPolicy']
  if (stringAt(subject.object, path) !== 'OnFailure') return []
  return [
    {
      at: path,
      what: `${label(subject)} is never-again, but a failed container is started again`,
      why:
        'with OnFailure the kubelet restarts it at once in the same pod, before the Job is ' +
        'counted as failed, so the work begins at least twice',
      remedy: `set restartPolicy: Never, or change ${CONTRACT}`,
    },
  ]
}
