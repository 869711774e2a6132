import { objectAt, stringAt, type JsonObject } from '../../../core/json.ts'
import type { Actor } from '../../../cluster/actor.ts'
import type { ResourceId } from '../../../cluster/object.ts'
import type { Trace } from '../format.ts'
import { replayedStatus } from './replayed-status.ts'

const JOBS = { group: 'batch', version: 'v1', resource: 'jobs' }
const REPLAY = 'semel.dev/replay'
const LEDGER = 'semel.dev/ledger'

/** The admission policy of a recording that sets managedBy, from its settings. */
export function replayPolicies(
  trace: Trace,
): readonly { readonly resource: ResourceId; readonly body: JsonObject }[] {
  const spec = objectAt(trace.engine.settings, ['policy'])
  if (spec === undefined) return []
  const group = { group: 'admissionregistration.k8s.io', version: 'v1' }
  const apiVersion = 'admissionregistration.k8s.io/v1'
  const metadata = { name: 'semel-replay' }
  return [
    {
      resource: { ...group, resource: 'mutatingadmissionpolicies' },
      body: { apiVersion, kind: 'MutatingAdmissionPolicy', metadata, spec },
    },
    {
      resource: { ...group, resource: 'mutatingadmissionpolicybindings' },
      body: {
        apiVersion,
        kind: 'MutatingAdmissionPolicyBinding',
        metadata,
        spec: { policyName: metadata.name },
      },
    },
  ]
}

interface Wake {
  readonly namespace: string
  readonly name: string
  readonly step: 'complete' | 'release'
}

/** The recorder's script: completes a replayed Job after a while and lets it go 0.3 s later. */
export function replayActors(trace: Trace): readonly Actor<State, Wake>[] {
  return objectAt(trace.engine.settings, ['policy']) === undefined ? [] : [replayScript(trace)]
}

/** How many Jobs of a name were made. */
type State = Map<string, number>

/**
 * How long the script took for that Job in the recording, or for the first one of all; undefined
 * when it never completed it.
 */
function delayMsOf({ observed }: Trace, name: string, nth: number): number | undefined {
  const delays = observed.jobs.map((job) => {
    const replayed = job.conditions.find(({ reason }) => reason === 'Replayed')
    return {
      name: job.name,
      ms: replayed === undefined ? undefined : (replayed.t - job.created) * 1000,
    }
  })
  const own = delays.filter((one) => one.name === name)[nth - 1]
  return own === undefined ? delays.find(({ ms }) => ms !== undefined)?.ms : own.ms
}

const replayScript = (trace: Trace): Actor<State, Wake> => ({
  name: 'replay-script',
  begin: () => new Map(),
  observe(state, { type, resource, object }, io) {
    if (type !== 'ADDED' || resource.resource !== 'jobs') return
    const { name, namespace = '' } = object.metadata
    const nth = (state.get(name) ?? 0) + 1
    state.set(name, nth)
    if (stringAt(object, ['spec', 'managedBy']) !== REPLAY) return
    const delayMs = delayMsOf(trace, name, nth)
    if (delayMs === undefined) return
    io.wakeAt(io.now + delayMs, { namespace, name, step: 'complete' })
    io.wakeAt(io.now + delayMs + 305, { namespace, name, step: 'release' })
  },
  wake(_state, { namespace, name, step }, io) {
    const live = io.read.get(JOBS, namespace, name)
    if (live === undefined) return
    const options = { fieldManager: 'unknown' }
    if (step === 'release') {
      const finalizers = (live.metadata.finalizers ?? []).filter((one) => one !== LEDGER)
      const body = { metadata: { finalizers } }
      io.request({
        verb: 'patch',
        resource: JOBS,
        namespace,
        name,
        patch: { type: 'merge', body },
        options,
      })
      return
    }
    const status = replayedStatus(io.now, 1)
    const patch = { type: 'merge' as const, body: { status } }
    io.request({
      verb: 'patch',
      resource: JOBS,
      namespace,
      name,
      subresource: 'status',
      patch,
      options,
    })
  },
  copy: (state) => new Map(state),
})
