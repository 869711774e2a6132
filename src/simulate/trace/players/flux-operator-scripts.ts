import { listAt, stringAt, type JsonObject } from '../../../core/json.ts'
import type { Actor } from '../../../cluster/actor.ts'
import type { KubeObject, ResourceId } from '../../../cluster/object.ts'
import { timestamp } from '../../../cluster/time.ts'
import { SETS } from '../../engines/flux-operator/index.ts'
import type { Trace } from '../format.ts'

const JOBS: ResourceId = { group: 'batch', version: 'v1', resource: 'jobs' }
const USER = 'recorder'
/** From seeing a Job to writing to it. */
const REACTION_MS = 6

interface ScriptWake {
  readonly namespace: string
  readonly name: string
}

/**
 * The recorder's own scripts: one completes Jobs that somebody else manages, one asks for a
 * reconcile of the set as soon as a Job is complete.
 */
export function scriptsOf(trace: Trace): readonly Actor<unknown, ScriptWake>[] {
  const observed = trace.observed as unknown as JsonObject
  const isReplayed = trace.observed.jobs.some(
    ({ managedBy, conditions }) => typeof managedBy === 'string' && conditions.length > 0,
  )
  const replays = isReplayed ? [replayScript(delaysOf(trace)) as Actor<unknown, ScriptWake>] : []
  return observed['nudges'] === undefined ? replays : [...replays, nudgeScript]
}

/** From the creation of each replayed Job to its status, by name, in the order of creation. */
function delaysOf(trace: Trace): ReadonlyMap<string, readonly number[]> {
  const delays = new Map<string, number[]>()
  for (const { name, managedBy, created, conditions } of trace.observed.jobs) {
    const written = conditions[0]?.t
    if (typeof managedBy !== 'string' || written === undefined) continue
    delays.set(name, [...(delays.get(name) ?? []), Math.round((written - created) * 1000)])
  }
  return delays
}

function replayScript(
  delays: ReadonlyMap<string, readonly number[]>,
): Actor<Map<string, number>, ScriptWake> {
  return {
    name: 'replay-script',
    begin: () => new Map(),
    observe(seen, { type, resource, object }, io) {
      if (type !== 'ADDED' || resource.resource !== JOBS.resource) return
      if (stringAt(object, ['spec', 'managedBy']) === undefined) return
      const { name, namespace = '' } = object.metadata
      const before = seen.get(name) ?? 0
      seen.set(name, before + 1)
      io.wakeAt(io.now + (delays.get(name)?.[before] ?? REACTION_MS), { namespace, name })
    },
    wake(_seen, { namespace, name }, io) {
      const patch = { type: 'merge' as const, body: { status: completed(timestamp(io.now)) } }
      const place = { resource: JOBS, namespace, name, subresource: 'status' }
      io.request({ verb: 'patch', ...place, patch, options: { fieldManager: USER } })
    },
    copy: (seen) => new Map(seen),
  }
}

function completed(now: string): JsonObject {
  const condition = (type: string): JsonObject => ({
    type,
    status: 'True',
    reason: 'Replayed',
    lastProbeTime: now,
    lastTransitionTime: now,
  })
  const conditions = [condition('SuccessCriteriaMet'), condition('Complete')]
  return { startTime: now, completionTime: now, succeeded: 1, conditions }
}

const REQUESTED = 'reconcile.fluxcd.io/requestedAt'

const nudgeScript: Actor<unknown, ScriptWake> = {
  name: 'nudge-script',
  begin: () => null,
  observe(_state, { type, resource, object, before }, io) {
    if (type !== 'MODIFIED' || resource.resource !== JOBS.resource) return
    if (!isComplete(object) || isComplete(before)) return
    const { labels, namespace = '' } = object.metadata
    const name = labels?.['resourceset.fluxcd.controlplane.io/name']
    if (name !== undefined) io.wakeAt(io.now + REACTION_MS, { namespace, name })
  },
  wake(_state, { namespace, name }, io) {
    const annotations = { [REQUESTED]: String(io.now) }
    const patch = { type: 'merge' as const, body: { metadata: { annotations } } }
    io.request({
      verb: 'patch',
      resource: SETS,
      namespace,
      name,
      patch,
      options: { fieldManager: USER },
    })
  },
  copy: (state) => state,
}

function isComplete(job: KubeObject | undefined): boolean {
  return listAt(job, ['status', 'conditions']).some(
    (one) => stringAt(one, ['type']) === 'Complete' && stringAt(one, ['status']) === 'True',
  )
}
