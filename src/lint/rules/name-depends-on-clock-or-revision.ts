import { at, booleanAt, listAt, objectAt, stringAt, type Json, type Path } from '../../core/json.ts'
import type { Subject } from '../../ownership/subject.ts'
import { unsteadyPart, type Unsteady } from '../clock.ts'
import { covers } from '../expressions.ts'
import { contractOf, label } from '../helpers.ts'
import { podTemplatePath } from '../pods.ts'
import type { Rule, RuleFinding } from '../rule.ts'
import { expressionReader } from '../templating.ts'
import { holdsText, stringsBelow } from '../values.ts'

/**
 * A name taken from the clock, from chance or from a counter is a new Job at each rendering, so it
 * runs though nothing changed. The same in the pod template of a fixed name is refused as
 * immutable, or runs where the engine re-creates.
 * Silent for what an include decides, for values (a commit in them is a change of the values), for
 * hooks that are deleted on success, and for a counter or commit where a repeat converges.
 */
export const nameDependsOnClockOrRevision: Rule = {
  id: 'name-depends-on-clock-or-revision',
  severity: 'error',
  summary: 'A name or pod template that is new at each rendering, changed or not.',
  kinds: ['Job', 'CronJob'],
  check,
}

const NAME: Path = ['metadata', 'name']
const REMEDY =
  'end the name in a hash of what the Job runs (its image, command, settings); if it should run ' +
  'every time, make it a hook'

function check(subject: Subject): readonly RuleFinding[] {
  if (!subject.traits.applies) return []
  const find = finderFor(subject)
  const inName = find(stringAt(subject.object, NAME) ?? '')
  if (inName !== undefined) return nameFinding(subject, inName)
  return subject.kind === 'Job' ? templateFinding(subject, find) : []
}

type Find = (text: string) => Unsteady | undefined

function nameFinding(subject: Subject, part: Unsteady): readonly RuleFinding[] {
  const { kind, traits } = subject
  const what = `the name of ${label(subject)} depends on ${part.words}`
  const finding = { at: NAME, what, why: whyName(part), remedy: REMEDY }
  if (kind === 'CronJob') {
    const why = 'each rendering makes another CronJob: the old one goes with its history, or stays'
    return [
      { ...finding, why, remedy: 'give it a fixed name; a changed CronJob is updated in place' },
    ]
  }
  if (traits.hook !== undefined) {
    if (traits.hook.deletePolicies.includes('hook-succeeded')) return []
    const why = `it runs on ${traits.hook.runsOn} under a new name, so no policy ever finds the old Job to delete`
    return [{ ...finding, why, remedy: 'give the hook a fixed name', severity: 'warning' }]
  }
  if (!WANTED_BY_SOME.has(part.kind)) return [finding]
  if (contractOf(subject) === 'converges') return []
  return [{ ...finding, severity: 'warning' }]
}

/** A run per upgrade or commit may be meant, and then only the author knows. */
const WANTED_BY_SOME: ReadonlySet<Unsteady['kind']> = new Set(['release', 'commit', 'revision'])

function whyName({ kind, words }: Unsteady): string {
  if (kind === 'cluster') {
    return 'the same files give another name when the cluster has changed, and a new name runs'
  }
  if (kind === 'commit' || kind === 'revision') {
    return 'it changes with commits and builds that do not touch the Job, and each new name runs'
  }
  if (kind !== 'release') {
    return (
      'each rendering gives another name, so the Job runs again at every upgrade, sync or refresh ' +
      'that renders, though nothing changed; the old one is removed or left behind'
    )
  }
  return words === '.Release.Revision'
    ? 'Helm counts it up with every upgrade, so the Job runs at each, changed or not; rendered ' +
        'without a release (helm template, Argo CD) it is always 1, and no change gets a new name'
    : 'it differs between install and upgrade, so the first upgrade runs the Job once more'
}

