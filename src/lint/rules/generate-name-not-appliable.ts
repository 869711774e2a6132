import { stringAt } from '../../core/json.ts'
import { isTemplated } from '../../core/templates.ts'
import type { Repository, Subject } from '../../ownership/subject.ts'
import { kustomizeLink, linkName, linkPlace, manifestKey, namespaceOf } from '../chain.ts'
import { annotationsOpen, engineTitle } from '../helpers.ts'
import type { Rule, RuleFinding } from '../rule.ts'

const AT = ['metadata', 'generateName'] as const
const REMEDY = 'set metadata.name; with a hash of the content in it the Job runs once per change'

/**
 * Only a create request understands generateName. Whoever applies needs a name: the object is
 * refused, mostly with everything that is applied beside it. Where hooks may use it, two hooks of
 * one phase with one prefix get one name.
 * Silent when a name stands beside it (the name wins), for engines that create such objects, and
 * for what the engine leaves alone.
 */
export const generateNameNotAppliable: Rule = {
  id: 'generate-name-not-appliable',
  severity: 'error',
  summary: 'generateName where the engine needs a name, or where two hooks get the same one.',
  kinds: ['Job', 'CronJob'],
  check,
  checkRepository,
}

function check(subject: Subject): readonly RuleFinding[] {
  const prefix = prefixOf(subject)
  const refusal = prefix === undefined ? undefined : refusalOf(subject)
  if (refusal === undefined) return []
  const what = `the ${subject.kind} with generateName ${prefix} has no name`
  return [{ at: AT, what, remedy: REMEDY, ...refusal }]
}

type Refusal = Pick<RuleFinding, 'why'> & Partial<Omit<RuleFinding, 'why' | 'what'>>

function refusalOf(subject: Subject): Refusal | undefined {
  const { traits, chain } = subject
  const title = engineTitle(subject)
  const kustomize = kustomizeLink(chain)
  if (kustomize !== undefined) {
    return {
      why:
        `kustomize (${linkName(kustomize)}) knows objects by their name: the build fails ` +
        '(missing metadata.name), and nothing of it is applied',
      related: linkPlace(kustomize),
    }
  }
  if (traits.generateName === 'creates-each-time') return undefined
  const mayBeHook = traits.hook !== undefined || annotationsOpen(subject)
  if (traits.generateName === 'hooks-only' && mayBeHook) return undefined
  if (traits.assumed) {
    return {
      why:
        'kubectl apply refuses it (cannot use generate name with apply); only kubectl create ' +
        'takes it, and then each call is a new run',
      severity: 'warning',
    }
  }
  if (traits.generateName === 'refused') {
    return { why: `${title} applies objects by name and refuses one without` }
  }
  return {
    why:
      `${title} takes generateName for hooks only; for any other object the dry run fails ` +
      '(cannot use generate name with apply), and nothing of the app is applied',
    remedy: `${REMEDY}; or make it a hook, which runs at every sync`,
  }
}

/** The engine builds the name of a hook from prefix, revision, phase and start of the sync. */
function checkRepository({ subjects }: Repository): readonly RuleFinding[] {
  const seen = new Map<string, Subject>()
  return subjects.flatMap((subject) => {
    const { traits, kind, carrier } = subject
    const prefix = prefixOf(subject)
    if (prefix === undefined || isTemplated(prefix)) return []
    if (traits.generateName !== 'hooks-only' || kustomizeLink(subject.chain)) return []
    const app = carrier === undefined ? '' : manifestKey(carrier)
    for (const phase of traits.hook?.phases ?? []) {
      const key = JSON.stringify([app, kind, namespaceOf(subject), prefix, phase])
      const first = seen.get(key)
      if (first !== undefined && manifestKey(first.manifest) !== manifestKey(subject.manifest)) {
        return [collision(subject, first, phase)]
      }
      seen.set(key, subject)
    }
    return []
  })
}

function collision(subject: Subject, first: Subject, phase: string): RuleFinding {
  const prefix = prefixOf(subject)
  return {
    subject,
    at: AT,
    what: `generateName ${prefix} is used twice in phase ${phase}`,
    why:
      `${engineTitle(subject)} makes the name from prefix, revision, phase and start of the sync, ` +
      'so both hooks get one name: one of them does not run, or is refused as immutable',
    remedy: 'give each hook its own prefix, or a name',
    ...(subject.traits.assumed ? { severity: 'warning' as const } : {}),
    related: [{ place: first.placeOf(AT), note: `the other hook with generateName ${prefix}` }],
  }
}

function prefixOf(subject: Subject): string | undefined {
  const { object, traits } = subject
  if (!traits.applies || stringAt(object, ['metadata', 'name']) !== undefined) return undefined
  return subject.isOpen(['metadata']) ? undefined : stringAt(object, AT)
}
