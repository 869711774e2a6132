import type { Json, JsonObject } from '../../core/json.ts'
import type { Kind, Rules } from '../api/kind.ts'
import type { KubeObject } from '../object.ts'
import {
  APPS,
  checkLasting,
  checkMatch,
  checkSelector,
  decoded,
  judgesChange,
  judgesCounts,
  judgesSpec,
  prepared,
  specOf,
  workloadWarnings,
} from './apps/workload.ts'
import { numberOf, objectOf, objectsOf, textOf, type Complaints } from './complaints.ts'
import { checkAnnotations, checkLabels } from './labels.ts'
import { dnsLabelFaults } from './names.ts'
import { checkPodAnnotations } from './pod-template/annotations.ts'
import { checkClaimSpec } from './pod-template/claims.ts'
import { changeIn, fill, mapShared } from './pod-template/defaults.ts'
import { podContext } from './pod-template/spec.ts'
import { checkTemplate } from './pod-template/template.ts'
import { equalValues } from './wire/equal.ts'
import { internalText } from './wire/internal.ts'

export const statefulset: Kind = {
  ...APPS,
  resource: 'statefulsets',
  kind: 'StatefulSet',
  singular: 'statefulset',
  shortNames: ['sts'],
  type: 'io.k8s.api.apps.v1.StatefulSet',
  subresources: ['scale'],
  // Its pods are called after it.
  nameRule: 'label',
  defaults,
  prepareForCreate: (object, rules) =>
    withoutMaxUnavailable(prepared(object, { replicas: 0, availableReplicas: 0 }, rules)),
  prepareForUpdate: (next, old, rules) =>
    withoutMaxUnavailable(prepared(next, old['status'] ?? {}, rules)),
  validateCreate: judgesSpec((out, spec, rules) =>
    checkSpec(out, spec, rules, { isUpdate: false }),
  ),
  validateUpdate: judgesChange(checkChange),
  validateStatusUpdate: judgesCounts(
    [
      'replicas',
      'readyReplicas',
      'currentReplicas',
      'updatedReplicas',
      'availableReplicas',
      'observedGeneration',
      'collisionCount',
    ],
    ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'],
  ),
  warnings,
}

/** Behind a feature that is off by default. */
function withoutMaxUnavailable(object: KubeObject): KubeObject {
  return changeIn(object, 'spec', (spec) =>
    changeIn(spec, 'updateStrategy', (strategy) =>
      changeIn(strategy, 'rollingUpdate', (update) => {
        if (update['maxUnavailable'] === undefined) return update
        const { maxUnavailable: _, ...rest } = update
        return rest
      }),
    ),
  ) as KubeObject
}

function defaults(object: JsonObject): JsonObject {
  return changeIn(decoded(object, 'StatefulSet'), 'spec', (spec) => {
    const retention = objectOf(spec, 'persistentVolumeClaimRetentionPolicy') ?? {}
    const keep = fill(retention, { whenDeleted: 'Retain', whenScaled: 'Retain' })
    const filled = fill(withClaims(withStrategy(spec)), {
      replicas: 1,
      podManagementPolicy: 'OrderedReady',
      revisionHistoryLimit: 10,
    })
    return keep === filled['persistentVolumeClaimRetentionPolicy']
      ? filled
      : { ...filled, persistentVolumeClaimRetentionPolicy: keep }
  })
}

/** Without a strategy it gets one with all its numbers; one that is named gets what it lacks. */
function withStrategy(spec: JsonObject): JsonObject {
  return changeIn(spec, 'updateStrategy', (strategy) => {
    const typed =
      strategy['type'] === undefined
        ? { ...strategy, type: 'RollingUpdate', rollingUpdate: strategy['rollingUpdate'] ?? {} }
        : strategy
    if (typed['type'] !== 'RollingUpdate') return typed
    return changeIn(typed, 'rollingUpdate', (update) => fill(update, { partition: 0 }))
  })
}

function withClaims(spec: JsonObject): JsonObject {
  const claims = objectsOf(spec, 'volumeClaimTemplates')
  const filled = mapShared(claims, (claim) =>
    withTypeOfClaim(changeIn(claim, 'status', (status) => fill(status, { phase: 'Pending' }))),
  )
  return filled === claims ? spec : { ...spec, volumeClaimTemplates: filled }
}

/** The server writes these itself, whatever was sent. */
function withTypeOfClaim(claim: JsonObject): JsonObject {
  const kind = 'PersistentVolumeClaim'
  if (claim['apiVersion'] === 'v1' && claim['kind'] === kind) return claim
  return { ...claim, apiVersion: 'v1', kind }
}

interface Options {
  readonly isUpdate: boolean
}

