import { integerAt, stringAt, type JsonObject } from '../../../core/json.ts'
import type { Actor } from '../../../cluster/actor.ts'
import type { ResourceId } from '../../../cluster/object.ts'
import type { Trace } from '../format.ts'
import { replayedStatus } from './replayed-status.ts'

const GROUP = { group: 'admissionregistration.k8s.io', version: 'v1' }
const API_VERSION = 'admissionregistration.k8s.io/v1'
const JOBS = { group: 'batch', version: 'v1', resource: 'jobs' }

interface Wake {
  readonly namespace: string
  readonly name: string
}

/**
 * `MutatingAdmissionPolicy and binding for this namespace: CREATE of Jobs labelled K=V gets
 * spec.managedBy M`, as objects; none for other words.
 */
export function replayPolicy(
  text: string,
  namespace: string,
): readonly { readonly resource: ResourceId; readonly body: JsonObject }[] {
  const [, key, value, manager] =
    /^MutatingAdmissionPolicy .*CREATE of Jobs labelled ([^=\s]+)=(\S+) gets spec\.managedBy (\S+)/.exec(
      text,
    ) ?? []
  if (key === undefined || value === undefined || manager === undefined) return []
  const metadata = { name: 'recorded-policy' }
  const rule = { apiGroups: ['batch'], apiVersions: ['v1'], resources: ['jobs'] }
  const resourceRules = [{ ...rule, operations: ['CREATE'] }]
  const expression = `Object{spec: Object.spec{managedBy: "${manager}"}}`
  const spec = {
    matchConstraints: { resourceRules, objectSelector: { matchLabels: { [key]: value } } },
    mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression } }],
    failurePolicy: 'Fail',
    reinvocationPolicy: 'Never',
  }
  const matchLabels = { 'kubernetes.io/metadata.name': namespace }
  const matchResources = { namespaceSelector: { matchLabels } }
  return [
    {
      resource: { ...GROUP, resource: 'mutatingadmissionpolicies' },
      body: { apiVersion: API_VERSION, kind: 'MutatingAdmissionPolicy', metadata, spec },
    },
    {
      resource: { ...GROUP, resource: 'mutatingadmissionpolicybindings' },
      body: {
        apiVersion: API_VERSION,
        kind: 'MutatingAdmissionPolicyBinding',
        metadata,
        spec: { policyName: metadata.name, matchResources },
      },
    },
  ]
}

/** What the recorder's script needed to answer a new Job. */
const ANSWER_MS = 60

/** The script that completes Jobs of `semel.dev/replay`, with the count that the title names. */
export function replayWriter({ title }: Trace): Actor<null, Wake> {
  const count = /succeeded: (\d+)/.exec(title)?.[1]
  return {
    name: 'replay-writer',
    begin: () => null,
    observe(_state, { type, resource, object }, io) {
      if (type !== 'ADDED' || resource.resource !== 'jobs') return
      if (stringAt(object, ['spec', 'managedBy']) !== 'semel.dev/replay') return
      const { name, namespace = '' } = object.metadata
      io.wakeAt(io.now + ANSWER_MS, { namespace, name })
    },
    wake(_state, { namespace, name }, io) {
      const live = io.read.get(JOBS, namespace, name)
      if (live === undefined || integerAt(live, ['status', 'succeeded']) !== undefined) return
      const status = replayedStatus(io.now, count === undefined ? undefined : Number(count))
      const place = { resource: JOBS, namespace, name, subresource: 'status' }
      io.request({ verb: 'patch', ...place, patch: { type: 'merge', body: { status } } })
    },
    copy: () => null,
  }
}
