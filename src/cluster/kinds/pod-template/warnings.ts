import type { JsonObject } from '../../../core/json.ts'
import type { Rules } from '../../api/kind.ts'
import { goQuote } from '../../api/go-text.ts'
import { givenNumber, objectOf, objectsOf, textOf, textsOf } from '../complaints.ts'
import { keysOf } from '../labels.ts'
import { labelValueFaults } from '../names.ts'
import { isWhole, quantityText } from '../wire/quantity.ts'
import { pathWarnings } from './path-warnings.ts'
import { portWarnings } from './port-warnings.ts'
import { quantityOf } from './resources.ts'

/** `Warning` headers about a pod template; the object is accepted all the same. */
export function templateWarnings(
  template: JsonObject,
  path: string,
  rules: Rules,
): readonly string[] {
  const spec = objectOf(template, 'spec') ?? {}
  const annotations = objectOf(objectOf(template, 'metadata'), 'annotations') ?? {}
  return podWarnings({ spec, annotations, path: `${path}.`, isTemplate: true, rules })
}

export interface Warned {
  readonly spec: JsonObject
  readonly annotations: JsonObject
  /** Before `spec` and `metadata`: empty for a pod. */
  readonly path: string
  readonly isTemplate: boolean
  readonly rules: Rules
}

export function podWarnings(pod: Warned): readonly string[] {
  return [
    ...labelWarnings(pod),
    ...annotationWarnings(pod),
    ...volumeWarnings(pod),
    ...pathWarnings(pod.spec),
    ...repeatedWarnings(pod),
    ...containerWarnings(pod),
    ...portWarnings(pod.spec, `${pod.path}spec`),
    ...graceWarnings(pod),
    ...affinityWarnings(pod),
  ]
}

const OLD_LABELS: { readonly [label: string]: string } = {
  'beta.kubernetes.io/arch': 'deprecated since v1.14; use "kubernetes.io/arch" instead',
  'beta.kubernetes.io/os': 'deprecated since v1.14; use "kubernetes.io/os" instead',
  'failure-domain.beta.kubernetes.io/region':
    'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
  'failure-domain.beta.kubernetes.io/zone':
    'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  'beta.kubernetes.io/instance-type':
    'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
  'app.kubernetes.io/created-by': 'deprecated since v1.9',
  'scheduler.alpha.kubernetes.io/preferAvoidPods':
    'deprecated since v1.22; use Taints and Tolerations instead',
  'node-role.kubernetes.io/master': 'use "node-role.kubernetes.io/control-plane" instead',
}

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution'
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution'

function labelWarnings({ spec, path }: Warned): readonly string[] {
  const warnings: string[] = []
  for (const key of keysOf(objectOf(spec, 'nodeSelector') ?? {})) {
    const old = OLD_LABELS[key]
    if (old !== undefined) warnings.push(`${path}spec.nodeSelector[${key}]: ${old}`)
  }
  const node = objectOf(objectOf(spec, 'affinity'), 'nodeAffinity')
  const terms = objectsOf(objectOf(node, REQUIRED), 'nodeSelectorTerms')
  const required = `${path}spec.affinity.nodeAffinity.${REQUIRED}.nodeSelectorTerms`
  terms.forEach((term, at) => warnings.push(...termWarnings(term, `${required}[${at}]`, false)))
  objectsOf(node, PREFERRED).forEach((weighted, at) => {
    const here = `${path}spec.affinity.nodeAffinity.${PREFERRED}[${at}].preference`
    warnings.push(...termWarnings(objectOf(weighted, 'preference') ?? {}, here, true))
  })
  objectsOf(spec, 'topologySpreadConstraints').forEach((constraint, at) => {
    const here = `${path}spec.topologySpreadConstraints[${at}]`
    const key = textOf(constraint, 'topologyKey')
    const old = OLD_LABELS[key]
    if (old !== undefined) warnings.push(`${here}.topologyKey: ${key} is ${old}`)
    if (constraint['labelSelector'] === undefined) {
      warnings.push(`${here}.labelSelector: a null labelSelector results in matching no pod`)
    }
  })
  return warnings
}

