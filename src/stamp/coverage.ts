import type { ConfigDigests } from '../core/fingerprint.ts'
import { isObject, listAt, objectAt, stringAt, type Json, type JsonObject } from '../core/json.ts'
import { hashSuffixOf } from '../core/names.ts'
import { INTENT_LEAVES_OUT } from '../core/policies/intent.ts'
import { FOLLOW } from './annotations.ts'
import { containersOf, podReads, podSpecOf, type PodRead } from './pod-reads.ts'

/**
 * content: a change of what is in it makes another name. name: another one would, but what is in
 * this one may change unnoticed. none: nothing about it is in the name.
 */
export type Covered = 'content' | 'name' | 'none'

/** Something that a Job's work depends on, and how far its name follows it. */
export interface InputCoverage {
  /** `image shop/app:1.2`, `ConfigMap/settings`, `hostPath /var/data`. */
  readonly input: string
  readonly covered: Covered
  readonly why: string
  /** What would make the name follow it; nothing where it does, or where nothing would. */
  readonly remedy?: string
}

/**
 * Which inputs of a Job or CronJob are in its identity and which are not. `inputs` is what it
 * follows, as `StampedObject.inputs` has it.
 */
export function coverageOf(
  object: JsonObject,
  inputs: ConfigDigests = {},
): readonly InputCoverage[] {
  const pod = podSpecOf(object)
  const found = [
    ...imagesOf(pod).map(imageCoverage),
    ...podReads(object).map((read) => configCoverage(read, inputs)),
    ...listAt(pod, ['volumes']).flatMap(volumeCoverage),
    ...containersOf(pod).flatMap(variableCoverage),
    ...accountCoverage(pod),
    ...leftOutFields(object),
  ]
  const seen = new Set<string>()
  return found.filter(({ input }) => !seen.has(input) && seen.add(input) !== undefined)
}

function imagesOf(pod: JsonObject): readonly string[] {
  const containers = containersOf(pod).map((container) => stringAt(container, ['image']))
  const volumes = listAt(pod, ['volumes']).map((volume) => stringAt(volume, ['image', 'reference']))
  return [...containers, ...volumes].flatMap((image) =>
    image === undefined || image === '' ? [] : [image],
  )
}

function imageCoverage(image: string): InputCoverage {
  const input = `image ${image}`
  if (image.includes('@sha256:') || image.includes('@sha512:')) {
    return { input, covered: 'content', why: 'its digest is part of the name' }
  }
  return {
    input,
    covered: 'name',
    why: 'the reference is part of the name; what stands behind the tag may be replaced',
    remedy: 'name the image by its digest (@sha256:...)',
  }
}

function configCoverage({ kind, name }: PodRead, inputs: ConfigDigests): InputCoverage {
  const input = `${kind}/${name}`
  if (Object.hasOwn(inputs, kind === 'ConfigMap' ? name : input)) {
    return { input, covered: 'content', why: `it is followed (${FOLLOW})` }
  }
  if (hashSuffixOf(name)?.kind === 'kustomize') {
    return { input, covered: 'content', why: 'its name ends in a hash that follows its content' }
  }
  return {
    input,
    covered: 'name',
    why: 'its name is part of the name of the Job, its content is not',
    remedy: `set the annotation ${FOLLOW}: ${input}`,
  }
}

function volumeCoverage(volume: Json): readonly InputCoverage[] {
  if (!isObject(volume)) return []
  const projected = listAt(volume, ['projected', 'sources']).flatMap((source) =>
    isObject(source) ? Object.keys(source) : [],
  )
  return [...Object.keys(volume), ...projected].flatMap((kind): readonly InputCoverage[] => {
    const known = VOLUMES.get(kind)
    if (known === undefined) return []
    const { what, covered, why } = known
    const source = objectAt(volume, [kind])
    const detail = ['claimName', 'path', 'server', 'driver'].map((key) => stringAt(source, [key]))
    const input = [what, ...detail.filter((text) => text !== undefined)].join(' ')
    return [{ input, covered, why }]
  })
}

interface KnownVolume {
  readonly what: string
  readonly covered: Covered
  readonly why: string
}

const STORED = 'which storage it is is part of the name, what is stored there is not'
const MADE = 'its value is made for each pod'

const VOLUMES: ReadonlyMap<string, KnownVolume> = new Map([
  ['clusterTrustBundle', { what: 'trust bundle', covered: 'name', why: STORED }],
  ['csi', { what: 'CSI volume', covered: 'name', why: STORED }],
  ['downwardAPI', { what: 'downward API files', covered: 'none', why: MADE }],
  ['fc', { what: 'Fibre Channel volume', covered: 'name', why: STORED }],
  ['hostPath', { what: 'hostPath', covered: 'name', why: 'files of the node are not in the name' }],
  ['iscsi', { what: 'iSCSI volume', covered: 'name', why: STORED }],
  ['nfs', { what: 'NFS', covered: 'name', why: STORED }],
  ['persistentVolumeClaim', { what: 'volume claim', covered: 'name', why: STORED }],
  ['serviceAccountToken', { what: 'service account token', covered: 'none', why: MADE }],
])

function variableCoverage(container: JsonObject): readonly InputCoverage[] {
  return listAt(container, ['env']).flatMap((variable): readonly InputCoverage[] => {
    const from = objectAt(variable, ['valueFrom']) ?? {}
    const kind = ['fieldRef', 'resourceFieldRef'].find((key) => from[key] !== undefined)
    if (kind === undefined) return []
    const field = stringAt(from, [kind, 'fieldPath']) ?? stringAt(from, [kind, 'resource']) ?? kind
    return [{ input: `variable from ${field}`, covered: 'none', why: MADE }]
  })
}

function accountCoverage(pod: JsonObject): readonly InputCoverage[] {
  const account = stringAt(pod, ['serviceAccountName']) ?? stringAt(pod, ['serviceAccount'])
  if (account === undefined || account === '') return []
  const why = 'its name is part of the name of the Job, what it may do is not'
  return [{ input: `ServiceAccount/${account}`, covered: 'name', why }]
}

function leftOutFields(object: JsonObject): readonly InputCoverage[] {
  const path = object['kind'] === 'CronJob' ? ['spec', 'jobTemplate', 'spec'] : ['spec']
  const spec = objectAt(object, path) ?? {}
  return INTENT_LEAVES_OUT.flatMap(({ field, why }): readonly InputCoverage[] => {
    const isWorkQueue = field === 'parallelism' && spec['completions'] === undefined
    if (spec[field] === undefined || spec[field] === null || isWorkQueue) return []
    return [{ input: [...path, field].join('.'), covered: 'none', why }]
  })
}
