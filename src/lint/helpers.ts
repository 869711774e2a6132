import { at, objectAt, stringAt, type JsonObject, type Path } from '../core/json.ts'
import { hashSuffixOf } from '../core/names.ts'
import type { Place } from '../core/source.ts'
import { actionsOf, isTemplated, literalParts } from '../core/templates.ts'
import type { Hook } from '../engines/engine.ts'
import { annotationOf } from '../engines/metadata.ts'
import { jobSpecPath, type Link, type Subject } from '../ownership/subject.ts'

/** What a second run would do; `once` where nobody says otherwise. */
export const CONTRACT = 'semel.dev/contract'
export const FINGERPRINT = 'semel.dev/fingerprint'

/** The last words of a remedy for Jobs that may well run again. */
export const OR_CONVERGES: string =
  `or, if a repeat changes nothing, set ${CONTRACT}: converges ` +
  `and say why in ${CONTRACT}-reason`

export type RepeatContract = 'converges' | 'once' | 'never-again'

/** `Job shop/migrate`; a name that only rendering decides stands as it is written. */
export function label(subject: Subject): string {
  const { object, kind } = subject
  const name =
    stringAt(object, ['metadata', 'name']) ??
    stringAt(object, ['metadata', 'generateName'])?.concat('*') ??
    '(no name)'
  const namespace = stringAt(object, ['metadata', 'namespace'])
  const known = namespace !== undefined && !isTemplated(namespace)
  return known ? `${kind} ${namespace}/${name}` : `${kind} ${name}`
}

export function annotationPath(key: string): Path {
  return ['metadata', 'annotations', key]
}

/** An unknown or templated word counts as `once`: only a plain promise makes a repeat harmless. */
export function contractOf(subject: Subject): RepeatContract {
  const word = annotationOf(subject.object, CONTRACT)
  return word === 'converges' || word === 'never-again' ? word : 'once'
}

/** `45 s`, `70 min`, `25 h`, `7 days`: the largest unit that says it exactly. */
export function duration(seconds: number): string {
  if (seconds < MINUTE) return `${Number(seconds.toFixed(2))} s`
  const rounded = Math.round(seconds)
  if (rounded % MINUTE !== 0) {
    return rounded < 10 * MINUTE ? `${rounded} s` : duration(Math.round(rounded / MINUTE) * MINUTE)
  }
  if (rounded === HOUR) return '1 h'
  if (rounded < 2 * HOUR) return `${rounded / MINUTE} min`
  if (rounded % HOUR !== 0) {
    return `${Math.floor(rounded / HOUR)} h ${(rounded % HOUR) / MINUTE} min`
  }
  return rounded >= 2 * DAY && rounded % DAY === 0 ? `${rounded / DAY} days` : `${rounded / HOUR} h`
}

const MINUTE = 60
const HOUR = 3600
const DAY = 86_400

/** The engine as its users call it. */
export function engineTitle(subject: Subject): string {
  return subject.traits.assumed ? 'the engine' : subject.engine.title
}

/** Goes before a reason that rests on an assumption; empty when the engine is known. */
export function assuming(subject: Subject, what = 'restores absent objects'): string {
  return subject.traits.assumed ? `engine unknown; assuming one that ${what}: ` : ''
}

/**
 * How the name follows the content, for a sentence; undefined when nothing shows that it does.
 * A templated name counts when one of its actions calls a hash function, or its end is a hash.
 */
export function hashInName({ object }: Subject): string | undefined {
  const name = stringAt(object, ['metadata', 'name']) ?? ''
  const call = actionsOf(name).find((action) => HASH_CALL.test(action))
  if (call !== undefined) return `the name holds the hash ${call}`
  const suffix = hashSuffixOf(literalParts(name).at(-1) ?? '') ?? hashSuffixOf(name)
  if (suffix !== undefined) return `the name ends in the content hash ${suffix.hash}`
  if (annotationOf(object, FINGERPRINT) !== undefined) {
    return `the name was stamped (annotation ${FINGERPRINT})`
  }
  return undefined
}

const HASH_CALL = /\b(?:sha(?:1|256|512)(?:sum)?|md5(?:sum)?|adler32sum|crc32|fnv\w*)\b/i

/** Annotations or the metadata around them may grow by rendering, so absence says nothing. */
export function annotationsOpen(subject: Subject): boolean {
  return subject.isOpen(['metadata', 'annotations']) || subject.isOpen(['metadata'])
}

