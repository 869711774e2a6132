import type { JsonObject } from '../../../core/json.ts'
import { byteLength } from '../../../core/text.ts'
import { type Complaints, givenText, objectOf, objectsOf } from '../complaints.ts'
import { subdomainFaults } from '../names.ts'
import type { PodContext } from './context.ts'

const SPEC_LIMIT = 64 * 1024
const LABEL = '[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?'
const DNS_DOMAIN = new RegExp(`^${LABEL}(?:\\.${LABEL})*$`)
const NETBIOS_DOMAIN = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/

export function checkWindowsOptions(
  out: Complaints,
  options: JsonObject | undefined,
  path: string,
): void {
  if (options === undefined) return
  const specName = givenText(options, 'gmsaCredentialSpecName')
  if (specName !== undefined) {
    for (const fault of subdomainFaults(specName)) {
      out.invalidNamed(`${path}.gmsaCredentialSpecName`, specName, fault)
    }
  }
  const spec = givenText(options, 'gmsaCredentialSpec')
  if (spec === '') {
    const detail = 'gmsaCredentialSpec cannot be an empty string'
    out.invalidNamed(`${path}.gmsaCredentialSpec`, spec, detail)
  } else if (spec !== undefined && byteLength(spec) > SPEC_LIMIT) {
    const detail = 'gmsaCredentialSpec size must be under 64 KiB'
    out.invalidNamed(`${path}.gmsaCredentialSpec`, spec, detail)
  }
  const user = givenText(options, 'runAsUserName')
  if (user === undefined) return
  for (const fault of userFaults(user)) {
    out.invalidNamed(`${path}.runAsUserName`, user, `runAsUserName${fault}`)
  }
}

function userFaults(text: string): readonly string[] {
  if (text === '') return [' cannot be an empty string']
  // oxlint-disable-next-line no-control-regex -- these are what is refused
  if (/[\u0000-\u001f\u007f]/.test(text)) return [' cannot contain control characters']
  const parts = text.split('\\')
  if (parts.length > 2) return [' cannot contain more than one backslash']
  const [domain, user] = parts.length === 2 ? (parts as [string, string]) : [undefined, text]
  const faults: string[] = []
  if (domain !== undefined) {
    if (byteLength(domain) >= 256) faults.push("'s Domain length must be under 256 characters")
    if (!NETBIOS_DOMAIN.test(domain) && !DNS_DOMAIN.test(domain)) {
      faults.push("'s Domain doesn't match the NetBios nor the DNS format")
    }
  }
  if (user === '') faults.push("'s User cannot be empty")
  else if (byteLength(user) > 104) {
    faults.push("'s User length must not be longer than 104 characters")
  }
  if (/^[. ]+$/.test(user)) faults.push("'s User cannot contain only periods or spaces")
  if (/["/\\:;|=,+*?<>@[\]]/.test(user)) {
    faults.push('\'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]')
  }
  return faults
}

/** Host process containers: all or none, and with the node's network. */
export function checkHostProcess(out: Complaints, pod: PodContext, path: string): void {
  const ofPod = hostProcess(pod.spec)
  let containers = 0
  let onHost = 0
  for (const list of ['initContainers', 'containers', 'ephemeralContainers']) {
    objectsOf(pod.spec, list).forEach((container, at) => {
      containers += 1
      const own = hostProcess(container)
      if (ofPod !== undefined && own !== undefined && ofPod !== own) {
        const here = `${path}.${list}[${at}].securityContext.windowsOptions.hostProcess`
        const detail = `pod hostProcess value must be identical if both are specified, was ${ofPod}`
        out.invalid(here, own, detail)
      }
      if (own ?? ofPod) onHost += 1
    })
  }
  if (onHost === 0) return
  if (onHost !== containers) {
    const detail =
      'If pod contains any hostProcess containers then all containers must be HostProcess containers'
    out.invalid(path, '', detail)
  }
  if (!pod.hostNetwork) {
    const detail = 'hostNetwork must be true if pod contains any hostProcess containers'
    out.invalid(`${path}.hostNetwork`, false, detail)
  }
}

function hostProcess(owner: JsonObject): boolean | undefined {
  const value = objectOf(objectOf(owner, 'securityContext'), 'windowsOptions')?.['hostProcess']
  return typeof value === 'boolean' ? value : undefined
}

const POD_FIELDS = [
  'securityContext.appArmorProfile',
  'securityContext.seLinuxOptions',
  'hostUsers',
  'hostPID',
  'hostIPC',
  'securityContext.seccompProfile',
  'securityContext.fsGroup',
  'securityContext.fsGroupChangePolicy',
  'securityContext.sysctls',
  'shareProcessNamespace',
  'securityContext.runAsUser',
  'securityContext.runAsGroup',
  'securityContext.supplementalGroups',
  'securityContext.supplementalGroupsPolicy',
  'securityContext.seLinuxChangePolicy',
]
const CONTAINER_FIELDS = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'capabilities',
  'readOnlyRootFilesystem',
  'privileged',
  'allowPrivilegeEscalation',
  'procMount',
  'runAsUser',
  'runAsGroup',
]

/** What belongs to the other operating system. */
export function checkSystem(out: Complaints, pod: PodContext, path: string): void {
  if (pod.os === undefined) return
  if (pod.os === '') return out.required(`${path}.os.name`)
  if (pod.os !== 'linux' && pod.os !== 'windows') {
    return out.notSupported(`${path}.os`, pod.os, ['linux', 'windows'])
  }
  const windows = pod.os === 'windows'
  const detail = windows
    ? 'cannot be set for a windows pod'
    : 'windows options cannot be set for a linux pod'
  for (const field of windows ? POD_FIELDS : ['securityContext.windowsOptions']) {
    const [first = '', second] = field.split('.')
    const owner = second === undefined ? pod.spec : objectOf(pod.spec, first)
    if (owner?.[second ?? first] !== undefined) out.forbidden(`${path}.${field}`, detail)
  }
  for (const list of ['initContainers', 'containers', 'ephemeralContainers']) {
    objectsOf(pod.spec, list).forEach((container, at) => {
      const security = objectOf(container, 'securityContext')
      for (const field of windows ? CONTAINER_FIELDS : ['windowsOptions']) {
        if (security?.[field] === undefined) continue
        out.forbidden(`${path}.${list}[${at}].securityContext.${field}`, detail)
      }
    })
  }
}
