import type { JsonObject } from '../../../core/json.ts'
import { byteLength } from '../../../core/text.ts'
import {
  type Complaints,
  givenNumber,
  givenText,
  numberOf,
  objectOf,
  objectsOf,
  textOf,
} from '../complaints.ts'
import { checkLabels } from '../labels.ts'
import { dnsLabelFaults, labelKeyFaults, rangeFaults, subdomainFaults } from '../names.ts'
import { checkAffinity } from './affinity.ts'
import { checkResourceClaims } from './claims.ts'
import { checkContainers, checkInitContainers } from './containers.ts'
import { type PodContext, podContext } from './context.ts'
import { checkDnsConfig, checkDnsPolicy, checkHostAliases } from './dns.ts'
import { checkPodResources } from './pod-resources.ts'
import { checkContainerResources } from './resources.ts'
import { checkPodSecurityContext } from './security.ts'
import { checkSpread } from './spread.ts'
import { checkTolerations } from './tolerations.ts'
import { checkVolumes } from './volumes.ts'
import { checkHostProcess, checkSystem } from './windows.ts'

export { podContext, type PodContext }

/** A pod spec, wherever it stands: in the order in which the server looks. */
export function checkPodSpec(out: Complaints, pod: PodContext, path: string): void {
  const { spec } = pod
  if (pod.gracePeriod === undefined) out.required(`${path}.terminationGracePeriodSeconds`)
  checkVolumes(out, pod, `${path}.volumes`)
  checkResourceClaims(out, pod, `${path}.resourceClaims`)
  checkContainers(out, pod, `${path}.containers`)
  checkInitContainers(out, pod, `${path}.initContainers`)
  if (pod.rules.minor >= 34) checkPodResources(out, pod, path)
  checkHostNetworkPorts(out, pod, `${path}.containers`)
  checkRestartPolicy(out, pod.restartPolicy, `${path}.restartPolicy`)
  checkDnsPolicy(out, pod, `${path}.dnsPolicy`)
  checkLabels(out, spec['nodeSelector'], `${path}.nodeSelector`)
  checkPodSecurityContext(out, pod, `${path}.securityContext`)
  checkAffinity(out, objectOf(spec, 'affinity'), `${path}.affinity`)
  checkDnsConfig(out, pod, `${path}.dnsConfig`)
  checkGates(out, pod, path)
  checkSpread(out, pod, `${path}.topologySpreadConstraints`)
  checkHostProcess(out, pod, path)
  checkHostUsers(out, pod, path)
  checkHostnameOverride(out, pod, path)
  checkNames(out, pod, path)
  if (spec['overhead'] !== undefined) {
    const resources = { limits: spec['overhead'] }
    checkContainerResources(out, resources, `${path}.overhead`, NO_CLAIMS)
  }
  checkSystem(out, pod, path)
  checkFileVolumes(out, pod, path)
}

const NO_CLAIMS: ReadonlySet<string> = new Set()

/** With the node's network a port of the node is the container's own. */
function checkHostNetworkPorts(out: Complaints, pod: PodContext, path: string): void {
  if (!pod.hostNetwork) return
  objectsOf(pod.spec, 'containers').forEach((container, index) => {
    objectsOf(container, 'ports').forEach((port, at) => {
      const hostPort = numberOf(port, 'hostPort')
      if (!pod.isPod && hostPort === 0) return
      if (hostPort === numberOf(port, 'containerPort')) return
      const detail = 'must match `containerPort` when `hostNetwork` is true'
      out.invalid(`${path}[${index}].ports[${at}].hostPort`, hostPort, detail)
    })
  })
}

const RESTART_POLICIES = ['Always', 'OnFailure', 'Never']

function checkRestartPolicy(out: Complaints, policy: string, path: string): void {
  if (policy === '') out.required(path)
  else if (!RESTART_POLICIES.includes(policy)) out.notSupported(path, policy, RESTART_POLICIES)
}

function checkGates(out: Complaints, pod: PodContext, path: string): void {
  objectsOf(pod.spec, 'readinessGates').forEach((gate, at) => {
    const type = textOf(gate, 'conditionType')
    const here = `${path}.readinessGates[${at}].conditionType`
    out.invalidEach(here, type, labelKeyFaults(type))
  })
  const seen = new Set<string>()
  objectsOf(pod.spec, 'schedulingGates').forEach((gate, at) => {
    const name = textOf(gate, 'name')
    const here = `${path}.schedulingGates[${at}]`
    out.invalidEach(here, name, labelKeyFaults(name))
    if (seen.has(name)) out.duplicate(here, name)
    seen.add(name)
  })
}