/** True when rendering may still turn the Job into a hook that this engine heeds. */
export function mayBecomeHook(subject: Subject): boolean {
  const { object, engine, carrier, traits } = subject
  if (traits.hook !== undefined || !annotationsOpen(subject)) return false
  const metadata = objectAt(object, ['metadata']) ?? {}
  const annotations = objectAt(object, ['metadata', 'annotations']) ?? {}
  const asHook: JsonObject = {
    ...object,
    metadata: { ...metadata, annotations: { ...annotations, 'helm.sh/hook': 'pre-upgrade' } },
  }
  return engine.traits(carrier?.object, asHook).hook !== undefined
}

/** `PreSync hook`, `pre-install,pre-upgrade hook`. */
export function hookWords({ phases }: Hook): string {
  return `${phases.join(',')} hook`
}

/** True when the Job of the last run is gone before the next one, so that it always runs anew. */
export function isReplacedEachTime(hook: Hook | undefined): boolean {
  if (hook === undefined) return false
  const { deletePolicies } = hook
  return (
    deletePolicies.includes('before-hook-creation') || deletePolicies.includes('hook-succeeded')
  )
}

/** With generateName each run has a name of its own, and no old Job stands in its way. */
export function isNamedAnew({ object }: Subject): boolean {
  const { name, generateName } = objectAt(object, ['metadata']) ?? {}
  return name === undefined && generateName !== undefined
}

/** Deletion, tests and failures are occasions of their own; the rest comes with every sync. */
export function comesWithEverySync({ onlyOn }: Hook): boolean {
  return onlyOn === undefined
}

/** Helm's own words; Argo CD takes the same annotations into its phases. */
export function runsByHelm({ phases }: Hook): boolean {
  return phases.some((phase) => phase === 'test' || /^(?:pre|post)-/.test(phase))
}

/** `every full sync` as `the next full sync`. */
export function nextOf({ runsOn }: Hook): string {
  return `the next ${runsOn.replace(/^every /, '').replaceAll(' and ', ' or ')}`
}

/** True when the delete policies are known: written as plain text, or known to be the default. */
export function policiesKnown(subject: Subject): boolean {
  const { hook } = subject.traits
  if (hook === undefined) return false
  return hook.policyAnnotations.length === 0
    ? !annotationsOpen(subject)
    : !isPolicyTemplated(subject)
}

export function isPolicyTemplated({ object, traits }: Subject): boolean {
  const keys = traits.hook?.policyAnnotations ?? []
  return keys.some((key) => isTemplated(annotationOf(object, key)))
}

/** Where a delete policy is shown: at its annotation, or at the hook's own when none is written. */
export function policyPath({ annotation: key, policyAnnotations }: Hook): Path {
  return annotationPath(policyAnnotations[0] ?? key)
}

/** Kueue suspends and resumes the Jobs of its queues itself. */
export function queuedByKueue({ object }: Subject): boolean {
  const key = 'kueue.x-k8s.io/queue-name'
  return (
    at(object, ['metadata', 'labels', key]) !== undefined || annotationOf(object, key) !== undefined
  )
}

/** The places where the carrier's settings of these names are written, with their values. */
export function related(
  subject: Subject,
  names: readonly string[],
): readonly { readonly place: Place; readonly note: string }[] {
  return carrierLinks(subject).flatMap(({ label: owner, settings }) =>
    settings.flatMap((setting) => {
      // Asked first, since each place is looked up in its document.
      if (!names.includes(setting.name)) return []
      const { name, value, place } = setting
      return place === undefined ? [] : [{ place, note: `${owner}: ${name}: ${value}` }]
    }),
  )
}

/**
 * The links whose settings decide: those of the carrier. What applies the carrier itself, such as
 * the Kustomization around a HelmRelease, has settings of the same names that mean other objects.
 */
export function carrierLinks({ carrier, chain }: Subject): readonly Link[] {
  const own = chain.filter(({ manifest }) => manifest !== undefined && manifest === carrier)
  return own.length > 0 ? own : chain
}

/** The path of a field of the Job's spec, also below a CronJob's jobTemplate. */
export function inJobSpec(subject: Subject, ...path: Path): Path {
  return [...jobSpecPath(subject), ...path]
}
