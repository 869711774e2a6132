import type { JsonObject } from '../../../core/json.ts'
import { type Complaints, givenText, objectOf, objectsOf, textOf, textsOf } from '../complaints.ts'
import { checkAnnotations, checkLabels, checkLabelSelector } from '../labels.ts'
import { dnsLabelFaults, subdomainFaults } from '../names.ts'
import { quantityText } from '../wire/quantity.ts'
import { internalText } from '../wire/internal.ts'
import type { PodContext } from './context.ts'
import { quantityOf } from './resources.ts'

const ACCESS_MODES = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod']
const VOLUME_MODES = ['Block', 'Filesystem']

/** The claim that a generic ephemeral volume makes. */
export function checkClaimTemplate(out: Complaints, template: JsonObject, path: string): void {
  const metadata = objectOf(template, 'metadata') ?? {}
  checkAnnotations(out, metadata['annotations'], `${path}.metadata.annotations`)
  checkLabels(out, metadata['labels'], `${path}.metadata.labels`)
  for (const field of META_FIELDS) {
    if (metadata[field] !== undefined) {
      const name = field === 'uid' ? 'uID' : field
      out.forbidden(`${path}.metadata.${name}`, 'cannot be set')
    }
  }
  checkClaimSpec(out, objectOf(template, 'spec') ?? {}, `${path}.spec`)
}

const META_FIELDS = [
  'name',
  'generateName',
  'namespace',
  'selfLink',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'ownerReferences',
  'finalizers',
  'managedFields',
]

export function checkClaimSpec(out: Complaints, spec: JsonObject, path: string): void {
  const modes = textsOf(spec, 'accessModes')
  if (modes.length === 0) out.required(`${path}.accessModes`, 'at least 1 access mode is required')
  checkLabelSelector(out, objectOf(spec, 'selector'), `${path}.selector`)
  for (const mode of modes) {
    if (!ACCESS_MODES.includes(mode)) out.notSupported(`${path}.accessModes`, mode, ACCESS_MODES)
  }
  const others = modes.filter((mode) => mode !== 'ReadWriteOncePod' && ACCESS_MODES.includes(mode))
  if (modes.includes('ReadWriteOncePod') && others.length > 0) {
    const detail = 'may not use ReadWriteOncePod with other access modes'
    out.forbidden(`${path}.accessModes`, detail)
  }
  const requests = objectOf(objectOf(spec, 'resources'), 'requests') ?? {}
  const here = `${path}.resources[storage]`
  const storage = quantityOf(requests, 'storage')
  if (requests['storage'] === undefined) out.required(here)
  else if (storage.nano <= 0n) {
    out.invalid(here, quantityText(storage), 'must be greater than zero')
  }
  const storageClass = textOf(spec, 'storageClassName')
  if (storageClass !== '') {
    out.invalidEach(`${path}.storageClassName`, storageClass, subdomainFaults(storageClass))
  }
  const volumeMode = givenText(spec, 'volumeMode')
  if (volumeMode !== undefined && !VOLUME_MODES.includes(volumeMode)) {
    out.notSupported(`${path}.volumeMode`, volumeMode, VOLUME_MODES)
  }
}

/** Device claims of the pod. */
export function checkResourceClaims(out: Complaints, pod: PodContext, path: string): void {
  const names = new Set<string>()
  objectsOf(pod.spec, 'resourceClaims').forEach((claim, at) => {
    const here = `${path}[${at}]`
    const name = textOf(claim, 'name')
    if (name === '') out.required(`${here}.name`)
    else if (names.has(name)) out.duplicate(`${here}.name`, name)
    else {
      out.invalidEach(`${here}.name`, name, dnsLabelFaults(name))
      names.add(name)
    }
    const direct = givenText(claim, 'resourceClaimName')
    const template = givenText(claim, 'resourceClaimTemplateName')
    const text = (): string => internalText('PodResourceClaim', claim)
    if (direct !== undefined && template !== undefined) {
      const detail =
        'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified'
      out.invalidRendered(here, text(), detail)
    }
    if (direct === undefined && template === undefined) {
      const detail = 'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`'
      out.invalidRendered(here, text(), detail)
    }
    if (direct !== undefined) {
      out.invalidEach(`${here}.resourceClaimName`, direct, subdomainFaults(direct))
    }
    if (template !== undefined) {
      out.invalidEach(`${here}.resourceClaimTemplateName`, template, subdomainFaults(template))
    }
  })
}