function termWarnings(term: JsonObject, path: string, withValues: boolean): readonly string[] {
  return objectsOf(term, 'matchExpressions').flatMap((expression, at) => {
    const key = textOf(expression, 'key')
    const old = OLD_LABELS[key]
    const here = `${path}.matchExpressions[${at}]`
    const values = withValues ? textsOf(expression, 'values') : []
    return [
      ...(old === undefined ? [] : [`${here}.key: ${key} is ${old}`]),
      ...values.flatMap((value, index) =>
        labelValueFaults(value).map(
          (fault) => `${here}.values[${index}]: ${value} is invalid, ${fault}`,
        ),
      ),
    ]
  })
}

const OLD_ANNOTATIONS: readonly (readonly [string, string])[] = [
  [
    'scheduler.alpha.kubernetes.io/critical-pod',
    'non-functional in v1.16+; use the "priorityClassName" field instead',
  ],
  [
    'security.alpha.kubernetes.io/sysctls',
    'non-functional in v1.11+; use the "sysctls" field instead',
  ],
  [
    'security.alpha.kubernetes.io/unsafe-sysctls',
    'non-functional in v1.11+; use the "sysctls" field instead',
  ],
]

function annotationWarnings({ annotations, path }: Warned): readonly string[] {
  return OLD_ANNOTATIONS.filter(([key]) => annotations[key] !== undefined).map(
    ([key, text]) => `${path}metadata.annotations[${key}]: ${text}`,
  )
}

