import type { JsonObject } from '../../../core/json.ts'
import { type Complaints, givenText, numberOf, objectOf, objectsOf, textOf } from '../complaints.ts'
import { dnsLabelFaults, portNameFaults, rangeFaults } from '../names.ts'
import type { PodContext } from './context.ts'
import { checkEnv, checkEnvFrom } from './env.ts'
import { checkVolumeDevices, checkVolumeMounts } from './mounts.ts'
import { checkLifecycle, checkProbes, PROBES } from './probes.ts'
import { checkContainerResources } from './resources.ts'
import { checkRestartPolicy } from './restart.ts'
import { checkSecurityContext } from './security.ts'

export function checkContainers(out: Complaints, pod: PodContext, path: string): void {
  const containers = objectsOf(pod.spec, 'containers')
  if (containers.length === 0) return out.required(path)
  const names = new Set<string>()
  containers.forEach((container, at) => {
    const here = `${path}[${at}]`
    checkCommon(out, container, here, pod)
    const name = textOf(container, 'name')
    if (names.has(name)) out.duplicate(`${here}.name`, name)
    names.add(name)
    checkLifecycle(out, container, here, pod)
    checkProbes(out, container, here, pod)
    if (pod.rules.minor >= 35) checkRestartPolicy(out, container, here, pod)
    else if (container['restartPolicy'] !== undefined) {
      out.forbidden(`${here}.restartPolicy`, 'may not be set for non-init containers')
    }
  })
  checkHostPorts(out, containers, path)
}

const ONLY_SIDECARS = 'may not be set for init containers without restartPolicy=Always'

export function checkInitContainers(out: Complaints, pod: PodContext, path: string): void {
  const names = new Set(objectsOf(pod.spec, 'containers').map((other) => textOf(other, 'name')))
  objectsOf(pod.spec, 'initContainers').forEach((container, at) => {
    const here = `${path}[${at}]`
    checkCommon(out, container, here, pod)
    checkInitRestartPolicy(out, container, here, pod)
    const name = textOf(container, 'name')
    if (names.has(name)) out.duplicate(`${here}.name`, name)
    else if (name !== '') names.add(name)
    checkHostPorts(out, [container], path)
    const isSidecar = container['restartPolicy'] === 'Always'
    if (isSidecar) {
      checkLifecycle(out, container, here, pod)
      checkProbes(out, container, here, pod)
    } else {
      for (const field of ['lifecycle', ...PROBES]) {
        if (container[field] !== undefined) out.forbidden(`${here}.${field}`, ONLY_SIDECARS)
      }
      checkInitResizePolicy(out, container, here)
    }
  })
}

function checkInitResizePolicy(out: Complaints, container: JsonObject, path: string): void {
  objectsOf(container, 'resizePolicy').forEach((policy, at) => {
    if (policy['restartPolicy'] !== 'RestartContainer') return
    const detail = "must not be set to 'RestartContainer' for non-sidecar initContainers"
    out.invalidNamed(`${path}.resizePolicy[${at}].restartPolicy`, 'RestartContainer', detail)
  })
}

/** Native sidecars are beta and on by default since 1.29; other policies came with 1.35. */
function checkInitRestartPolicy(
  out: Complaints,
  container: JsonObject,
  path: string,
  pod: PodContext,
): void {
  const policy = givenText(container, 'restartPolicy')
  if (policy === undefined) {
    if (objectsOf(container, 'restartPolicyRules').length > 0) {
      const detail = 'must specify restartPolicy when restart rules are used'
      out.required(`${path}.restartPolicy`, detail)
    }
  } else if (pod.rules.minor < 35) {
    if (policy !== 'Always') out.notSupported(`${path}.restartPolicy`, policy, ['Always'])
  } else if (policy === 'Always' && pod.rules.minor < 36) {
    if (objectsOf(container, 'restartPolicyRules').length === 0) return
    const detail =
      'restartPolicyRules are not allowed for init containers with restart policy Always'
    out.forbidden(`${path}.restartPolicyRules`, detail)
  } else checkRestartPolicy(out, container, path, pod)
}

const MESSAGE_POLICIES = ['File', 'FallbackToLogsOnError']

