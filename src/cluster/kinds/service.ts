import {
  at,
  integerAt,
  isList,
  isObject,
  stringAt,
  type Json,
  type JsonObject,
} from '../../core/json.ts'
import { nameFaults } from '../api/metadata.ts'
import type { FieldError, Kind } from '../api/kind.ts'
import type { KubeObject } from '../object.ts'
import { Complaints } from './complaints.ts'
import { checkLabels } from './labels.ts'
import { dnsLabelFaults, portNameFaults, rangeFaults, subdomainFaults } from './names.ts'

const TYPES: readonly string[] = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort']
const PROTOCOLS: readonly string[] = ['SCTP', 'TCP', 'UDP']
const AFFINITIES: readonly string[] = ['ClientIP', 'None']
const AFFINITY_SECONDS = 10_800
/** 30000 to 32767. */
const NODE_PORTS = { from: 30_000, count: 2768 } as const
/** From here on a name may begin with a digit. */
const LABEL_MINOR = 36

export const service: Kind = {
  group: '',
  version: 'v1',
  resource: 'services',
  kind: 'Service',
  singular: 'service',
  shortNames: ['svc'],
  namespaced: true,
  type: 'io.k8s.api.core.v1.Service',
  hasStatus: true,
  hasGeneration: false,
  defaultPropagation: 'Background',
  createsOnUpdate: true,
  nameRule: 'label',
  returnsDeleted: true,
  fieldSelectors: ['spec.clusterIP', 'spec.type'],
  selectableFields: (object) => ({
    'spec.clusterIP': stringAt(object, ['spec', 'clusterIP']) ?? '',
    'spec.type': stringAt(object, ['spec', 'type']) ?? '',
  }),
  defaults: (object) => ({ ...object, spec: withDefaults(asObject(object['spec'])) }),
  prepareForCreate: (object) =>
    withNodePorts({
      ...object,
      spec: withAddress(object, asObject(object['spec'])),
      status: { loadBalancer: {} },
    }),
  prepareForUpdate: (next, old) => withNodePorts(withOldAddress(next, old)),
  validateCreate: (object, { minor }) => [
    ...(minor < LABEL_MINOR ? oldNameErrors(object) : []),
    ...serviceErrors(object),
  ],
  validateUpdate(next, old) {
    const complaints = new Complaints()
    const was = stringAt(old, ['spec', 'clusterIP']) ?? ''
    const is = stringAt(next, ['spec', 'clusterIP']) ?? ''
    const mayChange = typeOf(old) === 'ExternalName' || typeOf(next) === 'ExternalName'
    if (was !== is && was !== '' && !mayChange) {
      const list = at(next, ['spec', 'clusterIPs']) ?? [is]
      const detail = 'may not change once set'
      complaints.invalid('spec.clusterIPs[0]', list, detail)
    }
    return [...complaints.list, ...serviceErrors(next)]
  },
}

/** Before 1.36 the name had to begin with a letter. */
function oldNameErrors({ metadata }: KubeObject): readonly FieldError[] {
  const complaints = new Complaints()
  const faults = nameFaults(metadata.name, 'label-1035', false)
  complaints.invalidEach('metadata.name', metadata.name, faults)
  return complaints.list
}

function withDefaults(spec: JsonObject): JsonObject {
  const affinity = spec['sessionAffinity'] ?? 'None'
  const type = spec['type'] ?? 'ClusterIP'
  const isReachable = type === 'NodePort' || type === 'LoadBalancer'
  const { sessionAffinityConfig, ...rest } = spec
  const ports = isList(spec['ports']) ? { ports: spec['ports'].map(withPortDefaults) } : {}
  const traffic = type === 'ExternalName' ? {} : { internalTrafficPolicy: 'Cluster' }
  return {
    ...(isReachable ? { externalTrafficPolicy: 'Cluster' } : {}),
    ...(type === 'LoadBalancer' ? { allocateLoadBalancerNodePorts: true } : {}),
    ...traffic,
    ...rest,
    ...ports,
    sessionAffinity: affinity,
    type,
    ...(affinity === 'ClientIP'
      ? {
          sessionAffinityConfig: sessionAffinityConfig ?? {
            clientIP: { timeoutSeconds: AFFINITY_SECONDS },
          },
        }
      : {}),
  }
}

function withPortDefaults(port: Json): Json {
  if (!isObject(port)) return port
  const target = port['targetPort']
  const isUnset = target === undefined || target === 0 || target === ''
  return {
    protocol: 'TCP',
    ...port,
    ...(isUnset && port['port'] !== undefined ? { targetPort: port['port'] } : {}),
  }
}

/** An address of the service range, made from the uid: the same chance gives the same address. */
function withAddress({ metadata }: KubeObject, spec: JsonObject): JsonObject {
  if (spec['type'] === 'ExternalName') return spec
  const asked = spec['clusterIP']
  const [high, low] = [metadata.uid.slice(0, 2), metadata.uid.slice(2, 4)]
  const drawn = `10.96.${Number.parseInt(high, 16)}.${Number.parseInt(low, 16)}`
  const address = typeof asked === 'string' && asked !== '' ? asked : drawn
  const isDual = address === 'None' && spec['selector'] === undefined
  return {
    ipFamilies: isDual ? ['IPv4', 'IPv6'] : ['IPv4'],
    ipFamilyPolicy: isDual ? 'RequireDualStack' : 'SingleStack',
    ...spec,
    clusterIP: address,
    clusterIPs: [address],
  }
}