const OLD_VOLUMES: readonly (readonly [string, string])[] = [
  ['photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['gitRepo', 'deprecated in v1.11, and disabled by default in v1.33+'],
  ['scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['flocker', 'deprecated in v1.22, non-functional in v1.25+'],
  ['storageos', 'deprecated in v1.22, non-functional in v1.25+'],
  ['quobyte', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['rbd', 'deprecated in v1.28, non-functional in v1.31+'],
]

function volumeWarnings({ spec, path, rules }: Warned): readonly string[] {
  return objectsOf(spec, 'volumes').flatMap((volume, at) =>
    OLD_VOLUMES.filter(([source]) => volume[source] !== undefined).map(([source, text]) => {
      const shown = source === 'storageos' ? 'storageOS' : source
      const said = source === 'gitRepo' && rules.minor < 33 ? 'deprecated in v1.11' : text
      return `${path}spec.volumes[${at}].${shown}: ${said}`
    }),
  )
}

function repeatedWarnings({ spec, path }: Warned): readonly string[] {
  const warnings: string[] = []
  const ips = new Set<string>()
  objectsOf(spec, 'hostAliases').forEach((alias, at) => {
    const ip = textOf(alias, 'ip')
    if (ips.has(ip)) {
      warnings.push(`${path}spec.hostAliases[${at}].ip: duplicate ip ${goQuote(ip)}`)
    }
    ips.add(ip)
  })
  const secrets = objectsOf(spec, 'imagePullSecrets').map((secret) => textOf(secret, 'name'))
  const here = (at: number): string => `${path}spec.imagePullSecrets[${at}].name`
  secrets.forEach((name, at) => {
    if (secrets.indexOf(name) < at) warnings.push(`${here(at)}: duplicate name ${goQuote(name)}`)
  })
  secrets.forEach((name, at) => {
    if (name === '') warnings.push(`${here(at)}: invalid empty name ""`)
  })
  const overhead = objectOf(spec, 'overhead') ?? {}
  for (const name of ['memory', 'ephemeral-storage']) {
    warnings.push(...fractionWarnings(overhead, name, `${path}spec.overhead`))
  }
  return warnings
}

/** Bytes come in whole numbers. */
function fractionWarnings(list: JsonObject, name: string, path: string): readonly string[] {
  if (list[name] === undefined) return []
  const quantity = quantityOf(list, name)
  if (isWhole(quantity)) return []
  const text = goQuote(quantityText(quantity))
  return [`${path}[${name}]: fractional byte value ${text} is invalid, must be an integer`]
}

const SECCOMP_POD = 'seccomp.security.alpha.kubernetes.io/pod'
const SECCOMP_CONTAINER = 'container.seccomp.security.alpha.kubernetes.io/'
const APPARMOR = 'container.apparmor.security.beta.kubernetes.io/'

function containerWarnings(pod: Warned): readonly string[] {
  const { spec, annotations, path } = pod
  const warnings: string[] = []
  const seccomp = 'non-functional in v1.27+; use the "seccompProfile" field instead'
  const security = objectOf(spec, 'securityContext')
  if (security?.['seccompProfile'] === undefined && annotations[SECCOMP_POD] !== undefined) {
    warnings.push(`${path}metadata.annotations[${SECCOMP_POD}]: ${seccomp}`)
  }
  for (const list of ['initContainers', 'containers', 'ephemeralContainers']) {
    objectsOf(spec, list).forEach((container, at) => {
      const own = objectOf(container, 'securityContext')
      const key = `${SECCOMP_CONTAINER}${textOf(container, 'name')}`
      if (own?.['seccompProfile'] === undefined && annotations[key] !== undefined) {
        warnings.push(`${path}metadata.annotations[${key}]: ${seccomp}`)
      }
      warnings.push(...appArmorWarnings(pod, container))
      const here = `${path}spec.${list}[${at}]`
      const resources = objectOf(container, 'resources')
      for (const name of ['memory', 'ephemeral-storage']) {
        for (const amounts of ['limits', 'requests']) {
          const amount = objectOf(resources, amounts) ?? {}
          warnings.push(...fractionWarnings(amount, name, `${here}.resources.${amounts}`))
        }
      }
      warnings.push(...envWarnings(objectsOf(container, 'env'), `${here}.env`))
    })
  }
  return warnings
}

function appArmorWarnings(pod: Warned, container: JsonObject): readonly string[] {
  const key = `${APPARMOR}${textOf(container, 'name')}`
  const annotation = pod.annotations[key]
  if (typeof annotation !== 'string') return []
  if (objectOf(container, 'securityContext')?.['appArmorProfile'] !== undefined) return []
  const ofPod = objectOf(objectOf(pod.spec, 'securityContext'), 'appArmorProfile')
  if (ofPod !== undefined && sameProfile(ofPod, annotation)) return []
  const text = 'deprecated since v1.30; use the "appArmorProfile" field instead'
  return [`${pod.path}metadata.annotations[${key}]: ${text}`]
}

function sameProfile(profile: JsonObject, annotation: string): boolean {
  const type = textOf(profile, 'type')
  if (annotation === 'unconfined') return type === 'Unconfined'
  if (annotation === 'runtime/default') return type === 'RuntimeDefault'
  return type === 'Localhost' && annotation === `localhost/${textOf(profile, 'localhostProfile')}`
}

/** A variable that hides an earlier one without using it. */
function envWarnings(env: readonly JsonObject[], path: string): readonly string[] {
  const names = new Set<string>()
  return env.flatMap((variable, at) => {
    const name = textOf(variable, 'name')
    const value = textOf(variable, 'value')
    const known = names.has(name)
    names.add(name)
    if (!known) return []
    const reference = `$(${name})`
    const builds =
      variable['valueFrom'] === undefined && value !== reference && value.includes(reference)
    if (builds) return []
    const hidden = `hides previous definition of ${goQuote(name)}`
    return [`${path}[${at}]: ${hidden}, which may be dropped when using apply`]
  })
}

function graceWarnings({ spec, path }: Warned): readonly string[] {
  if ((givenNumber(spec, 'terminationGracePeriodSeconds') ?? 0) >= 0) return []
  const here = `${path}spec.terminationGracePeriodSeconds`
  return [`${here}: must be >= 0; negative values are invalid and will be treated as 1`]
}

function affinityWarnings({ spec, path }: Warned): readonly string[] {
  const affinity = objectOf(spec, 'affinity')
  const text = 'labelSelector: a null labelSelector results in matching no pod'
  return ['podAffinity', 'podAntiAffinity'].flatMap((kind) => {
    const terms = objectOf(affinity, kind)
    const here = `${path}spec.affinity.${kind}`
    const empty = (term: JsonObject | undefined): boolean => term?.['labelSelector'] === undefined
    return [
      ...objectsOf(terms, REQUIRED).flatMap((term, at) =>
        empty(term) ? [`${here}.${REQUIRED}[${at}].${text}`] : [],
      ),
      ...objectsOf(terms, PREFERRED).flatMap((term, at) =>
        empty(objectOf(term, 'podAffinityTerm'))
          ? [`${here}.${PREFERRED}[${at}].podAffinityTerm.${text}`]
          : [],
      ),
    ]
  })
}
