import type { JsonObject } from '../../../core/json.ts'
import { type Complaints, objectOf, objectsOf, textOf } from '../complaints.ts'
import { keysOf } from '../labels.ts'
import { dnsLabelFaults, labelKeyFaults } from '../names.ts'
import {
  isWhole,
  type Quantity,
  quantityText,
  readQuantity,
  unitsOf,
  ZERO,
} from '../wire/quantity.ts'

type NameCheck = (out: Complaints, name: string, path: string) => void

/** Requests and limits of a container. */
export function checkContainerResources(
  out: Complaints,
  resources: JsonObject | undefined,
  path: string,
  claims: ReadonlySet<string>,
): void {
  if (resources === undefined) return
  checkResources(out, resources, path, claims, checkContainerResourceName)
}

export function checkResources(
  out: Complaints,
  resources: JsonObject,
  path: string,
  claims: ReadonlySet<string>,
  checkName: NameCheck,
): void {
  const limits = objectOf(resources, 'limits') ?? {}
  const requests = objectOf(resources, 'requests') ?? {}
  for (const name of keysOf(limits)) {
    checkOne(out, name, quantityOf(limits, name), `${path}.limits[${name}]`, checkName)
    checkHugePage(out, name, quantityOf(limits, name), `${path}.limits[${name}]`)
  }
  for (const name of keysOf(requests)) {
    const quantity = quantityOf(requests, name)
    checkOne(out, name, quantity, `${path}.requests[${name}]`, checkName)
    const limit = limits[name] === undefined ? undefined : quantityOf(limits, name)
    checkAgainstLimit(out, name, quantity, limit, path)
    checkHugePage(out, name, quantity, `${path}.requests[${name}]`)
  }
  const names = [...Object.keys(limits), ...Object.keys(requests)]
  if (names.some(isHugePage) && !names.some((name) => name === 'cpu' || name === 'memory')) {
    out.forbidden(path, 'HugePages require cpu or memory')
  }
  checkClaims(out, resources, `${path}.claims`, claims)
}

function checkOne(
  out: Complaints,
  name: string,
  quantity: Quantity,
  path: string,
  checkName: NameCheck,
): void {
  checkName(out, name, path)
  if (quantity.nano < 0n) {
    out.invalid(path, quantityText(quantity), 'must be greater than or equal to 0')
  }
  if (isExtended(name) && !isWhole(quantity)) {
    out.invalidRendered(path, `"${quantityText(quantity)}"`, 'must be an integer')
  }
}

function checkAgainstLimit(
  out: Complaints,
  name: string,
  quantity: Quantity,
  limit: Quantity | undefined,
  path: string,
): void {
  const overcommit = isNative(name) && !isHugePage(name)
  if (limit === undefined) {
    if (overcommit) return
    out.required(`${path}.limits`, 'Limit must be set for non overcommitable resources')
    return
  }
  const rule =
    !overcommit && quantity.nano !== limit.nano
      ? 'equal to'
      : quantity.nano > limit.nano
        ? 'less than or equal to'
        : undefined
  if (rule === undefined) return
  const detail = `must be ${rule} ${name} limit of ${quantityText(limit)}`
  out.invalid(`${path}.requests`, quantityText(quantity), detail)
}

function checkHugePage(out: Complaints, name: string, quantity: Quantity, path: string): void {
  if (!isHugePage(name)) return
  const size = readQuantity(name.slice(HUGE_PAGE.length))
  const page = size === undefined || size.nano <= 0n || !isWhole(size) ? undefined : unitsOf(size)
  if (page !== undefined && unitsOf(quantity) % page === 0n) return
  const text = quantityText(quantity)
  out.invalid(path, text, `${text} is not positive integer multiple of ${name}`)
}

function checkContainerResourceName(out: Complaints, name: string, path: string): void {
  if (STANDARD_CONTAINER.has(name)) return
  const faults = resourceNameFaults(name)
  for (const fault of faults) out.invalidNamed(path, name, fault)
  if (!name.includes('/')) {
    if (!isHugePage(name)) {
      out.invalidNamed(path, name, 'must be a standard resource for containers')
    }
  } else if (!isNative(name) && !isExtended(name)) {
    out.invalidNamed(path, name, "doesn't follow extended resource name standard")
  }
}

/** For the pod as a whole (since 1.34). */
export function checkPodResourceName(out: Complaints, name: string, path: string): void {
  const faults = resourceNameFaults(name)
  for (const fault of faults) out.invalidNamed(path, name, fault)
  if (faults.length > 0 || name === 'cpu' || name === 'memory' || isHugePage(name)) return
  out.notSupported(path, name, ['cpu', 'hugepages-', 'memory'])
}

function resourceNameFaults(name: string): readonly string[] {
  const faults = labelKeyFaults(name)
  if (faults.length > 0 || name.includes('/') || STANDARD.has(name)) return faults
  if (isHugePage(name) || name.startsWith(`requests.${HUGE_PAGE}`)) return faults
  return ['must be a standard resource type or fully qualified']
}

const HUGE_PAGE = 'hugepages-'
const STANDARD_CONTAINER: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage'])
const STANDARD: ReadonlySet<string> = new Set(
  (
    'cpu memory ephemeral-storage requests.cpu requests.memory requests.ephemeral-storage ' +
    'limits.cpu limits.memory limits.ephemeral-storage pods resourcequotas services ' +
    'replicationcontrollers secrets configmaps persistentvolumeclaims storage requests.storage ' +
    'services.nodeports services.loadbalancers'
  ).split(' '),
)

export function isHugePage(name: string): boolean {
  return name.startsWith(HUGE_PAGE)
}

function isNative(name: string): boolean {
  return !name.includes('/') || name.includes('kubernetes.io/')
}

function isExtended(name: string): boolean {
  if (isNative(name) || name.startsWith('requests.')) return false
  return labelKeyFaults(`requests.${name}`).length === 0
}

export function quantityOf(list: JsonObject, name: string): Quantity {
  const value = list[name]
  return (typeof value === 'string' ? readQuantity(value) : undefined) ?? ZERO
}

/** Device claims that a container names must be claims of the pod. */
function checkClaims(
  out: Complaints,
  resources: JsonObject,
  path: string,
  claims: ReadonlySet<string>,
): void {
  const seen = new Set<string>()
  objectsOf(resources, 'claims').forEach((claim, at) => {
    const name = textOf(claim, 'name')
    const here = `${path}[${at}]`
    if (name === '') return out.required(here)
    if (seen.has(name)) out.duplicate(here, name)
    else {
      const request = textOf(claim, 'request')
      if (request !== '') out.invalidEach(`${here}.request`, request, dnsLabelFaults(request))
      const key = request === '' ? name : `${name}/${request}`
      const overlaps = [...seen].filter((other) => other.startsWith(`${name}/`))
      if (seen.has(key)) out.duplicate(here, key)
      else if (request === '') for (const _ of overlaps) out.duplicate(here, name)
      seen.add(key)
    }
    if (claims.has(name)) return
    const known = claims.size === 0 ? ' which is empty' : `: ${[...claims].sort().join(', ')}`
    out.notFound(here, name, `must be one of the names in pod.spec.resourceClaims${known}`)
  })
}
