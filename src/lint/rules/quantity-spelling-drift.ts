import { canonicalJson } from '../../core/canonical-json.ts'
import { fingerprint, isFullyKnown } from '../../core/fingerprint.ts'
import { at, isList, isObject, stringAt, type Json, type Path } from '../../core/json.ts'
import { hashSuffixOf } from '../../core/names.ts'
import { canonicalQuantity } from '../../core/quantity.ts'
import { annotationOf } from '../../engines/metadata.ts'
import type { Repository, Subject } from '../../ownership/subject.ts'
import { namespaceOf, sameCluster } from '../chain.ts'
import { FINGERPRINT, hashInName, label } from '../helpers.ts'
import { containersOf } from '../pods.ts'
import type { Rule, RuleFinding } from '../rule.ts'

/**
 * Kubernetes compares quantities by value, a hash over text does not: `1` and `1000m` are the same
 * request and two names. Found where two Jobs of one base name do the same and both run, and where
 * a patch spells a quantity anew under a name that holds a hash.
 * Silent for names that Semel stamped, which follow values, for quantities that differ, in names
 * without a hash, and in text that only rendering knows.
 */
export const quantitySpellingDrift: Rule = {
  id: 'quantity-spelling-drift',
  severity: 'warning',
  summary: 'A quantity in another spelling gives another name, and the Job runs again for nothing.',
  kinds: ['Job'],
  check,
  checkRepository,
}

const REMEDY =
  'write the quantity in one way only (as the API server shows it), or take the hash over values, ' +
  'as semel stamp does'

function check(subject: Subject): readonly RuleFinding[] {
  const { object, manifest, traits } = subject
  if (!traits.applies || traits.hook !== undefined || object === manifest.object) return []
  const hash = hashInName(subject)
  if (hash === undefined || isStamped(subject)) return []
  const [first] = containersOf(subject).flatMap(({ path }) =>
    respelled(manifest.object, object, [...path, 'resources']),
  )
  if (first === undefined) return []
  const { path, before, after } = first
  return [
    {
      at: path,
      severity: 'info',
      what: `a patch writes ${after} for ${before} in ${label(subject)}: the same quantity`,
      why:
        `to Kubernetes nothing changes; but ${hash}, and where that was taken over the text, the ` +
        'name changes and the Job runs again for nothing',
      remedy: REMEDY,
    },
  ]
}

interface Respelled {
  readonly path: Path
  readonly before: string
  readonly after: string
}

/** Quantities that are equal by value and not by text, below a path of two objects. */
function respelled(before: Json, after: Json, base: Path): readonly Respelled[] {
  const now = at(after, base)
  if (!isObject(now)) return []
  return Object.keys(now).flatMap((key) => {
    const path = [...base, key]
    const [one, other] = [at(before, path), at(after, path)]
    if (isObject(other)) return respelled(before, after, path)
    if (!isQuantity(one) || !isQuantity(other) || one === other) return []
    const same =
      canonicalQuantity(one) !== undefined && canonicalQuantity(one) === canonicalQuantity(other)
    return same ? [{ path, before: JSON.stringify(one), after: JSON.stringify(other) }] : []
  })
}

function isQuantity(value: Json | undefined): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}

function isStamped({ object }: Subject): boolean {
  return annotationOf(object, FINGERPRINT) !== undefined
}

/** Jobs of one base name and different hashes. */
function checkRepository({ subjects }: Repository): readonly RuleFinding[] {
  const byBase = new Map<string, Subject[]>()
  for (const subject of subjects) {
    const suffix = hashSuffixOf(stringAt(subject.object, ['metadata', 'name']) ?? '')
    if (subject.kind !== 'Job' || suffix?.kind !== 'hex' || isStamped(subject)) continue
    const key = JSON.stringify([namespaceOf(subject), suffix.base])
    const group = byBase.get(key)
    if (group === undefined) byBase.set(key, [subject])
    else group.push(subject)
  }
  return [...byBase.values()].flatMap((group) => twice(group))
}

function twice(group: readonly Subject[]): readonly RuleFinding[] {
  for (const [index, one] of group.entries()) {
    const other = group.slice(index + 1).find((next) => isSpellingOnly(one, next))
    if (other !== undefined) return [bothRun(one, other)]
  }
  return []
}

function isSpellingOnly(one: Subject, other: Subject): boolean {
  const [first, second] = [one.object, other.object]
  if (at(first, ['metadata', 'name']) === at(second, ['metadata', 'name'])) return false
  if (!one.traits.applies || !other.traits.applies || !sameCluster(one, other)) return false
  if (!isFullyKnown(first) || !isFullyKnown(second)) return false
  return (
    fingerprint(first).digest === fingerprint(second).digest &&
    quantitiesOf(first) !== quantitiesOf(second)
  )
}

/** The resources of all containers as they are written. */
function quantitiesOf(object: Json): string {
  const found: Json[] = []
  const visit = (value: Json | undefined): void => {
    if (isList(value)) value.forEach(visit)
    else if (isObject(value)) {
      for (const [key, part] of Object.entries(value)) {
        if (key === 'resources' && isObject(part)) found.push(part)
        else visit(part)
      }
    }
  }
  visit(object)
  return canonicalJson(found)
}

function bothRun(one: Subject, other: Subject): RuleFinding {
  return {
    subject: one,
    at: ['metadata', 'name'],
    what: `${label(one)} and ${label(other)} do the same: only the spelling of quantities differs`,
    why:
      'the hash in their names was taken over text, so one request in two spellings has two names, ' +
      'and the work runs once for each',
    remedy: `${REMEDY}; and remove one of the two`,
    related: [{ place: other.placeOf(['metadata', 'name']), note: label(other) }],
  }
}