function templateFinding(subject: Subject, find: Find): readonly RuleFinding[] {
  const { traits, object } = subject
  if (traits.hook !== undefined || traits.templateChange === 'skipped') return []
  const template = podTemplatePath(subject)
  const written = at(object, template)
  if (!holdsText(written, MAY_DEPEND)) return []
  const spots = stringsBelow(written).flatMap(({ path, text }) => {
    const part = find(text)
    if (part === undefined) return []
    if (part.kind === 'commit' && !isSubstituted(subject, path)) return []
    return [{ path: [...template, ...path], part }]
  })
  const [first, ...rest] = spots
  if (first === undefined) return []
  return [
    {
      at: first.path,
      what: `the pod template of ${label(subject)} depends on ${first.part.words}`,
      ...templateReason(subject, first.part),
      related: rest.map(({ path, part }) => ({
        place: subject.placeOf(path),
        note: `depends on ${part.words} too`,
      })),
    },
  ]
}

/**
 * In a pod template `${ }` mostly belongs to a shell; with a substitution it does not, outside of
 * commands. In an image a commit is the version of the program.
 */
function isSubstituted({ carrier }: Subject, path: Path): boolean {
  if (objectAt(carrier?.object, ['spec', 'postBuild']) === undefined) return false
  return !path.some((step) => step === 'command' || step === 'args' || step === 'image')
}

function templateReason(
  { traits }: Subject,
  { kind }: Unsteady,
): Pick<RuleFinding, 'why' | 'remedy' | 'severity'> {
  const why =
    traits.templateChange === 'recreates'
      ? 'each rendering is another template, so the Job is deleted and runs again though nothing changed'
      : 'the name stays and the template changes with each rendering: the next apply fails (field is immutable)'
  const remedy =
    'take it out of the pod template; on the metadata of the Job itself it does no harm'
  return { why, remedy, ...(kind === 'commit' ? { severity: 'warning' } : {}) }
}

function finderFor(subject: Subject): Find {
  const sources = sourcesOf(subject)
  const isReplaced = sources.some(replacesVariables)
  const revisions = sources.flatMap(revisionParameters)
  const read = expressionReader(subject)
  return (text) => {
    if (isReplaced && BUILD_REVISION.test(text)) {
      return { kind: 'revision', words: 'the revision (ARGOCD_APP_REVISION)' }
    }
    for (const expression of read(text)) {
      const part = unsteadyPart(expression)
      if (part !== undefined) return part
      const parameter = expression.inputs.find((input) => covers(revisions, input))
      if (parameter !== undefined) {
        return {
          kind: 'revision',
          words: `${parameter}, which the Application sets to the revision`,
        }
      }
    }
    return undefined
  }
}

const MAY_DEPEND = /\{\{|<<|\$\{|\$ARGOCD/
const BUILD_REVISION = /\$\{?ARGOCD_APP_REVISION/

function sourcesOf({ carrier }: Subject): readonly Json[] {
  const source = objectAt(carrier?.object, ['spec', 'source'])
  return [
    ...(source === undefined ? [] : [source]),
    ...listAt(carrier?.object, ['spec', 'sources']),
  ]
}

/** Build variables are replaced by plugins, and on request in common annotations. */
function replacesVariables(source: Json): boolean {
  const onRequest = booleanAt(source, ['kustomize', 'commonAnnotationsEnvsubst'])
  return onRequest === true || objectAt(source, ['plugin']) !== undefined
}

/** Values that the carrier sets to the revision: `helm.parameters` with a build variable. */
function revisionParameters(source: Json): readonly string[] {
  return listAt(source, ['helm', 'parameters']).flatMap((parameter) => {
    const name = stringAt(parameter, ['name'])
    const isRevision = BUILD_REVISION.test(stringAt(parameter, ['value']) ?? '')
    return isRevision && name !== undefined ? [`.Values.${name}`] : []
  })
}
