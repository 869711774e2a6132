import type { Io } from '../actor.ts'
import { isRefusedConnection } from '../outage.ts'
import { PODS, type Pod, type PodStatus } from '../pod.ts'

const WRITE = { fieldManager: 'kubelet' }

/** As the scheduler does. All requests here: false when the API server could not be reached. */
export function bind(pod: Pod, node: string, io: Io<never>): boolean {
  const { name } = pod.metadata
  const target = { apiVersion: 'v1', kind: 'Node', name: node }
  const answer = io.request({
    verb: 'create',
    resource: PODS,
    subresource: 'binding',
    ...named(pod),
    body: { apiVersion: 'v1', kind: 'Binding', metadata: { name }, target },
    user: 'system:kube-scheduler',
    options: { fieldManager: 'kube-scheduler' },
  })
  return !isRefusedConnection(answer)
}

export function writeStatus(pod: Pod, status: PodStatus, io: Io<never>): boolean {
  const answer = io.request({
    verb: 'patch',
    resource: PODS,
    subresource: 'status',
    ...named(pod),
    patch: { type: 'merge', body: { status } },
    options: WRITE,
  })
  return !isRefusedConnection(answer)
}

/** With 0 seconds of grace: it has stopped, and its object can go. */
export function requestDelete(pod: Pod, io: Io<never>, gracePeriodSeconds?: number): boolean {
  const grace = gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }
  const { uid } = pod.metadata
  const answer = io.request({
    verb: 'delete',
    resource: PODS,
    ...named(pod),
    body: { apiVersion: 'v1', kind: 'DeleteOptions', ...grace, preconditions: { uid } },
  })
  return !isRefusedConnection(answer)
}

function named(pod: Pod): { readonly namespace: string; readonly name: string } {
  return { namespace: pod.metadata.namespace ?? '', name: pod.metadata.name }
}
