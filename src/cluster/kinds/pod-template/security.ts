import type { JsonObject } from '../../../core/json.ts'
import { byteLength } from '../../../core/text.ts'
import {
  type Complaints,
  givenNumber,
  givenText,
  objectOf,
  objectsOf,
  textOf,
  textsOf,
} from '../complaints.ts'
import { rangeFaults } from '../names.ts'
import { internalText } from '../wire/internal.ts'
import type { PodContext } from './context.ts'
import { checkDescending } from './paths.ts'
import { checkWindowsOptions } from './windows.ts'

const MOST_ID = 2_147_483_647

/** Of a container. The API server is started with privileged containers allowed, as usual. */
export function checkSecurityContext(
  out: Complaints,
  security: JsonObject,
  path: string,
  pod: PodContext,
): void {
  checkIds(out, security, ['runAsUser', 'runAsGroup'], path)
  checkProcMount(out, givenText(security, 'procMount'), `${path}.procMount`, pod)
  checkSeccompProfile(out, objectOf(security, 'seccompProfile'), `${path}.seccompProfile`)
  if (security['allowPrivilegeEscalation'] === false) checkNoEscalation(out, security, path)
  checkWindowsOptions(out, objectOf(security, 'windowsOptions'), `${path}.windowsOptions`)
  checkAppArmorProfile(out, objectOf(security, 'appArmorProfile'), `${path}.appArmorProfile`)
}

function checkIds(
  out: Complaints,
  security: JsonObject,
  fields: readonly string[],
  path: string,
): void {
  for (const field of fields) {
    const id = givenNumber(security, field)
    if (id !== undefined) out.invalidEach(`${path}.${field}`, id, rangeFaults(id, 0, MOST_ID))
  }
}

function checkProcMount(
  out: Complaints,
  type: string | undefined,
  path: string,
  pod: PodContext,
): void {
  if (type === undefined) return
  const types = ['Default', 'Unmasked']
  if (!types.includes(type)) out.notSupported(path, type, types)
  if (pod.hostUsers && type === 'Unmasked') {
    out.invalidNamed(path, type, '`hostUsers` must be false to use `Unmasked`')
  }
}

function checkNoEscalation(out: Complaints, security: JsonObject, path: string): void {
  const refuse = (why: string): void => {
    const text = internalText('SecurityContext', security)
    out.invalidRendered(path, text, `cannot set \`allowPrivilegeEscalation\` to false and ${why}`)
  }
  if (security['privileged'] === true) refuse('`privileged` to true')
  for (const capability of textsOf(objectOf(security, 'capabilities'), 'add')) {
    if (capability === 'CAP_SYS_ADMIN') refuse('`capabilities.Add` CAP_SYS_ADMIN')
  }
}

const PROFILE_TYPES = ['Localhost', 'RuntimeDefault', 'Unconfined']

function checkSeccompProfile(out: Complaints, profile: JsonObject | undefined, path: string): void {
  if (profile === undefined) return
  const type = textOf(profile, 'type')
  const file = givenText(profile, 'localhostProfile')
  if (type === '') out.required(`${path}.type`, 'type is required when seccompProfile is set')
  else if (!PROFILE_TYPES.includes(type)) out.notSupported(`${path}.type`, type, PROFILE_TYPES)
  if (type === 'Localhost') {
    if (file === undefined) {
      out.required(`${path}.localhostProfile`, 'must be set when seccomp type is Localhost')
    } else checkDescending(out, file, `${path}.localhostProfile`)
  } else if (file !== undefined) {
    const text = internalText('SeccompProfile', profile)
    const detail = 'can only be set when seccomp type is Localhost'
    out.invalidRendered(`${path}.localhostProfile`, text, detail)
  }
}