function checkCommon(out: Complaints, container: JsonObject, path: string, pod: PodContext): void {
  const name = textOf(container, 'name')
  if (name === '') out.required(`${path}.name`)
  else out.invalidEach(`${path}.name`, name, dnsLabelFaults(name))
  if (textOf(container, 'image') === '') out.required(`${path}.image`)
  const policy = textOf(container, 'terminationMessagePolicy')
  if (!MESSAGE_POLICIES.includes(policy)) {
    out.notSupported(`${path}.terminationMessagePolicy`, policy, MESSAGE_POLICIES)
  }
  checkPorts(out, container, `${path}.ports`)
  checkEnv(out, container, `${path}.env`, pod)
  checkEnvFrom(out, container, `${path}.envFrom`, pod)
  checkVolumeMounts(out, container, `${path}.volumeMounts`, pod)
  checkVolumeDevices(out, container, `${path}.volumeDevices`, pod)
  checkPullPolicy(out, textOf(container, 'imagePullPolicy'), `${path}.imagePullPolicy`)
  checkContainerResources(out, objectOf(container, 'resources'), `${path}.resources`, pod.claims)
  checkResizePolicy(out, container, `${path}.resizePolicy`, pod)
  const security = objectOf(container, 'securityContext')
  if (security !== undefined) {
    checkSecurityContext(out, security, `${path}.securityContext`, pod)
  }
}

const PULL_POLICIES = ['Always', 'IfNotPresent', 'Never']

export function checkPullPolicy(out: Complaints, policy: string, path: string): void {
  if (policy === '') out.required(path)
  else if (!PULL_POLICIES.includes(policy)) out.notSupported(path, policy, PULL_POLICIES)
}

const PROTOCOLS = ['SCTP', 'TCP', 'UDP']

function checkPorts(out: Complaints, container: JsonObject, path: string): void {
  const names = new Set<string>()
  objectsOf(container, 'ports').forEach((port, at) => {
    const here = `${path}[${at}]`
    const name = textOf(port, 'name')
    if (name !== '') {
      const faults = portNameFaults(name)
      if (faults.length > 0) out.invalidEach(`${here}.name`, name, faults)
      else if (names.has(name)) out.duplicate(`${here}.name`, name)
      else names.add(name)
    }
    const number = numberOf(port, 'containerPort')
    if (number === 0) out.required(`${here}.containerPort`)
    else out.invalidEach(`${here}.containerPort`, number, rangeFaults(number, 1, 65535))
    const hostPort = numberOf(port, 'hostPort')
    if (hostPort !== 0) {
      out.invalidEach(`${here}.hostPort`, hostPort, rangeFaults(hostPort, 1, 65535))
    }
    const protocol = textOf(port, 'protocol')
    if (protocol === '') out.required(`${here}.protocol`)
    else if (!PROTOCOLS.includes(protocol))
      out.notSupported(`${here}.protocol`, protocol, PROTOCOLS)
  })
}

/** No two containers can have one port of the node. */
function checkHostPorts(out: Complaints, containers: readonly JsonObject[], path: string): void {
  const taken = new Set<string>()
  containers.forEach((container, index) => {
    objectsOf(container, 'ports').forEach((port, at) => {
      const hostPort = numberOf(port, 'hostPort')
      if (hostPort === 0) return
      const key = `${textOf(port, 'protocol')}/${textOf(port, 'hostIP')}/${hostPort}`
      if (taken.has(key)) out.duplicate(`${path}[${index}].ports[${at}].hostPort`, key)
      taken.add(key)
    })
  })
}

const RESIZE_RESOURCES = ['cpu', 'memory']
const RESIZE_POLICIES = ['NotRequired', 'RestartContainer']

function checkResizePolicy(
  out: Complaints,
  container: JsonObject,
  path: string,
  pod: PodContext,
): void {
  const seen = new Set<string>()
  objectsOf(container, 'resizePolicy').forEach((policy, at) => {
    const resource = textOf(policy, 'resourceName')
    if (seen.has(resource)) {
      out.list.push({
        type: 'Duplicate',
        field: `${path}[${at}]`,
        value: resource,
        detail: '',
      })
    }
    seen.add(resource)
    if (resource === '') out.required(path)
    else if (!RESIZE_RESOURCES.includes(resource)) {
      out.notSupported(path, resource, RESIZE_RESOURCES)
    }
    const restart = textOf(policy, 'restartPolicy')
    if (restart === '') out.required(path)
    else if (!RESIZE_POLICIES.includes(restart)) out.notSupported(path, restart, RESIZE_POLICIES)
    if (pod.restartPolicy === 'Never' && restart !== 'NotRequired') {
      const detail = "must be 'NotRequired' when pod `restartPolicy` is 'Never'"
      out.invalidNamed(path, restart, detail)
    }
  })
}
