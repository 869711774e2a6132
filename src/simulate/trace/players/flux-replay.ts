import { stringAt, type JsonObject } from '../../../core/json.ts'
import type { Actor } from '../../../cluster/actor.ts'
import type { ResourceId } from '../../../cluster/object.ts'
import type { Trace } from '../format.ts'
import { replayedStatus } from './replayed-status.ts'

const GROUP = { group: 'admissionregistration.k8s.io', version: 'v1' }
const JOBS = { group: 'batch', version: 'v1', resource: 'jobs' }

/**
 * A policy that the recorder wrote down in words: `... objectSelector K=V, ApplyConfiguration
 * Object{...}; binding limited to this namespace`.
 */
export function admissionOf(
  trace: Trace,
  namespace: string,
): readonly { readonly resource: ResourceId; readonly body: JsonObject }[] {
  return Object.values(trace.files['admission'] ?? {}).flatMap((text: string) => {
    if (!text.startsWith('MutatingAdmissionPolicy')) return []
    const [, key, value] = /objectSelector ([^=\s]+)=([^,\s]+)/.exec(text) ?? []
    const expression = /ApplyConfiguration (Object\{.*\})(?=;|$)/m.exec(text)?.[1]
    if (key === undefined || expression === undefined) return []
    const apiVersion = 'admissionregistration.k8s.io/v1'
    const metadata = { name: 'recorded-policy' }
    const rule = { apiGroups: ['batch'], apiVersions: ['v1'], resources: ['jobs'] }
    const resourceRules = [{ ...rule, operations: ['CREATE'] }]
    const spec = {
      matchConstraints: { resourceRules, objectSelector: { matchLabels: { [key]: value } } },
      mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression } }],
      failurePolicy: 'Fail',
      reinvocationPolicy: 'Never',
    }
    const labels = { 'kubernetes.io/metadata.name': namespace }
    const matchResources = { namespaceSelector: { matchLabels: labels } }
    return [
      {
        resource: { ...GROUP, resource: 'mutatingadmissionpolicies' },
        body: { apiVersion, kind: 'MutatingAdmissionPolicy', metadata, spec },
      },
      {
        resource: { ...GROUP, resource: 'mutatingadmissionpolicybindings' },
        body: {
          apiVersion,
          kind: 'MutatingAdmissionPolicyBinding',
          metadata,
          spec: { policyName: metadata.name, matchResources },
        },
      },
    ]
  })
}

interface Wake {
  readonly namespace: string
  readonly name: string
}

/** How many Jobs of a name were there. */
interface Written {
  readonly seen: Map<string, number>
}

/** As long as the recorder's script took for that Job: it polled, so it differs. */
function delayMs(trace: Trace, name: string, { seen }: Written): number {
  const before = seen.get(name) ?? 0
  seen.set(name, before + 1)
  const job = trace.observed.jobs.filter((one) => one.name === name)[before]
  const [first] = job?.conditions ?? []
  return job === undefined || first === undefined ? 60 : Math.round((first.t - job.created) * 1000)
}

/** The recorder's script, which completes Jobs that Kubernetes leaves to somebody else. */
export function replayWriter(trace: Trace): Actor<Written, Wake> {
  const isPlayed = trace.files['admission'] !== undefined
  return {
    name: 'replay-writer',
    begin: () => ({ seen: new Map() }),
    observe(state, { type, resource, object }, io) {
      if (!isPlayed || type !== 'ADDED' || resource.resource !== 'jobs') return
      if (stringAt(object, ['spec', 'managedBy']) !== 'semel.dev/replay') return
      const { name, namespace = '' } = object.metadata
      io.wakeAt(io.now + delayMs(trace, name, state), { namespace, name })
    },
    wake(_state, { namespace, name }, io) {
      const status = replayedStatus(io.now, 1)
      const patch = { type: 'merge' as const, body: { status } }
      io.request({ verb: 'patch', resource: JOBS, namespace, name, subresource: 'status', patch })
    },
    copy: ({ seen }) => ({ seen: new Map(seen) }),
  }
}
