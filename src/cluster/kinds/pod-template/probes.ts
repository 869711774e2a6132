import type { Json, JsonObject } from '../../../core/json.ts'
import {
  type Complaints,
  givenNumber,
  numberOf,
  objectOf,
  objectsOf,
  textOf,
  textsOf,
} from '../complaints.ts'
import { headerFaults, portNameFaults, rangeFaults } from '../names.ts'
import type { PodContext } from './context.ts'
import { LINUX_SIGNALS, WINDOWS_SIGNALS } from './signals.ts'

export type ProbeName = 'livenessProbe' | 'readinessProbe' | 'startupProbe'
export const PROBES: readonly ProbeName[] = ['livenessProbe', 'readinessProbe', 'startupProbe']

export function checkProbes(
  out: Complaints,
  container: JsonObject,
  path: string,
  pod: PodContext,
): void {
  for (const name of PROBES) {
    const probe = objectOf(container, name)
    if (probe !== undefined) checkProbe(out, name, probe, `${path}.${name}`, pod)
  }
}

const COUNTS: readonly string[] = [
  'initialDelaySeconds',
  'timeoutSeconds',
  'periodSeconds',
  'successThreshold',
  'failureThreshold',
]

function checkProbe(
  out: Complaints,
  name: ProbeName,
  probe: JsonObject,
  path: string,
  pod: PodContext,
): void {
  checkHandler(out, probe, ['exec', 'httpGet', 'tcpSocket', 'grpc'], path, pod)
  for (const count of COUNTS) out.nonNegative(`${path}.${count}`, probe[count])
  const grace = givenNumber(probe, 'terminationGracePeriodSeconds')
  if (grace !== undefined && grace <= 0) {
    out.invalid(`${path}.terminationGracePeriodSeconds`, grace, 'must be greater than 0')
  }
  if (name === 'readinessProbe') {
    if (grace === undefined) return
    const detail = 'must not be set for readinessProbes'
    out.invalid(`${path}.terminationGracePeriodSeconds`, grace, detail)
  } else if (numberOf(probe, 'successThreshold') !== 1) {
    out.invalid(`${path}.successThreshold`, numberOf(probe, 'successThreshold'), 'must be 1')
  }
}

function checkHandler(
  out: Complaints,
  handler: JsonObject,
  kinds: readonly string[],
  path: string,
  pod: PodContext,
): void {
  let found = false
  for (const kind of kinds) {
    const action = objectOf(handler, kind)
    if (action === undefined) continue
    if (found) out.forbidden(`${path}.${kind}`, 'may not specify more than 1 handler type')
    else checkAction(out, kind, action, `${path}.${kind}`, pod)
    found = true
  }
  if (!found) out.required(path, 'must specify a handler type')
}

function checkAction(
  out: Complaints,
  kind: string,
  action: JsonObject,
  path: string,
  pod: PodContext,
): void {
  if (kind === 'exec') {
    if (textsOf(action, 'command').length === 0) out.required(`${path}.command`)
  } else if (kind === 'httpGet') checkHttpGet(out, action, path)
  else if (kind === 'sleep') checkSleep(out, action, path, pod)
  else checkPort(out, action['port'], `${path}.port`)
}

function checkHttpGet(out: Complaints, action: JsonObject, path: string): void {
  if (textOf(action, 'path') === '') out.required(`${path}.path`)
  checkPort(out, action['port'], `${path}.port`)
  const scheme = textOf(action, 'scheme')
  if (scheme !== 'HTTP' && scheme !== 'HTTPS') {
    out.notSupported(`${path}.scheme`, scheme, ['HTTP', 'HTTPS'])
  }
  for (const header of objectsOf(action, 'httpHeaders')) {
    const name = textOf(header, 'name')
    out.invalidEach(`${path}.httpHeaders`, name, headerFaults(name))
  }
}

function checkPort(out: Complaints, port: Json | undefined, path: string): void {
  if (typeof port === 'string') out.invalidEach(path, port, portNameFaults(port))
  else {
    const number = typeof port === 'number' ? port : 0
    out.invalidEach(path, number, rangeFaults(number, 1, 65535))
  }
}

/** Zero seconds are allowed since 1.33. */
function checkSleep(out: Complaints, action: JsonObject, path: string, pod: PodContext): void {
  const { gracePeriod: most, rules } = pod
  if (most === undefined) return
  const seconds = numberOf(action, 'seconds')
  const zero = rules.minor >= 33
  if ((zero ? seconds >= 0 : seconds > 0) && seconds <= most) return
  const rule = zero ? 'must be non-negative' : 'must be greater than 0'
  const hint = zero
    ? ''
    : '. Enable AllowPodLifecycleSleepActionZeroValue feature gate for zero sleep.'
  const detail = `${rule} and less than terminationGracePeriodSeconds (${most})${hint}`
  out.invalid(path, seconds, detail)
}

export function checkLifecycle(
  out: Complaints,
  container: JsonObject,
  path: string,
  pod: PodContext,
): void {
  const lifecycle = objectOf(container, 'lifecycle')
  if (lifecycle === undefined) return
  for (const moment of ['postStart', 'preStop']) {
    const handler = objectOf(lifecycle, moment)
    if (handler === undefined) continue
    const kinds = ['exec', 'httpGet', 'tcpSocket', 'sleep']
    checkHandler(out, handler, kinds, `${path}.lifecycle.${moment}`, pod)
  }
  const signal = lifecycle['stopSignal']
  if (typeof signal === 'string') checkStopSignal(out, signal, `${path}.lifecycle.stopSignal`, pod)
}

function checkStopSignal(out: Complaints, signal: string, path: string, pod: PodContext): void {
  if (pod.os === undefined) {
    out.forbidden(path, 'may not be set for containers with empty `spec.os.name`')
  } else if (pod.os === 'windows' && !WINDOWS_SIGNALS.includes(signal)) {
    out.notSupported(path, signal, WINDOWS_SIGNALS)
  } else if (pod.os === 'linux' && !LINUX_SIGNALS.includes(signal)) {
    out.notSupported(path, signal, LINUX_SIGNALS)
  }
}
