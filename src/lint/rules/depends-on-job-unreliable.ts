import { at, integerAt, listAt, stringAt, type Json } from '../../core/json.ts'
import { placeOf, type Manifest } from '../../core/manifest.ts'
import { isTemplated } from '../../core/templates.ts'
import type { Repository, Subject } from '../../ownership/subject.ts'
import { duration, label } from '../helpers.ts'
import type { Rule, RuleFinding } from '../rule.ts'

/**
 * A ResourceSet waits for a Job by dependsOn, and asks the wrong question: without an expression
 * it is met when the Job has only started, also by one that is about to fail; and a Job that its
 * TTL deletes is "not found" at every later reconcile, so the set stands still.
 * Silent for other kinds, for an expression over a Job that stays, and for a Job without a TTL that
 * is not in the repository.
 */
export const dependsOnJobUnreliable: Rule = {
  id: 'depends-on-job-unreliable',
  severity: 'warning',
  summary: 'A dependsOn on a Job is met before its end, or never again once its TTL deleted it.',
  kinds: ['Job'],
  checkRepository,
}

function checkRepository({ manifests, subjects }: Repository): readonly RuleFinding[] {
  return manifests.flatMap((manifest) => {
    if (manifest.kind !== 'ResourceSet') return []
    return listAt(manifest.object, ['spec', 'dependsOn']).flatMap((entry, index) => {
      if (stringAt(entry, ['kind']) !== 'Job') return []
      return check({ manifest, entry, index, job: jobOf(entry, manifest, subjects) })
    })
  })
}

interface Dependency {
  readonly manifest: Manifest
  readonly entry: Json
  readonly index: number
  readonly job: Subject | undefined
}

function check({ manifest, entry, index, job }: Dependency): readonly RuleFinding[] {
  const path = ['spec', 'dependsOn', index]
  const name = stringAt(entry, ['name']) ?? '(no name)'
  const set = `ResourceSet ${[manifest.namespace, manifest.name].filter(Boolean).join('/')}`
  const ttl = job === undefined ? undefined : integerAt(job.object, TTL)
  if (job !== undefined && ttl !== undefined) {
    return [
      {
        place: placeOf(manifest, path),
        what: `${set} stands still once the TTL has deleted ${label(job)}, which it depends on`,
        why:
          `the Job is deleted ${duration(ttl)} after it finishes; then the check, which comes every ` +
          '5 s and at each reconcile, finds no such Job and never goes on, although it had succeeded',
        remedy:
          'remove ttlSecondsAfterFinished from the Job; or put the Job into a step of the same set',
        related: [{ place: job.placeOf(TTL), note: `ttlSecondsAfterFinished: ${ttl}` }],
      },
    ]
  }
  if (at(entry, ['ready']) !== true || stringAt(entry, ['readyExpr']) !== undefined) return []
  return [
    {
      place: placeOf(manifest, path),
      what: `${set} goes on as soon as the Job ${name} has started, not when it has succeeded`,
      why:
        'without readyExpr a started Job counts as ready, also one that fails a moment later; the ' +
        'set is then applied all the same',
      remedy:
        "add readyExpr: status.conditions.exists(c, c.type == 'Complete' && c.status == 'True')",
    },
  ]
}

const TTL = ['spec', 'ttlSecondsAfterFinished']

function jobOf(
  entry: Json,
  { namespace: own }: Manifest,
  subjects: readonly Subject[],
): Subject | undefined {
  const name = stringAt(entry, ['name'])
  const namespace = stringAt(entry, ['namespace']) ?? own
  if (name === undefined || isTemplated(name)) return undefined
  return subjects.find(
    ({ kind, object }) =>
      kind === 'Job' &&
      stringAt(object, ['metadata', 'name']) === name &&
      (stringAt(object, ['metadata', 'namespace']) ?? namespace) === namespace,
  )
}
