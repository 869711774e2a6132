import { objectAt, stringAt, type JsonObject } from '../../../core/json.ts'
import type { Actor } from '../../../cluster/actor.ts'
import type { KubeObject, ResourceId } from '../../../cluster/object.ts'
import type { Trace } from '../format.ts'
import { replayedStatus } from './replayed-status.ts'

const JOBS = { group: 'batch', version: 'v1', resource: 'jobs' }

/** The admission policy of the recording, and a binding of it. */
export function policiesOf(
  trace: Trace,
): readonly { readonly resource: ResourceId; readonly body: JsonObject }[] {
  const policy = objectAt(trace.engine.settings, ['admission'])
  if (policy === undefined) return []
  const group = { group: 'admissionregistration.k8s.io', version: 'v1' }
  const metadata = objectAt(policy, ['metadata']) ?? {}
  const binding = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingAdmissionPolicyBinding',
    metadata,
    spec: { policyName: metadata['name'] },
  }
  return [
    { resource: { ...group, resource: 'mutatingadmissionpolicies' }, body: policy },
    { resource: { ...group, resource: 'mutatingadmissionpolicybindings' }, body: binding },
  ]
}

interface Named {
  readonly namespace: string
  readonly name: string
}

/** How many Jobs of a name there were. */
interface Seen {
  readonly jobs: Map<string, number>
}

/** The recorder's script that completes replayed Jobs, as late as it did for each of them. */
export function replayOf(trace: Trace): Actor<Seen, Named> {
  return {
    name: 'replay-script',
    begin: () => ({ jobs: new Map() }),
    observe({ jobs }, { type, resource, object }, io) {
      if (type !== 'ADDED' || resource.resource !== 'jobs') return
      const { name, namespace = '' } = object.metadata
      const nth = jobs.get(name) ?? 0
      jobs.set(name, nth + 1)
      if (stringAt(object, ['spec', 'managedBy']) !== 'semel.dev/replay') return
      const job = trace.observed.jobs.filter((one) => one.name === name)[nth]
      const first = job?.conditions[0]
      const seconds = job === undefined || first === undefined ? 0.3 : first.t - job.created
      io.wakeAt(io.now + Math.round(seconds * 1000), { namespace, name })
    },
    wake(_state, { namespace, name }, io) {
      const status = replayedStatus(io.now, 1)
      const patch = { type: 'merge' as const, body: { status } }
      io.request({ verb: 'patch', resource: JOBS, namespace, name, subresource: 'status', patch })
    },
    copy: ({ jobs }) => ({ jobs: new Map(jobs) }),
  }
}

/**
 * The recorder's script that undoes corrections: `from now on the trace script sets the label K
 * back to V whenever it sees another value`.
 */
export function fighterOf({ events }: Trace, zero: number): Actor<null, Named | 'begin'> {
  const found = events.flatMap((event) => {
    const words = /sets the label (\S+) back to (\S+) whenever it sees another value/
    const [, key, value] = words.exec(stringAt(event, ['text']) ?? '') ?? []
    return key === undefined || value === undefined
      ? []
      : [{ key, value, at: zero + event.t * 1000 }]
  })[0]
  const isOther = (object: KubeObject): boolean => {
    const own = found === undefined ? undefined : object.metadata.labels?.[found.key]
    return own !== undefined && own !== found?.value
  }
  return {
    name: 'fighting-script',
    begin(io) {
      if (found !== undefined) io.wakeAt(found.at, 'begin')
      return null
    },
    observe(_state, { type, resource, object }, io) {
      if (found === undefined || io.now < found.at || type === 'DELETED') return
      if (resource.resource !== 'jobs' || !isOther(object)) return
      const { name, namespace = '' } = object.metadata
      io.wakeAt(io.now + 2, { namespace, name }, `fight ${name}`)
    },
    wake(_state, wake, io) {
      const jobs =
        wake === 'begin'
          ? io.read.list(JOBS)
          : [io.read.get(JOBS, wake.namespace, wake.name)].filter((job) => job !== undefined)
      for (const { metadata } of jobs.filter(isOther)) {
        const body = { metadata: { labels: { [found?.key ?? '']: found?.value ?? '' } } }
        io.request({
          verb: 'patch',
          resource: JOBS,
          ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
          name: metadata.name,
          patch: { type: 'merge', body },
          options: { fieldManager: 'other' },
        })
      }
    },
    copy: (state) => state,
  }
}
