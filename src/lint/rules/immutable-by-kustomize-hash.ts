import { at, stringAt } from '../../core/json.ts'
import { isTemplated } from '../../core/templates.ts'
import type { Subject } from '../../ownership/subject.ts'
import { carrierLinks, engineTitle, label } from '../helpers.ts'
import { podTemplatePath } from '../pods.ts'
import { referencesOf } from '../references.ts'
import type { Rule, RuleFinding } from '../rule.ts'

/**
 * kustomize gives a generated ConfigMap or Secret a new name with each change of its content, and
 * writes that name into the pod template. The Job keeps its own name, so the next change is an
 * immutable one.
 * Silent for generators without the hash, for hooks and engines that re-create a changed Job or
 * skip the change, for CronJobs, and for names that only rendering knows.
 */
export const immutableByKustomizeHash: Rule = {
  id: 'immutable-by-kustomize-hash',
  severity: 'warning',
  summary: 'A generated name changes the pod template, but not the name of the Job.',
  kinds: ['Job'],
  check,
}

function check(subject: Subject): readonly RuleFinding[] {
  const { object, traits, generatedNames } = subject
  if (!traits.applies || traits.hook !== undefined || traits.templateChange !== 'refused') return []
  const name = stringAt(object, ['metadata', 'name'])
  if (generatedNames.length === 0 || name === undefined || isTemplated(name)) return []
  const path = [...podTemplatePath(subject), 'spec']
  const found = referencesOf(at(object, path), path, { optional: true }).flatMap((reference) => {
    const generated = generatedNames.find(
      ({ kind, name: one }) => kind === reference.kind && one === reference.name,
    )
    return generated === undefined ? [] : [{ reference, generated }]
  })
  const [first] = found
  if (first === undefined) return []
  const { reference, generated } = first
  const others = new Set(found.map((one) => one.generated))
  others.delete(generated)
  return [
    {
      at: reference.path,
      what:
        `${label(subject)} keeps its name when the generated ${generated.kind} ` +
        `${generated.name} changes`,
      why:
        `kustomize ends the name of the ${generated.kind} in a hash of its content and writes it ` +
        `into the pod template; the template of an existing Job is immutable, so ` +
        `${engineTitle(subject)} fails at the next change of the content, and the Job does not run`,
      remedy: remedyOf(subject, generated.kind),
      related: [generated, ...others].map(({ kind, name: one, place }) => ({
        place,
        note: `the generator of ${kind} ${one}`,
      })),
    },
  ]
}

function remedyOf(subject: Subject, kind: string): string {
  const force = carrierLinks(subject).some(({ settings }) =>
    settings.some(({ name }) => name === 'force'),
  )
  return (
    'if a change should run the Job: stamp what kustomize has built, so that its name follows ' +
    `the new template${force ? ', or set force on the Job' : ''}; if not: set ` +
    `options.disableNameSuffixHash: true for this ${kind}`
  )
}
