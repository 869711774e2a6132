import { stringAt, type Path } from '../../core/json.ts'
import type { Companion, Company, Repository, Subject } from '../../ownership/subject.ts'
import { byCompany, PROVIDERS, SERVICES } from '../company.ts'
import { annotationPath } from '../helpers.ts'
import { companionLabel, providedBy } from '../providers.ts'
import { nameKey, podSpecPath } from '../references.ts'
import type { Rule, RuleFinding } from '../rule.ts'

const GROUP = 'fluxcd.controlplane.io/'
const COPIES = [`${GROUP}copyFrom`, `${GROUP}convertKubeConfigFrom`] as const
const CHECKSUM = `${GROUP}checksumFrom`

/**
 * A ResourceSet reads the sources of copies and checksums from the cluster before its first step.
 * A source that the set itself creates, in whatever step, is not there on the first run, so that
 * no step is ever applied; later the copy is always one run behind.
 * Silent for sources that somebody else brings, for checksums of objects of the set (they are
 * computed from its own text), and in sets without a Job.
 */
export const copyFromLaterStep: Rule = {
  id: 'copy-from-later-step',
  severity: 'error',
  summary: 'A ResourceSet copies from an object that one of its own steps creates.',
  kinds: ['Job', 'CronJob'],
  checkRepository,
}

function checkRepository({ subjects }: Repository): readonly RuleFinding[] {
  const inSets = subjects.filter(
    ({ carrier, traits }) => carrier?.apiVersion.startsWith(GROUP) === true && traits.applies,
  )
  const groups = byCompany(inSets.map((subject) => ({ subject })))
  return [...groups].flatMap(([company, [first]]) =>
    first === undefined ? [] : judge(first.subject, company),
  )
}

function judge(subject: Subject, company: Company): readonly RuleFinding[] {
  const all = company.mentioning(
    [...COPIES, CHECKSUM],
    [...PROVIDERS, ...SERVICES, 'CronJob', 'Job'],
  )
  return all.flatMap((companion) =>
    readsOf(companion, subject).flatMap((read) => {
      const source = all.find((other) => other !== companion && makes(other, read, subject))
      return source === undefined ? [] : [finding(subject, { companion, read, source })]
    }),
  )
}

/** A source that an annotation names. */
interface Read {
  readonly path: Path
  readonly kind: string
  readonly namespace: string
  readonly name: string
  readonly how: 'copies' | 'computes a checksum'
}

function readsOf(companion: Companion, subject: Subject): readonly Read[] {
  const own = companion.kind === 'ConfigMap' || companion.kind === 'Secret'
  const copies = own ? COPIES.flatMap((key) => copyOf(companion, key)) : []
  const template = podSpecPath(companion.kind).slice(0, -1)
  const places = [annotationPath(CHECKSUM), [...template, ...annotationPath(CHECKSUM)]]
  const checksums = places.flatMap((path) =>
    (stringAt(companion.object, path) ?? '').split(',').flatMap((item): readonly Read[] => {
      const [kind, namespace, name, ...more] = item.trim().split('/')
      if (kind === undefined || namespace === undefined || name === undefined) return []
      return more.length > 0 ? [] : [{ path, kind, namespace, name, how: 'computes a checksum' }]
    }),
  )
  return [...copies, ...checksums].filter((read) => !isSelf(read, companion, subject))
}

function copyOf(companion: Companion, key: (typeof COPIES)[number]): readonly Read[] {
  const path = annotationPath(key)
  const [namespace, name, ...more] = (stringAt(companion.object, path) ?? '').split('/')
  if (namespace === undefined || name === undefined || more.length > 0) return []
  // A kubeconfig is always read from a Secret, and may name one of its keys.
  const isKubeConfig = key !== COPIES[0]
  const kind = isKubeConfig ? 'Secret' : companion.kind
  return [
    { path, kind, namespace, name: isKubeConfig ? name.replace(/:.*$/, '') : name, how: 'copies' },
  ]
}

function isSelf(read: Read, companion: Companion, subject: Subject): boolean {
  return companion.kind === read.kind && makes(companion, { ...read, how: 'copies' }, subject)
}

/** Checksums see objects of the set itself, but not what a controller makes of one. */
function makes(companion: Companion, read: Read, subject: Subject): boolean {
  const { kind, names } = providedBy(companion)
  if (kind !== read.kind || (read.how !== 'copies' && companion.kind === kind)) return false
  const namespace =
    stringAt(companion.object, ['metadata', 'namespace']) ?? subject.carrier?.namespace ?? ''
  return (
    nameKey(namespace) === nameKey(read.namespace) &&
    names.some((name) => nameKey(name) === nameKey(read.name))
  )
}

function finding(
  subject: Subject,
  { companion, read, source }: { companion: Companion; read: Read; source: Companion },
): RuleFinding {
  const step = source.links.find(({ label }) => label.startsWith('step '))?.label
  const where = step === undefined ? '' : ` (in ${step})`
  const of = `${read.kind} ${read.namespace}/${read.name}`
  return {
    subject,
    place: companion.placeOf(read.path),
    what:
      `${companionLabel(companion)} ${read.how === 'copies' ? 'copies from' : 'takes a checksum of'} ` +
      `${of}, which this ResourceSet itself creates${where}`,
    why:
      'sources are read from the cluster before the first step: on the first run there is nothing ' +
      'to read, the reconcile fails, and no step is ever applied; later it reads what the run ' +
      'before has left',
    remedy:
      'move the source into a ResourceSet of its own, and let this one depend on it (dependsOn ' +
      'with ready: true)',
    ...(companion.isOpen(['metadata']) ? { severity: 'warning' } : {}),
    related: [{ place: source.placeOf(['metadata', 'name']), note: companionLabel(source) }],
  }
}