function checkHostUsers(out: Complaints, pod: PodContext, path: string): void {
  if (pod.hostUsers) return
  const detail = 'when `hostUsers` is false'
  if (pod.hostNetwork) out.forbidden(`${path}.hostNetwork`, detail)
  if (pod.spec['hostPID'] === true) out.forbidden(`${path}.HostPID`, detail)
  if (pod.spec['hostIPC'] === true) out.forbidden(`${path}.HostIPC`, detail)
  for (const list of ['initContainers', 'containers', 'ephemeralContainers']) {
    objectsOf(pod.spec, list).forEach((container, at) => {
      if (objectsOf(container, 'volumeDevices').length === 0) return
      out.forbidden(`${path}.${list}[${at}].volumeDevices`, detail)
    })
  }
}

function checkHostnameOverride(out: Complaints, pod: PodContext, path: string): void {
  const name = givenText(pod.spec, 'hostnameOverride')
  if (name === undefined || pod.rules.minor < 35) return
  const here = `${path}.hostnameOverride`
  if (pod.spec['setHostnameAsFQDN'] === true) {
    out.forbidden(here, 'may not be specified when setHostnameAsFQDN is true')
  }
  if (pod.hostNetwork) out.forbidden(here, 'may not be specified when hostNetwork is true')
  if (byteLength(name) > 64) out.tooLong(here, 64)
  out.invalidEach(here, name, subdomainFaults(name))
}

const MOST_SECONDS = 2_147_483_647

function checkNames(out: Complaints, pod: PodContext, path: string): void {
  const { spec } = pod
  checkOptional(out, spec, 'serviceAccountName', path, subdomainFaults)
  checkOptional(out, spec, 'nodeName', path, subdomainFaults)
  const deadline = givenNumber(spec, 'activeDeadlineSeconds')
  if (deadline !== undefined) {
    const faults = rangeFaults(deadline, 1, MOST_SECONDS)
    out.invalidEach(`${path}.activeDeadlineSeconds`, deadline, faults)
  }
  checkOptional(out, spec, 'hostname', path, dnsLabelFaults)
  checkOptional(out, spec, 'subdomain', path, dnsLabelFaults)
  checkTolerations(out, objectsOf(spec, 'tolerations'), `${path}.tolerations`)
  checkHostAliases(out, pod, `${path}.hostAliases`)
  checkOptional(out, spec, 'priorityClassName', path, subdomainFaults)
  const runtime = givenText(spec, 'runtimeClassName')
  if (runtime !== undefined) {
    out.invalidEach(`${path}.runtimeClassName`, runtime, subdomainFaults(runtime))
  }
  const preemption = givenText(spec, 'preemptionPolicy')
  const here = `${path}.preemptionPolicy`
  const policies = ['PreemptLowerPriority', 'Never']
  if (preemption === '') out.required(here)
  else if (preemption !== undefined && !policies.includes(preemption)) {
    out.notSupported(here, preemption, policies)
  }
}

function checkOptional(
  out: Complaints,
  spec: JsonObject,
  field: string,
  path: string,
  faults: (value: string) => readonly string[],
): void {
  const value = textOf(spec, field)
  if (value !== '') out.invalidEach(`${path}.${field}`, value, faults(value))
}

/** A variable from a file needs an emptyDir that holds it. */
function checkFileVolumes(out: Complaints, pod: PodContext, path: string): void {
  if (pod.rules.minor < 35) return
  for (const list of ['initContainers', 'containers']) {
    objectsOf(pod.spec, list).forEach((container, index) => {
      objectsOf(container, 'env').forEach((variable, at) => {
        const ref = objectOf(objectOf(variable, 'valueFrom'), 'fileKeyRef')
        if (ref === undefined) return
        const name = textOf(ref, 'volumeName')
        const volumes = objectsOf(pod.spec, 'volumes')
        const volume = volumes.findLast((other) => textOf(other, 'name') === name)
        const here = `${path}.${list}[${index}].env[${at}].valueFrom.fileKeyRef.volumeName`
        if (volume === undefined) out.notFound(here, name)
        else if (volume['emptyDir'] === undefined) {
          out.invalid(here, name, 'referenced volume must be of type emptyDir')
        }
      })
    })
  }
}
