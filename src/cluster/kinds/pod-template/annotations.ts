import { isObject, type Json, type JsonObject } from '../../../core/json.ts'
import { type Complaints, givenText, objectOf, objectsOf, textOf } from '../complaints.ts'
import { goQuote } from '../../api/go-text.ts'
import { keysOf } from '../labels.ts'
import type { PodContext } from './context.ts'
import { checkDescending } from './paths.ts'
import { checkTolerations } from './tolerations.ts'

const MIRROR = 'kubernetes.io/config.mirror'
const DELETION_COST = 'controller.kubernetes.io/pod-deletion-cost'
const TOLERATIONS = 'scheduler.alpha.kubernetes.io/tolerations'
const SECCOMP_POD = 'seccomp.security.alpha.kubernetes.io/pod'
const SECCOMP_CONTAINER = 'container.seccomp.security.alpha.kubernetes.io/'
const APPARMOR = 'container.apparmor.security.beta.kubernetes.io/'

/** Annotations that mean something to the server or the kubelet. */
export function checkPodAnnotations(
  out: Complaints,
  annotations: Json | undefined,
  pod: PodContext,
  path: string,
): void {
  if (!isObject(annotations)) return
  const mirror = annotations[MIRROR]
  if (typeof mirror === 'string' && textOf(pod.spec, 'nodeName') === '') {
    const detail = 'must set spec.nodeName if mirror pod annotation is set'
    out.invalid(`${path}[${MIRROR}]`, mirror, detail)
  }
  checkTolerationsAnnotation(out, textOf(annotations, TOLERATIONS), path)
  const cost = annotations[DELETION_COST]
  if (typeof cost === 'string' && !isInt32(cost)) {
    out.invalid(`${path}[${DELETION_COST}]`, cost, 'must be a 32bit integer')
  }
  const keys = keysOf(annotations)
  for (const key of [SECCOMP_POD, ...keys.filter((name) => name.startsWith(SECCOMP_CONTAINER))]) {
    const value = annotations[key]
    if (typeof value === 'string') checkSeccomp(out, value, `${path}.${key}`)
  }
  for (const key of keys) {
    const value = annotations[key]
    if (typeof value !== 'string' || !key.startsWith(APPARMOR)) continue
    checkAppArmor(out, key.slice(APPARMOR.length), value, `${path}[${key}]`, pod)
  }
}

function isInt32(text: string): boolean {
  if (!/^(?:0|-?[1-9]\d*)$/.test(text)) return false
  const number = Number(text)
  return number >= -2_147_483_648 && number <= 2_147_483_647
}

function checkTolerationsAnnotation(out: Complaints, text: string, path: string): void {
  if (text === '') return
  try {
    const list: unknown = JSON.parse(text)
    if (Array.isArray(list)) checkTolerations(out, list as JsonObject[], `${path}.${TOLERATIONS}`)
  } catch {
    out.invalid(path, TOLERATIONS, 'invalid JSON')
  }
}

function checkSeccomp(out: Complaints, profile: string, path: string): void {
  if (['runtime/default', 'docker/default', 'unconfined'].includes(profile)) return
  if (profile.startsWith('localhost/')) checkDescending(out, profile.slice(10), path)
  else out.invalid(path, profile, 'must be a valid seccomp profile')
}

function checkAppArmor(
  out: Complaints,
  container: string,
  profile: string,
  path: string,
  pod: PodContext,
): void {
  const lists = ['initContainers', 'containers', 'ephemeralContainers']
  const known = lists.some((list) =>
    objectsOf(pod.spec, list).some((other) => textOf(other, 'name') === container),
  )
  if (!known) out.invalid(path, container, 'container not found')
  if (['', 'runtime/default', 'unconfined'].includes(profile)) return
  if (profile.startsWith('localhost/')) return
  out.invalid(path, profile, `invalid AppArmor profile name: ${goQuote(profile)}`)
}

/** An annotation and the field that took its place must not differ. */
export function checkProfilesAgree(
  out: Complaints,
  annotations: Json | undefined,
  pod: PodContext,
  path: string,
): void {
  if (!isObject(annotations)) return
  const security = objectOf(pod.spec, 'securityContext')
  const here = `${path}.securityContext`
  agree(out, 'seccomp', annotations[SECCOMP_POD], objectOf(security, 'seccompProfile'), here)
  for (const kind of ['seccomp', 'apparmor'] as const) {
    if (kind === 'apparmor' && pod.os === 'windows') return
    for (const list of ['initContainers', 'containers', 'ephemeralContainers']) {
      objectsOf(pod.spec, list).forEach((container, at) => {
        const own = objectOf(container, 'securityContext')
        const name = textOf(container, 'name')
        const profile =
          kind === 'seccomp'
            ? objectOf(own, 'seccompProfile')
            : (objectOf(own, 'appArmorProfile') ?? objectOf(security, 'appArmorProfile'))
        const prefix = kind === 'seccomp' ? SECCOMP_CONTAINER : APPARMOR
        const where = `${path}.${list}[${at}].securityContext`
        agree(out, kind, annotations[`${prefix}${name}`], profile, where)
      })
    }
  }
}

function agree(
  out: Complaints,
  kind: 'seccomp' | 'apparmor',
  annotation: Json | undefined,
  profile: JsonObject | undefined,
  path: string,
): void {
  if (typeof annotation !== 'string' || profile === undefined) return
  const here = `${path}.${kind === 'seccomp' ? 'seccompProfile' : 'appArmorProfile'}`
  const differs = (): void => {
    out.forbidden(`${here}.type`, `${kind} type in annotation and field must match`)
  }
  switch (textOf(profile, 'type')) {
    case 'Unconfined':
      if (annotation !== 'unconfined') differs()
      return
    case 'RuntimeDefault': {
      const isDefault =
        annotation === 'runtime/default' || (kind === 'seccomp' && annotation === 'docker/default')
      if (!isDefault) differs()
      return
    }
    case 'Localhost':
      if (!annotation.startsWith('localhost/')) differs()
      else if (annotation.slice(10) !== givenText(profile, 'localhostProfile')) {
        const detail = `${kind} profile in annotation and field must match`
        out.forbidden(`${here}.localhostProfile`, detail)
      }
  }
}