/** A port on every node for each port of a Service that is reached from outside. */
function withNodePorts(object: KubeObject): KubeObject {
  const spec = asObject(object['spec'])
  const type = typeOf(object)
  const { ports } = spec
  if ((type !== 'NodePort' && type !== 'LoadBalancer') || !isList(ports)) return object
  if (ports.every((port) => (integerAt(port, ['nodePort']) ?? 0) !== 0)) return object
  const first = Number.parseInt(object.metadata.uid.slice(0, 4), 16)
  const given = ports.map((port, index): Json => {
    if (!isObject(port) || (integerAt(port, ['nodePort']) ?? 0) !== 0) return port
    return { ...port, nodePort: NODE_PORTS.from + ((first + index) % NODE_PORTS.count) }
  })
  return { ...object, spec: { ...spec, ports: given } }
}

/** A client that leaves out what the server gave keeps it. */
function withOldAddress(next: KubeObject, old: KubeObject): KubeObject {
  const spec = asObject(next['spec'])
  const was = asObject(old['spec'])
  if (typeOf(next) === 'ExternalName' || typeOf(old) === 'ExternalName') return next
  const kept: { [name: string]: Json } = {}
  for (const name of ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy']) {
    const value = was[name]
    if ((spec[name] ?? '') === '' && value !== undefined) kept[name] = value
  }
  return Object.keys(kept).length === 0 ? next : { ...next, spec: { ...spec, ...kept } }
}

function serviceErrors(object: KubeObject): readonly FieldError[] {
  const complaints = new Complaints()
  const type = typeOf(object)
  const ports = at(object, ['spec', 'ports'])
  const list = isList(ports) ? ports : []
  const isHeadless = stringAt(object, ['spec', 'clusterIP']) === 'None'
  if (list.length === 0 && !isHeadless && type !== 'ExternalName') {
    complaints.required('spec.ports')
  }
  if (type === 'ExternalName') externalName(complaints, object)
  const names = new Set<string>()
  for (const [index, port] of list.entries()) {
    portErrors(complaints, port, { path: `spec.ports[${index}]`, names, isNamed: list.length > 1 })
  }
  checkLabels(complaints, at(object, ['spec', 'selector']), 'spec.selector')
  const affinity = stringAt(object, ['spec', 'sessionAffinity']) ?? ''
  if (!AFFINITIES.includes(affinity)) {
    complaints.notSupported('spec.sessionAffinity', affinity, AFFINITIES)
  }
  if (!TYPES.includes(type)) complaints.notSupported('spec.type', type, TYPES)
  duplicatePorts(complaints, list)
  return complaints.list
}

function externalName(complaints: Complaints, object: KubeObject): void {
  const name = (stringAt(object, ['spec', 'externalName']) ?? '').replace(/\.$/, '')
  if (name === '') complaints.required('spec.externalName')
  else complaints.invalidEach('spec.externalName', name, subdomainFaults(name))
}

interface Place {
  readonly path: string
  readonly names: Set<string>
  /** Ports need names when there are several. */
  readonly isNamed: boolean
}

function portErrors(complaints: Complaints, port: Json, { path, names, isNamed }: Place): void {
  const name = stringAt(port, ['name']) ?? ''
  if (name === '') {
    if (isNamed) complaints.required(`${path}.name`)
  } else {
    complaints.invalidEach(`${path}.name`, name, dnsLabelFaults(name))
    if (names.has(name)) complaints.duplicate(`${path}.name`, name)
    names.add(name)
  }
  const number = integerAt(port, ['port']) ?? 0
  complaints.invalidEach(`${path}.port`, number, rangeFaults(number, 1, 65_535))
  const protocol = stringAt(port, ['protocol']) ?? ''
  if (!PROTOCOLS.includes(protocol)) {
    complaints.notSupported(`${path}.protocol`, protocol, PROTOCOLS)
  }
  const target = at(port, ['targetPort']) ?? number
  const faults =
    typeof target === 'string' ? portNameFaults(target) : rangeFaults(Number(target), 1, 65_535)
  complaints.invalidEach(`${path}.targetPort`, target, faults)
}

function duplicatePorts(complaints: Complaints, ports: readonly Json[]): void {
  const seen = new Set<string>()
  for (const [index, port] of ports.entries()) {
    const protocol = stringAt(port, ['protocol']) ?? ''
    const number = integerAt(port, ['port']) ?? 0
    const key = `${protocol} ${number}`
    if (seen.has(key))
      complaints.list.push({
        type: 'Duplicate',
        field: `spec.ports[${index}]`,
        rendered: portText(protocol, number),
        detail: '',
      })
    seen.add(key)
  }
}

/** As Go prints the internal type. */
function portText(protocol: string, port: number): string {
  return `{"Name":"","Protocol":"${protocol}","AppProtocol":null,"Port":${port},"TargetPort":0,"NodePort":0}`
}

function typeOf(object: KubeObject): string {
  return stringAt(object, ['spec', 'type']) ?? ''
}

function asObject(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {}
}
