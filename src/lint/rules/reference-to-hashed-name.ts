import { at, isList, isObject, listAt, stringAt, type Json, type Path } from '../../core/json.ts'
import { placeOf, type Manifest } from '../../core/manifest.ts'
import { hashSuffixOf } from '../../core/names.ts'
import type { Place } from '../../core/source.ts'
import { annotationOf } from '../../engines/metadata.ts'
import type { Companion, Repository, Subject } from '../../ownership/subject.ts'
import { byCompany, SERVICES } from '../company.ts'
import { namespaceOf } from '../chain.ts'
import { FINGERPRINT, label } from '../helpers.ts'
import { companionLabel, sameNamespace } from '../providers.ts'
import type { Rule, RuleFinding } from '../rule.ts'
import { namedIn } from '../waits.ts'

/**
 * The name of a Job ends in a hash of its content, and something else names it literally: a health
 * check, a script that waits for it, a role. At the next change the Job has another name, and the
 * reference leads to nothing; or that has happened already.
 * Silent for references to a name that Semel stamped (stamp rewrites them with it), for other Jobs
 * of the same base name, and for references that a template makes.
 */
export const referenceToHashedName: Rule = {
  id: 'reference-to-hashed-name',
  severity: 'warning',
  summary: 'Something names a Job by a name that changes with the content of the Job.',
  kinds: ['Job'],
  checkRepository,
}

interface Hashed {
  readonly subject: Subject
  readonly name: string
  readonly base: string
}

/** A place that names a Job of some base name. */
interface Reference {
  readonly name: string
  readonly place: Place
  /** For a sentence: `the health check of Kustomization flux-system/apps`. */
  readonly title: string
  readonly effect: string
}

function checkRepository({ subjects, manifests }: Repository): readonly RuleFinding[] {
  const hashed = subjects.flatMap(hashedName)
  if (hashed.length === 0) return []
  const names = new Set(subjects.map(({ object }) => stringAt(object, ['metadata', 'name'])))
  const carriers = namedByCarriers(manifests)
  const groups = byCompany(hashed)
  const perCompany = [...groups].flatMap(([company, members]) => {
    const around = company.mentioning(
      members.map(({ base }) => `${base}-`),
      [...SERVICES, 'ClusterRole', 'Role'],
    )
    return members.map((member) => ({ member, around }))
  })
  return perCompany.flatMap(({ member, around }) => {
    const references = [
      ...carriers.flatMap((named) => ofCarrier(named, member)),
      ...around.flatMap((companion) => ofCompanion(companion, member)),
    ]
    return references.flatMap((reference) => judge(member, reference, names))
  })
}

function hashedName(subject: Subject): readonly Hashed[] {
  const name = stringAt(subject.object, ['metadata', 'name'])
  const suffix = name === undefined ? undefined : hashSuffixOf(name)
  if (name === undefined || suffix?.kind !== 'hex' || subject.kind !== 'Job') return []
  return subject.traits.applies ? [{ subject, name, base: suffix.base }] : []
}

function judge(
  { subject, name }: Hashed,
  reference: Reference,
  names: ReadonlySet<string | undefined>,
): readonly RuleFinding[] {
  const isStale = reference.name !== name
  if (
    isStale ? names.has(reference.name) : annotationOf(subject.object, FINGERPRINT) !== undefined
  ) {
    return []
  }
  const { title, effect, place } = reference
  return [
    {
      subject,
      place,
      what: isStale
        ? `${title} names the Job ${reference.name}, which is called ${name} now`
        : `${title} names ${label(subject)}, whose name changes with its content`,
      why: isStale
        ? `the hash in the name has changed, the reference has not: ${effect}`
        : `at the next change the Job gets another hash, and this still names the old one: ${effect}`,
      remedy:
        'let stamp rewrite the reference together with the name; or refer to what stays: a label ' +
        'of the Job, what applies it, or what it makes',
      ...(isStale ? { severity: 'error' } : {}),
      related: [{ place: subject.placeOf(['metadata', 'name']), note: label(subject) }],
    },
  ]
}

/** A health check or dependency of a carrier that names a Job. */
interface Named {
  readonly manifest: Manifest
  readonly path: Path
  readonly name: string
  readonly namespace: string | undefined
}

function namedByCarriers(manifests: readonly Manifest[]): readonly Named[] {
  return manifests.flatMap((manifest) =>
    ['healthChecks', 'dependsOn'].flatMap((list) =>
      listAt(manifest.object, ['spec', list]).flatMap((entry, index) => {
        const name = stringAt(entry, ['name'])
        if (at(entry, ['kind']) !== 'Job' || name === undefined) return []
        const namespace = stringAt(entry, ['namespace']) ?? manifest.namespace
        return [{ manifest, path: ['spec', list, index, 'name'], name, namespace }]
      }),
    ),
  )
}

function ofCarrier(named: Named, { subject, base }: Hashed): readonly Reference[] {
  const { manifest, path, name, namespace } = named
  const own = namespaceOf(subject)
  if (!isOf(base, name)) return []
  if (own !== undefined && namespace !== undefined && own !== namespace) return []
  const title = titleOf(manifest)
  return [
    {
      name,
      place: placeOf(manifest, path),
      title: path[1] === 'healthChecks' ? `a health check of ${title}` : title,
      effect: `${title} waits for a Job that does not exist`,
    },
  ]
}

function titleOf({ kind, namespace, name }: Manifest): string {
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name ?? ''}`
}

function ofCompanion(companion: Companion, member: Hashed): readonly Reference[] {
  const { kind, object } = companion
  const title = companionLabel(companion)
  if (!sameNamespace(companion, member.subject) && kind !== 'ClusterRole') return []
  if (kind === 'Role' || kind === 'ClusterRole') {
    return jobNames(object).flatMap(({ name, path }) =>
      isOf(member.base, name)
        ? [
            {
              name,
              place: companion.placeOf(path),
              title,
              effect: 'whoever needs the permission gets "forbidden"',
            },
          ]
        : [],
    )
  }
  const found = namedIn(companion, (word) => isOf(member.base, word))
  return found.map(({ name, path }) => ({
    name,
    place: companion.placeOf(path),
    title,
    effect: `${title} waits for a Job that does not exist`,
  }))
}

function jobNames(role: Json): readonly { readonly name: string; readonly path: Path }[] {
  return listAt(role, ['rules']).flatMap((rule, index) => {
    const resources = listAt(rule, ['resources'])
    if (!isObject(rule) || !isList(resources)) return []
    const isForJobs = resources.some((one) => typeof one === 'string' && /^jobs(?:\/|$)/.test(one))
    if (!isForJobs) return []
    return listAt(rule, ['resourceNames']).flatMap((name, nth) =>
      typeof name === 'string' ? [{ name, path: ['rules', index, 'resourceNames', nth] }] : [],
    )
  })
}

/** The same base name with some hash. */
function isOf(base: string, name: string): boolean {
  const suffix = hashSuffixOf(name)
  return suffix?.kind === 'hex' && suffix.base === base
}
