import type { Rule, RuleFinding } from './rule.ts'
import { annotationPath, annotationsOpen, CONTRACT, label } from './helpers.ts'
import { didYouMean } from './nearest.ts'
import { at } from '../core/json.ts'
import { isTemplated } from '../core/templates.ts'
import type { Subject } from '../ownership/subject.ts'

const CONTRACT_REASON = 'semel.dev/contract-reason'

/**
 * The contract annotation holds a word that Semel does not know, or promises `converges` without
 * a reason. Silent where rendering decides the word, or may still add the reason.
 */
const contractInvalid: Rule = {
  id: 'contract-invalid',
  severity: 'error',
  summary: 'The annotation semel.dev/contract holds an unknown word, or lacks its reason.',
  kinds: ['Job', 'CronJob'],
  check: checkContract,
}

export const suppressionInvalid: Rule = {
  id: 'suppression-invalid',
  severity: 'error',
  summary: 'A suppression has no reason, an unknown rule id, or an end that has passed.',
  kinds: [],
}

export const suppressionUnused: Rule = {
  id: 'suppression-unused',
  severity: 'warning',
  summary: 'A suppression covers nothing any more.',
  kinds: [],
  fixes: ['safe'],
}

/** Rules on Semel's own annotations and comments; the runner itself finds the last two. */
export const builtinRules: readonly Rule[] = [
  contractInvalid,
  suppressionInvalid,
  suppressionUnused,
]

const WORDS = ['converges', 'once', 'never-again']

function checkContract(subject: Subject): readonly RuleFinding[] {
  const { object } = subject
  const value = at(object, annotationPath(CONTRACT))
  if (value === undefined || isTemplated(value)) return []
  if (typeof value !== 'string' || !WORDS.includes(value)) return [unknownWord(subject, value)]
  if (value !== 'converges' || annotationsOpen(subject)) return []
  const reason = at(object, annotationPath(CONTRACT_REASON))
  if (typeof reason === 'string' && reason.trim() !== '') return []
  return [
    {
      at: annotationPath(CONTRACT),
      what: `${label(subject)} promises that a second run changes nothing, and does not say why`,
      why: 'Semel lets a Job repeat on this promise alone, so somebody must be able to check it',
      remedy: `add the annotation ${CONTRACT_REASON} with the reason, or remove ${CONTRACT}`,
    },
  ]
}

function unknownWord(subject: Subject, value: unknown): RuleFinding {
  const written = typeof value === 'string' ? `"${value}"` : String(value)
  const hint = typeof value === 'string' ? didYouMean(value, WORDS) : ''
  return {
    at: annotationPath(CONTRACT),
    what: `${label(subject)} has the contract ${written}, which Semel does not know.${hint}`,
    why: 'an unknown word counts as once: the Job must not repeat after success',
    remedy: `write one of ${WORDS.join(', ')}`,
  }
}
