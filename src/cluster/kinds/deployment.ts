import type { JsonObject } from '../../core/json.ts'
import type { FieldError, Kind, Rules } from '../api/kind.ts'
import type { KubeObject } from '../object.ts'
import {
  APPS,
  amountOf,
  checkAmount,
  checkAtMostAll,
  checkCounts,
  checkReplicaTemplate,
  checkSelector,
  checkSelectorKept,
  decoded,
  judgesChange,
  judgesSpec,
  namedWarnings,
  prepared,
  rollingDefaults,
} from './apps/workload.ts'
import { Complaints, givenNumber, numberOf, objectOf, textOf } from './complaints.ts'
import { changeIn, fill } from './pod-template/defaults.ts'
import { equalValues } from './wire/equal.ts'
import { internalText } from './wire/internal.ts'

export const deployment: Kind = {
  ...APPS,
  resource: 'deployments',
  kind: 'Deployment',
  singular: 'deployment',
  shortNames: ['deploy'],
  type: 'io.k8s.api.apps.v1.Deployment',
  subresources: ['scale'],
  defaults,
  prepareForCreate: (object, rules) => prepared(object, {}, rules),
  prepareForUpdate,
  validateCreate: judgesSpec(checkSpec),
  validateUpdate: judgesChange((out, spec, old, rules) => {
    checkSpec(out, spec, rules)
    checkSelectorKept(out, spec, old)
  }),
  validateStatusUpdate,
  warnings: namedWarnings,
}

function defaults(object: JsonObject): JsonObject {
  return changeIn(decoded(object, 'Deployment'), 'spec', (spec) =>
    fill(changeIn(spec, 'strategy', STRATEGY), {
      replicas: 1,
      revisionHistoryLimit: 10,
      progressDeadlineSeconds: 600,
    }),
  )
}

const STRATEGY = rollingDefaults({ maxUnavailable: '25%', maxSurge: '25%' })

/** Annotations go to the ReplicaSets, so that their change is one of the Deployment. */
function prepareForUpdate(next: KubeObject, old: KubeObject, rules: Rules): KubeObject {
  const kept = prepared(next, old['status'] ?? {}, rules)
  if (equalValues(next.metadata.annotations ?? null, old.metadata.annotations ?? null)) return kept
  const generation = (old.metadata.generation ?? 0) + 1
  return { ...kept, metadata: { ...kept.metadata, generation } }
}

function checkSpec(out: Complaints, spec: JsonObject, rules: Rules): void {
  out.nonNegative('spec.replicas', spec['replicas'])
  checkSelector(out, spec, 'deployment', true)
  checkReplicaTemplate(out, spec, rules)
  checkStrategy(out, objectOf(spec, 'strategy') ?? {})
  out.nonNegative('spec.minReadySeconds', spec['minReadySeconds'])
  out.nonNegative('spec.revisionHistoryLimit', spec['revisionHistoryLimit'])
  const deadline = givenNumber(spec, 'progressDeadlineSeconds')
  if (deadline === undefined) return
  out.nonNegative('spec.progressDeadlineSeconds', deadline)
  if (deadline > numberOf(spec, 'minReadySeconds')) return
  const detail = 'must be greater than minReadySeconds'
  out.invalid('spec.progressDeadlineSeconds', deadline, detail)
}

function checkStrategy(out: Complaints, strategy: JsonObject): void {
  const type = textOf(strategy, 'type')
  const update = objectOf(strategy, 'rollingUpdate')
  const path = 'spec.strategy.rollingUpdate'
  if (type === 'Recreate') {
    if (update === undefined) return
    out.forbidden(path, "may not be specified when strategy `type` is 'Recreate'")
  } else if (type === 'RollingUpdate') {
    const { maxUnavailable, maxSurge } = update ?? {}
    checkAmount(out, maxUnavailable, `${path}.maxUnavailable`)
    checkAmount(out, maxSurge, `${path}.maxSurge`)
    if (amountOf(maxUnavailable) === 0 && amountOf(maxSurge) === 0) {
      const detail = 'may not be 0 when `maxSurge` is 0'
      out.invalidNamed(`${path}.maxUnavailable`, maxUnavailable ?? 0, detail)
    }
    checkAtMostAll(out, maxUnavailable, `${path}.maxUnavailable`)
  } else {
    out.list.push({
      type: 'NotSupported',
      field: 'spec.strategy',
      rendered: internalText('DeploymentStrategy', strategy),
      detail: 'supported values: "Recreate", "RollingUpdate"',
    })
  }
}

const COUNTS = [
  'observedGeneration',
  'replicas',
  'updatedReplicas',
  'readyReplicas',
  'availableReplicas',
  'unavailableReplicas',
  'terminatingReplicas',
  'collisionCount',
]

function validateStatusUpdate(next: KubeObject, old: KubeObject): readonly FieldError[] {
  const out = new Complaints()
  const status = objectOf(next, 'status') ?? {}
  const bounded = ['updatedReplicas', 'readyReplicas', 'availableReplicas']
  checkCounts(out, status, COUNTS, bounded)
  const before = givenNumber(objectOf(old, 'status'), 'collisionCount') ?? 0
  const count = givenNumber(status, 'collisionCount') ?? 0
  if (count < before) {
    out.invalid('status.collisionCount', count, 'cannot be decremented')
  }
  return out.list
}
