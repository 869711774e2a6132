import type { JsonObject } from '../../../core/json.ts'
import { goQuote } from '../../api/go-text.ts'
import { numberOf, objectsOf, textOf } from '../complaints.ts'

interface Port {
  readonly at: string
  readonly name: string
  readonly hostIP: string
  readonly hostPort: number
  readonly containerPort: number
  readonly protocol: string
}

/** Ports that get in each other's way, across all containers. */
export function portWarnings(spec: JsonObject, path: string): readonly string[] {
  const ports = ['initContainers', 'containers', 'ephemeralContainers'].flatMap((list) =>
    objectsOf(spec, list).flatMap((container, index) =>
      objectsOf(container, 'ports').map((port, at) =>
        readPort(port, `${path}.${list}[${index}].ports[${at}]`),
      ),
    ),
  )
  return [...overlapWarnings(ports), ...nameWarnings(ports)]
}

function readPort(port: JsonObject, at: string): Port {
  return {
    at,
    name: textOf(port, 'name'),
    hostIP: textOf(port, 'hostIP'),
    hostPort: numberOf(port, 'hostPort'),
    containerPort: numberOf(port, 'containerPort'),
    protocol: textOf(port, 'protocol'),
  }
}

function overlapWarnings(ports: readonly Port[]): readonly string[] {
  const warnings: string[] = []
  const known = new Map<string, Port[]>()
  for (const port of ports) {
    if (port.hostIP !== '' && port.hostPort === 0) {
      warnings.push(`${port.at}: hostIP set without hostPort: ${goStruct(port)}`)
    }
    const key = `${port.containerPort}/${port.protocol}`
    const others = known.get(key) ?? []
    for (const other of others) {
      const kind = overlap(port, other)
      if (kind !== undefined) warnings.push(`${port.at}: ${kind} port definition with ${other.at}`)
    }
    known.set(key, [...others, port])
  }
  return warnings
}

function overlap(one: Port, other: Port): string | undefined {
  const samePort = one.hostPort === other.hostPort
  if (samePort && one.hostIP === other.hostIP) return 'duplicate'
  if (one.hostPort === 0 || other.hostPort === 0) return 'overlapping'
  const oneOpen = (one.hostIP === '') !== (other.hostIP === '')
  return samePort && oneOpen ? 'dangerously ambiguous' : undefined
}

/** Go's %+v of a ContainerPort. */
function goStruct({ name, hostPort, containerPort, protocol, hostIP }: Port): string {
  return `{Name:${name} HostPort:${hostPort} ContainerPort:${containerPort} Protocol:${protocol} HostIP:${hostIP}}`
}

function nameWarnings(ports: readonly Port[]): readonly string[] {
  const known = new Map<string, string>()
  return ports.flatMap(({ name, at }) => {
    if (name === '') return []
    const other = known.get(name)
    if (other === undefined) {
      known.set(name, at)
      return []
    }
    const used = `services and probes that select ports by name will use ${other}`
    return [`${at}: duplicate port name ${goQuote(name)} with ${other}, ${used}`]
  })
}
