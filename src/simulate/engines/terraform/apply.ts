import { stringAt, type JsonObject } from '../../../core/json.ts'
import type { Io } from '../../../cluster/actor.ts'
import { succeeded, type Answer } from '../../../cluster/api/request.ts'
import type { KubeObject } from '../../../cluster/object.ts'
import type { Instant } from '../../../cluster/time.ts'
import { conditionOf, isTrue } from '../../health/health.ts'
import type { JobResource } from './config.ts'
import { mustReplace, patchOf, storedOf } from './plan.ts'
import type { Provider } from './provider.ts'
import { nextLook, type Chain, type Stored } from './state.ts'

const JOBS = { group: 'batch', version: 'v1', resource: 'jobs' }

/** What a step of a chain came to. */
export type Progress =
  | { readonly kind: 'wait'; readonly at: Instant; readonly chain: Chain }
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly error: string }

/** A step with what it does to the state file. */
export interface Outcome {
  readonly progress: Progress
  /** Undefined: the resource stands in the file no longer; left out: it stays. */
  readonly stored?: Stored | undefined
}

/** Refresh and plan (T-2, T-5, T-6, T-7): what is in the file afterwards, and what is to be done. */
export interface Plan {
  readonly stored: ReadonlyMap<string, Stored>
  readonly chains: readonly Chain[]
  readonly error?: string
}

export function planFor(
  config: readonly JobResource[],
  before: ReadonlyMap<string, Stored>,
  { keepsExpired }: Provider,
  io: Io<never>,
): Plan {
  const stored = new Map<string, Stored>()
  const live = new Map<string, KubeObject>()
  for (const [address, one] of before) {
    const answer = read(one, io)
    if (succeeded(answer)) {
      live.set(address, answer.body)
      stored.set(address, one)
    } else if (answer.code !== 404) return { stored: before, chains: [], error: readError(answer) }
    // T-2: what is gone leaves the file, and is created anew.
    else if (keepsExpired && hasTtl(one)) stored.set(address, one)
  }
  const chains: Chain[] = []
  const add = (does: Chain['does'], address: string, resource?: JobResource): void => {
    const given = resource === undefined ? {} : { resource }
    chains.push({ address, does, ...given, step: 'begin', since: io.now, looks: 0 })
  }
  for (const address of stored.keys()) {
    if (!config.some((one) => one.address === address)) add('destroy', address)
  }
  for (const resource of config) {
    const { address } = resource
    const known = stored.get(address)
    if (known === undefined) add('create', address, resource)
    else if (mustReplace(resource, known)) add('replace', address, resource)
    else if (patchOf(resource, known, live.get(address)) !== undefined) {
      add('update', address, resource)
    }
  }
  return { stored, chains }
}

/** Goes on with a chain until it has to wait. */
export function advance(chain: Chain, stored: Stored | undefined, io: Io<never>): Outcome {
  if (chain.step === 'deleting') return awaitDeletion(chain, stored, io)
  if (chain.step === 'waiting') return awaitEnd(chain, stored, io)
  const { does, resource } = chain
  if (resource === undefined || does === 'destroy') return destroy(chain, stored, io)
  if (does === 'update') return update(chain, resource, stored, io)
  const isFirst = resource.createsBeforeDestroy && stored?.isTainted !== true
  return does === 'replace' && !isFirst ? destroy(chain, stored, io) : create(chain, resource, io)
}

/** T-3. */
function create(chain: Chain, resource: JobResource, io: Io<never>): Outcome {
  const namespace = stringAt(resource.object, ['metadata', 'namespace']) ?? 'default'
  const options = { fieldManager: 'Terraform' }
  const answer = io.request({
    verb: 'create',
    resource: JOBS,
    namespace,
    body: resource.object,
    options,
  })
  if (!succeeded(answer)) {
    const error = `Failed to create Job! API error: ${messageOf(answer)}`
    return { progress: { kind: 'failed', error } }
  }
  const stored = storedOf(resource, answer.body.metadata.name, false)
  if (!resource.waits) return { progress: { kind: 'done' }, stored }
  const waiting: Chain = { ...chain, does: 'create', step: 'waiting', since: io.now, looks: 0 }
  return awaitEnd(waiting, stored, io)
}