function checkAppArmorProfile(
  out: Complaints,
  profile: JsonObject | undefined,
  path: string,
): void {
  if (profile === undefined) return
  const type = textOf(profile, 'type')
  const name = givenText(profile, 'localhostProfile')
  const here = `${path}.localhostProfile`
  if (type === 'Localhost') {
    const missing = 'must be set when AppArmor type is Localhost'
    if (name === undefined) return out.required(here, missing)
    if (name.trim() !== name) out.invalid(here, name, 'must not be padded with whitespace')
    else if (name === '') out.required(here, missing)
    if (byteLength(name) > 4095) out.tooLong(here, 4095)
  } else if (type === '') {
    out.required(`${path}.type`, 'type is required when appArmorProfile is set')
  } else if (!PROFILE_TYPES.includes(type)) out.notSupported(`${path}.type`, type, PROFILE_TYPES)
  else if (name !== undefined) {
    out.invalidNamed(here, name, 'can only be set when AppArmor type is Localhost')
  }
}

/** Of the pod. */
export function checkPodSecurityContext(out: Complaints, pod: PodContext, path: string): void {
  const security = objectOf(pod.spec, 'securityContext')
  if (security === undefined) return
  checkIds(out, security, ['fsGroup', 'runAsUser', 'runAsGroup'], path)
  const groups = security['supplementalGroups']
  if (Array.isArray(groups)) {
    groups.forEach((group, at) => {
      const id = Number(group)
      out.invalidEach(`${path}.supplementalGroups[${at}]`, id, rangeFaults(id, 0, MOST_ID))
    })
  }
  if (pod.spec['shareProcessNamespace'] === true && pod.spec['hostPID'] === true) {
    const detail = 'ShareProcessNamespace and HostPID cannot both be enabled'
    out.invalid(`${path}.shareProcessNamespace`, true, detail)
  }
  checkSysctls(out, security, `${path}.sysctls`, pod)
  checkOneOf(out, security, 'fsGroupChangePolicy', ['Always', 'OnRootMismatch'], path)
  checkSeccompProfile(out, objectOf(security, 'seccompProfile'), `${path}.seccompProfile`)
  checkWindowsOptions(out, objectOf(security, 'windowsOptions'), `${path}.windowsOptions`)
  checkAppArmorProfile(out, objectOf(security, 'appArmorProfile'), `${path}.appArmorProfile`)
  checkOneOf(out, security, 'supplementalGroupsPolicy', ['Merge', 'Strict'], path)
  // The other policy needs a feature that is off by default.
  checkOneOf(out, security, 'seLinuxChangePolicy', ['Recursive'], path)
}

function checkOneOf(
  out: Complaints,
  security: JsonObject,
  field: string,
  values: readonly string[],
  path: string,
): void {
  const value = givenText(security, field)
  if (value === undefined || values.includes(value)) return
  out.notSupported(`${path}.${field}`, value, values)
}

const SYSCTL = '([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?'
const SYSCTL_REGEX = new RegExp(`^${SYSCTL}$`)
const SYSCTL_LENGTH = 253

function checkSysctls(out: Complaints, security: JsonObject, path: string, pod: PodContext): void {
  const names = new Set<string>()
  objectsOf(security, 'sysctls').forEach((sysctl, at) => {
    const name = textOf(sysctl, 'name')
    const here = `${path}[${at}].name`
    if (name === '') out.required(here)
    else if (byteLength(name) > SYSCTL_LENGTH || !SYSCTL_REGEX.test(name)) {
      const detail = `must have at most ${SYSCTL_LENGTH} characters and match regex ^${SYSCTL}$`
      out.invalid(here, name, detail)
    } else if (names.has(name)) out.duplicate(here, name)
    names.add(name)
    const dotted = name.replaceAll('/', '.')
    if (pod.hostNetwork && dotted.startsWith('net.')) {
      out.invalid(here, name, "may not be specified when 'hostNetwork' is true")
    } else if (
      pod.spec['hostIPC'] === true &&
      /^(?:kernel\.(?:shm|msg|sem)|fs\.mqueue\.)/.test(dotted)
    ) {
      out.invalid(here, name, "may not be specified when 'hostIPC' is true")
    }
  })
}
