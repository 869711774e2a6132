import type { JsonObject } from '../../core/json.ts'
import type { FieldError, Kind, Rules } from '../api/kind.ts'
import type { KubeObject } from '../object.ts'
import { Complaints, givenNumber, objectOf, objectsOf, textOf } from './complaints.ts'
import { checkAnnotations, checkLabels } from './labels.ts'
import { dnsLabelFaults } from './names.ts'
import { checkPodAnnotations, checkProfilesAgree } from './pod-template/annotations.ts'
import { changeIn, fill } from './pod-template/defaults.ts'
import { dropDisabled } from './pod-template/disabled.ts'
import { checkPodSpec, podContext, type PodContext } from './pod-template/spec.ts'
import { podWarnings } from './pod-template/warnings.ts'
import { firstStatus, podDefaults, withAdmission, withTolerations } from './pod/defaults.ts'
import { qosClass } from './pod/qos.ts'
import { checkPodStatusUpdate } from './pod/status.ts'
import { checkPodSpecUpdate } from './pod/update.ts'

export const pod: Kind = {
  group: '',
  version: 'v1',
  resource: 'pods',
  kind: 'Pod',
  singular: 'pod',
  shortNames: ['po'],
  namespaced: true,
  type: 'io.k8s.api.core.v1.Pod',
  hasStatus: true,
  hasGeneration: true,
  defaultPropagation: 'Background',
  returnsDeleted: true,
  subresources: ['eviction', 'binding'],
  createsOnUpdate: false,
  nameRule: 'subdomain',
  defaults: podDefaults,
  prepareForCreate,
  prepareForUpdate,
  prepareForStatusUpdate,
  validateCreate,
  validateUpdate,
  validateStatusUpdate,
  warnings,
  graceSeconds,
  fieldSelectors: [
    'spec.nodeName',
    'spec.restartPolicy',
    'spec.schedulerName',
    'spec.serviceAccountName',
    'spec.hostNetwork',
    'status.phase',
    'status.podIP',
    'status.nominatedNodeName',
  ],
  selectableFields,
}

function prepareForCreate(object: KubeObject, rules: Rules): KubeObject {
  const kept = dropDisabled(object, rules)
  const spec = withAdmission(objectOf(kept, 'spec') ?? {})
  const { creationTimestamp } = object.metadata
  const status = firstStatus(spec, qosClass(spec, rules), creationTimestamp)
  return { ...object, spec, status }
}

function prepareForUpdate(next: KubeObject, old: KubeObject, rules: Rules): KubeObject {
  const { priority, preemptionPolicy } = objectOf(old, 'spec') ?? {}
  // Admission puts back what it has set when the pod was created.
  const admitted = changeIn(dropDisabled(next, rules), 'spec', (spec) =>
    fill(withTolerations(spec), {
      ...(priority === undefined ? {} : { priority }),
      ...(preemptionPolicy === undefined ? {} : { preemptionPolicy }),
    }),
  )
  return { ...(admitted as KubeObject), status: old['status'] ?? {} }
}

/** Old kubelets damage owner references and forget the quality of service. */
function prepareForStatusUpdate(next: KubeObject, old: KubeObject): KubeObject {
  const { ownerReferences: _, ...metadata } = next.metadata
  const { ownerReferences } = old.metadata
  const status = objectOf(next, 'status') ?? {}
  const quality = textOf(objectOf(old, 'status'), 'qosClass')
  return {
    ...next,
    metadata: ownerReferences === undefined ? metadata : { ...metadata, ownerReferences },
    spec: old['spec'] ?? {},
    status:
      status['qosClass'] === undefined && quality !== ''
        ? { ...status, qosClass: quality }
        : status,
  }
}

function contextOf({ metadata, spec }: KubeObject, rules: Rules): PodContext {
  const podSpec = objectOf({ spec }, 'spec') ?? {}
  return podContext(podSpec, { rules, isPod: true, podName: metadata.name })
}

function validateCreate(object: KubeObject, rules: Rules): readonly FieldError[] {
  const out = new Complaints()
  const context = contextOf(object, rules)
  const { spec } = context
  checkPod(out, object, context)
  if (objectsOf(spec, 'ephemeralContainers').length > 0) {
    out.forbidden('spec.ephemeralContainers', 'cannot be set on create')
  }
  if (textOf(spec, 'nodeName') !== '' && objectsOf(spec, 'schedulingGates').length > 0) {
    const detail = 'cannot be set until all schedulingGates have been cleared'
    out.forbidden('spec.nodeName', detail)
  }
  checkProfilesAgree(out, object.metadata.annotations, context, 'spec')
  return out.list
}

