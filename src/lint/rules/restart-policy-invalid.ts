import { at, objectAt, type Path } from '../../core/json.ts'
import { isTemplated } from '../../core/templates.ts'
import type { Subject } from '../../ownership/subject.ts'
import type { RuleFix } from '../fix.ts'
import { inJobSpec, label } from '../helpers.ts'
import type { Rule, RuleFinding } from '../rule.ts'

const REMEDY =
  'set restartPolicy: Never (a failed pod is replaced), or OnFailure (its containers start again)'

/**
 * Pods restart always unless told otherwise, and the API server refuses that for a Job: it must
 * say Never or OnFailure, and with a podFailurePolicy Never.
 * Silent where rendering decides the word, and for the restartPolicy of single containers: an init
 * container with Always is a native sidecar.
 */
export const restartPolicyInvalid: Rule = {
  id: 'restart-policy-invalid',
  severity: 'error',
  summary: 'A restartPolicy that the API server refuses for a Job.',
  kinds: ['Job', 'CronJob'],
  fixes: ['unsafe'],
  check,
}

function check(subject: Subject): readonly RuleFinding[] {
  const { object, traits } = subject
  const podSpec = inJobSpec(subject, 'template', 'spec')
  if (!traits.applies || objectAt(object, podSpec) === undefined) return []
  const path = [...podSpec, 'restartPolicy']
  const word = at(object, path) ?? undefined
  if (word === undefined) {
    if (subject.isOpen(podSpec)) return []
    return [
      {
        at: podSpec,
        show: 'key',
        what: `${label(subject)} has no restartPolicy`,
        why: `pods restart always by default, which is refused for a Job: ${nothingRuns(subject)}`,
        remedy: REMEDY,
        fix: fixTo('Never', path),
      },
    ]
  }
  if (word !== 'Never' && word !== 'OnFailure') {
    if (isTemplated(word)) return []
    const right = spelling(word)
    return [
      {
        at: path,
        what: `${label(subject)} has restartPolicy ${JSON.stringify(word)}`,
        why: `a Job may have Never or OnFailure only: ${nothingRuns(subject)}`,
        remedy: right === undefined ? REMEDY : `write ${right}`,
        fix: fixTo(right ?? 'Never', path),
      },
    ]
  }
  const policy = inJobSpec(subject, 'podFailurePolicy')
  if (word === 'Never' || objectAt(object, policy) === undefined) return []
  return [
    {
      at: path,
      what: `${label(subject)} has podFailurePolicy and restartPolicy OnFailure`,
      why: `a podFailurePolicy looks at failed pods, so it is refused with OnFailure: ${nothingRuns(subject)}`,
      remedy: 'set restartPolicy: Never',
      fix: fixTo('Never', path),
      related: [{ place: subject.placeOf(policy, 'key'), note: 'the podFailurePolicy' }],
    },
  ]
}

function nothingRuns({ kind }: Subject): string {
  return `the API server answers 422, so the ${kind} is never created`
}

function spelling(word: unknown): string | undefined {
  const letters = String(word)
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '')
  return ['Never', 'OnFailure'].find((known) => known.toLowerCase() === letters)
}

/** What was refused until now will run. */
function fixTo(value: string, path: Path): RuleFix {
  return {
    safe: false,
    title: `write restartPolicy: ${value}`,
    edits: [{ op: 'set', path, value }],
  }
}