function checkSpec(out: Complaints, spec: JsonObject, rules: Rules, options: Options): void {
  const policy = textOf(spec, 'podManagementPolicy')
  if (policy !== 'OrderedReady' && policy !== 'Parallel') {
    const detail = "must be 'OrderedReady' or 'Parallel'"
    out.invalidNamed('spec.podManagementPolicy', policy, detail)
  }
  checkStrategy(out, objectOf(spec, 'updateStrategy') ?? {})
  checkRetention(out, objectOf(spec, 'persistentVolumeClaimRetentionPolicy'))
  if (!options.isUpdate) {
    objectsOf(spec, 'volumeClaimTemplates').forEach((claim, at) => {
      const path = `spec.volumeClaimTemplates[${at}].spec`
      checkClaimSpec(out, objectOf(claim, 'spec') ?? {}, path)
    })
  }
  out.nonNegative('spec.replicas', spec['replicas'])
  out.nonNegative('spec.minReadySeconds', spec['minReadySeconds'])
  out.nonNegative('spec.ordinals.start', objectOf(spec, 'ordinals')?.['start'])
  const service = textOf(spec, 'serviceName')
  if (!options.isUpdate && service !== '') {
    out.invalidEach('spec.serviceName', service, dnsLabelFaults(service))
  }
  checkSelector(out, spec, 'statefulset', true)
  if (checkMatch(out, spec, '')) checkOwnTemplate(out, spec, rules)
  checkLasting(out, spec, 'StatefulSet')
}

function checkStrategy(out: Complaints, strategy: JsonObject): void {
  const type = textOf(strategy, 'type')
  const update = objectOf(strategy, 'rollingUpdate')
  const path = 'spec.updateStrategy.rollingUpdate'
  if (type === 'OnDelete') {
    if (update === undefined) return
    const text = internalText('RollingUpdateStatefulSetStrategy', update)
    out.invalidRendered(path, text, "only allowed for updateStrategy 'RollingUpdate'")
  } else if (type === 'RollingUpdate') {
    if (update === undefined) return
    out.nonNegative(`${path}.partition`, update['partition'])
  } else {
    const text = internalText('StatefulSetUpdateStrategy', strategy)
    out.invalidRendered('spec.updateStrategy', text, "must be 'RollingUpdate' or 'OnDelete'")
  }
}

function checkRetention(out: Complaints, policy: JsonObject | undefined): void {
  for (const moment of ['whenDeleted', 'whenScaled']) {
    const value = textOf(policy, moment)
    if (value === 'Retain' || value === 'Delete') continue
    const path = `spec.persistentVolumeClaimRetentionPolicy.${moment}`
    out.notSupported(path, value, ['Retain', 'Delete'])
  }
}

/** With the volumes that its claims make, and without the names that the controller gives. */
function checkOwnTemplate(out: Complaints, spec: JsonObject, rules: Rules): void {
  const template = objectOf(spec, 'template') ?? {}
  const { hostname: _, subdomain: __, ...pod } = objectOf(template, 'spec') ?? {}
  const templates = objectsOf(spec, 'volumeClaimTemplates')
  const names = new Set(templates.map((claim) => textOf(objectOf(claim, 'metadata'), 'name')))
  const claims = [...names].map((name) => ({ name, persistentVolumeClaim: { claimName: name } }))
  const own = objectsOf(pod, 'volumes').filter((volume) => !names.has(textOf(volume, 'name')))
  const podSpec: JsonObject = { ...pod, volumes: [...claims, ...own] }
  checkTemplate(out, { ...template, spec: podSpec }, 'spec.template', rules)
  const metadata = objectOf(template, 'metadata')
  checkLabels(out, metadata?.['labels'], 'spec.template.labels')
  checkAnnotations(out, metadata?.['annotations'], 'spec.template.annotations')
  const context = podContext(podSpec, { rules })
  checkPodAnnotations(out, metadata?.['annotations'], context, 'spec.template.annotations')
}

const MUTABLE = [
  'replicas',
  'template',
  'updateStrategy',
  'minReadySeconds',
  'ordinals',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
]

function checkChange(out: Complaints, next: JsonObject, old: JsonObject, rules: Rules): void {
  checkSpec(out, next, rules, { isUpdate: true })
  if (equalValues(immutablePart(next), immutablePart(old))) return
  const fields = "'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', "
  const rest = "'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden"
  const detail = `updates to statefulset spec for fields other than ${fields}${rest}`
  out.forbidden('spec', detail)
}

function immutablePart(spec: JsonObject): JsonObject {
  const kept: { [field: string]: Json } = {}
  for (const field in spec) {
    if (!MUTABLE.includes(field)) kept[field] = spec[field] ?? null
  }
  return kept
}

function warnings(
  object: KubeObject,
  old: KubeObject | undefined,
  rules: Rules,
): readonly string[] {
  const found = workloadWarnings(object, old, rules)
  const isUnchanged = object.metadata.generation === old?.metadata.generation
  if (isUnchanged || numberOf(specOf(object), 'revisionHistoryLimit') >= 0) return found
  const text = 'a negative value retains all historical revisions; a value >= 0 is recommended'
  return [...found, `spec.revisionHistoryLimit: ${text}`]
}