/** T-6: in place; what cannot be sent is shown as a change each time. */
function update(
  chain: Chain,
  resource: JobResource,
  stored: Stored | undefined,
  io: Io<never>,
): Outcome {
  if (stored === undefined) return { progress: { kind: 'done' } }
  const there = read(stored, io)
  const ops = patchOf(resource, stored, succeeded(there) ? there.body : undefined) ?? []
  if (ops.length > 0) {
    const { namespace, name } = stored
    const patch = { type: 'json', body: ops } as const
    const answer = io.request({ verb: 'patch', resource: JOBS, namespace, name, patch })
    if (!succeeded(answer)) {
      const error = `Failed to update Job! API error: ${messageOf(answer)}`
      return { progress: { kind: 'failed', error } }
    }
  }
  const next = { ...stored, object: resource.object }
  if (!resource.waits) return { progress: { kind: 'done' }, stored: next }
  return awaitEnd({ ...chain, step: 'waiting', since: io.now, looks: 0 }, next, io)
}

/** T-5, T-7: in the foreground, and then it is waited for. */
function destroy(chain: Chain, stored: Stored | undefined, io: Io<never>): Outcome {
  if (stored === undefined) return { progress: { kind: 'done' }, stored: undefined }
  const { namespace, name } = stored
  const options = { propagationPolicy: 'Foreground' } as const
  const answer = io.request({ verb: 'delete', resource: JOBS, namespace, name, options })
  if (!succeeded(answer) && answer.code !== 404) {
    const error = `Failed to delete Job! API error: ${messageOf(answer)}`
    return { progress: { kind: 'failed', error } }
  }
  return awaitDeletion({ ...chain, step: 'deleting', since: io.now, looks: 0 }, stored, io)
}

function awaitDeletion(chain: Chain, stored: Stored | undefined, io: Io<never>): Outcome {
  if (stored === undefined) return { progress: { kind: 'done' }, stored: undefined }
  const answer = read(stored, io)
  if (answer.code === 404) {
    const { resource, does } = chain
    if (resource === undefined || does === 'destroy') {
      return { progress: { kind: 'done' }, stored: undefined }
    }
    const made = create({ ...chain, step: 'begin' }, resource, io)
    return 'stored' in made ? made : { ...made, stored: undefined }
  }
  if (!succeeded(answer)) return { progress: { kind: 'failed', error: readError(answer) } }
  const error = `Job ${stored.name} still exists`
  return { progress: lookAgain(chain, stored.deleteMs, error, io) }
}

/** T-4: gone counts as done; what failed, and what takes too long, is tainted after a creation. */
function awaitEnd(chain: Chain, stored: Stored | undefined, io: Io<never>): Outcome {
  if (stored === undefined) return { progress: { kind: 'done' } }
  const kept = { stored }
  const answer = read(stored, io)
  if (answer.code === 404) return { progress: { kind: 'done' }, ...kept }
  const tainted = { stored: { ...stored, isTainted: chain.does === 'create' || stored.isTainted } }
  if (!succeeded(answer)) {
    return { progress: { kind: 'failed', error: readError(answer) }, ...tainted }
  }
  const place = `${stored.namespace}/${stored.name}`
  if (isTrue(conditionOf(answer.body, 'Complete'))) return { progress: { kind: 'done' }, ...kept }
  if (isTrue(conditionOf(answer.body, 'Failed'))) {
    return { progress: { kind: 'failed', error: `job: ${place} is in failed state` }, ...tainted }
  }
  const { createMs = 60_000, updateMs = 60_000 } = chain.resource?.timeouts ?? {}
  const patience = chain.does === 'update' ? updateMs : createMs
  const progress = lookAgain(chain, patience, `job: ${place} is not in complete state`, io)
  return { progress, ...(progress.kind === 'failed' ? tainted : kept) }
}

function lookAgain(chain: Chain, patienceMs: number, error: string, io: Io<never>): Progress {
  const end = chain.since + patienceMs
  if (io.now >= end) return { kind: 'failed', error }
  const at = Math.min(io.now + nextLook(chain.looks), end)
  return { kind: 'wait', at, chain: { ...chain, looks: chain.looks + 1 } }
}

function read({ namespace, name }: Stored, io: Io<never>): Answer {
  return io.request({ verb: 'get', resource: JOBS, namespace, name })
}

function readError(answer: Answer): string {
  return `Failed to read Job! API error: ${messageOf(answer)}`
}

function messageOf({ code, body }: Answer): string {
  return stringAt(body, ['message']) ?? `HTTP ${code}`
}

function hasTtl({ object }: Stored): boolean {
  const { ttlSecondsAfterFinished } = (object['spec'] ?? {}) as JsonObject
  return ttlSecondsAfterFinished !== undefined
}
