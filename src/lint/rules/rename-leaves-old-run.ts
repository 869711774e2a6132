import { at } from '../../core/json.ts'
import type { Subject } from '../../ownership/subject.ts'
import { coverageOf } from '../coverage.ts'
import { contractOf, CONTRACT, engineTitle, hashInName, inJobSpec, label } from '../helpers.ts'
import type { Rule, RuleFinding } from '../rule.ts'

/**
 * The name follows the content, so a change makes a new Job and removes the old one. An engine
 * that orphans the pods of what it removes lets the old pod run to its end, beside the new one and
 * without any deadline of its Job.
 * Silent for engines that delete the pods, for names that stay the same, where the pod has a
 * deadline of its own, and where the author says that a repeat converges.
 */
export const renameLeavesOldRun: Rule = {
  id: 'rename-leaves-old-run',
  severity: 'info',
  summary: 'A change starts the new Job while the pod of the old one goes on beside it.',
  kinds: ['Job'],
  check,
}

function check(subject: Subject): readonly RuleFinding[] {
  const { orphansPods, applies, hook } = subject.traits
  if (orphansPods !== true || !applies || hook !== undefined) return []
  if (hashInName(subject) === undefined && coverageOf(subject) === undefined) return []
  const contract = contractOf(subject)
  if (contract === 'converges') return []
  const pod = inJobSpec(subject, 'template', 'spec')
  if (at(subject.object, [...pod, 'activeDeadlineSeconds']) !== undefined) return []
  if (subject.isOpen(pod)) return []
  return [
    {
      at: ['metadata', 'name'],
      what: `a change of ${label(subject)} starts the new Job while the old pod may still run`,
      why:
        `${engineTitle(subject)} removes the old Job without its pods: what runs goes on to its ` +
        'end without an owner, and the deadline of the Job no longer holds it',
      remedy:
        'set activeDeadlineSeconds in the pod template (spec.template.spec), which outlives the ' +
        `Job; or, if two at once do no harm, set ${CONTRACT}: converges and say why in ${CONTRACT}-reason`,
      ...(contract === 'never-again' ? { severity: 'warning' } : {}),
    },
  ]
}