function checkPod(out: Complaints, { metadata }: KubeObject, context: PodContext): void {
  const { spec } = context
  checkPodAnnotations(out, metadata.annotations, context, 'metadata.annotations')
  checkPodSpec(out, context, 'spec')
  if (textOf(spec, 'serviceAccountName') === '') checkTokens(out, spec)
  for (const list of ['containers', 'initContainers']) {
    objectsOf(spec, list).forEach((container, at) => {
      const image = textOf(container, 'image')
      if (image.trim() === image) return
      const detail = 'must not have leading or trailing whitespace'
      out.invalid(`spec.${list}[${at}].image`, image, detail)
    })
  }
}

function checkTokens(out: Complaints, spec: JsonObject): void {
  objectsOf(spec, 'volumes').forEach((volume, at) => {
    objectsOf(objectOf(volume, 'projected'), 'sources').forEach((source, index) => {
      if (source['serviceAccountToken'] === undefined) return
      const path = `spec.volumes[${at}].projected.sources[${index}].serviceAccountToken`
      out.forbidden(path, 'must not be specified when serviceAccountName is not set')
    })
  })
}

function validateUpdate(next: KubeObject, old: KubeObject, rules: Rules): readonly FieldError[] {
  const out = new Complaints()
  const context = contextOf(next, rules)
  checkLabels(out, next.metadata.labels, 'metadata.labels')
  checkAnnotations(out, next.metadata.annotations, 'metadata.annotations')
  if (next['spec'] !== old['spec'] || next.metadata.annotations !== old.metadata.annotations) {
    checkPod(out, next, context)
    checkPodAnnotations(out, next.metadata.annotations, context, 'metadata.annotations')
  }
  checkPodSpecUpdate(out, context.spec, objectOf(old, 'spec') ?? {})
  return out.list
}

function validateStatusUpdate(next: KubeObject, old: KubeObject): readonly FieldError[] {
  const out = new Complaints()
  checkPodStatusUpdate(out, next, old)
  return out.list
}

const USE = "this is used in the Pod's hostname, which can result in surprising behavior"

function warnings(
  object: KubeObject,
  old: KubeObject | undefined,
  rules: Rules,
): readonly string[] {
  const { name, annotations = {} } = object.metadata
  const spec = objectOf(object, 'spec') ?? {}
  if (old !== undefined && old['spec'] === spec) return []
  const faults = old === undefined ? dnsLabelFaults(name) : []
  const ofName = faults.map(
    () => `metadata.name: ${USE}; a DNS label is recommended: [${faults.join(' ')}]`,
  )
  return [
    ...ofName.slice(0, 1),
    ...podWarnings({ spec, annotations, path: '', isTemplate: false, rules }),
  ]
}

/** A pod on a node gets time to stop; one that has ended, or never started, goes at once. */
function graceSeconds(object: KubeObject, asked: number | undefined): number {
  const spec = objectOf(object, 'spec')
  const phase = textOf(objectOf(object, 'status'), 'phase')
  if (textOf(spec, 'nodeName') === '' || phase === 'Failed' || phase === 'Succeeded') return 0
  const seconds = asked ?? givenNumber(spec, 'terminationGracePeriodSeconds') ?? 0
  return seconds < 0 ? 1 : seconds
}

function selectableFields(object: KubeObject): { readonly [field: string]: string } {
  const spec = objectOf(object, 'spec')
  const status = objectOf(object, 'status')
  const address = objectsOf(status, 'podIPs')[0]
  return {
    'spec.nodeName': textOf(spec, 'nodeName'),
    'spec.restartPolicy': textOf(spec, 'restartPolicy'),
    'spec.schedulerName': textOf(spec, 'schedulerName'),
    'spec.serviceAccountName': textOf(spec, 'serviceAccountName'),
    'spec.hostNetwork': String(spec?.['hostNetwork'] === true),
    'status.phase': textOf(status, 'phase'),
    'status.podIP': textOf(address, 'ip'),
    'status.nominatedNodeName': textOf(status, 'nominatedNodeName'),
  }
}
