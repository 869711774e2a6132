import { stringAt, type JsonObject } from '../../../core/json.ts'
import type { Io } from '../../../cluster/actor.ts'
import type { TraceEvent } from '../format.ts'
import { createObject, type ScriptOptions } from './script.ts'

/**
 * Recorders wrote some acts down as words. These forms are understood, everything else is a remark:
 * `the pod gets the finalizer X`, `the finalizer of the pod is removed`, `a pod named X ... is
 * created` (from the files), `the policy is removed`, `the ResourceQuota is
 * deleted`.
 */
export function readNote(event: TraceEvent, options: ScriptOptions, io: Io<never>): void {
  const text = stringAt(event, ['text']) ?? stringAt(event, ['note']) ?? ''
  const gets = /^the pod gets the finalizer (\S+)$/.exec(text)?.[1]
  if (gets !== undefined) return patchPods({ metadata: { finalizers: [gets] } }, options, io)
  if (/^the finalizer of the pod is removed$/.test(text)) {
    return patchPods({ metadata: { finalizers: null } }, options, io)
  }
  if (/^the policy is removed$/.test(text)) return removePolicies(io)
  if (/^the ResourceQuota is deleted$/.test(text)) return removeQuotas(options, io)
  const named = /^a pod named (\S+) .*is created$/.exec(text)?.[1]
  if (named !== undefined) createNamed(named, options, io)
}

function patchPods(body: JsonObject, { namespace }: ScriptOptions, io: Io<never>): void {
  const resource = { group: '', version: 'v1', resource: 'pods' }
  for (const pod of io.read.list(resource, namespace)) {
    const own = pod.metadata.finalizers ?? []
    const added = (body['metadata'] as { finalizers: string[] | null }).finalizers
    const kept = own.filter((name) => name.startsWith('batch.kubernetes.io/'))
    io.request({
      verb: 'patch',
      resource,
      namespace,
      name: pod.metadata.name,
      patch: { type: 'merge', body: { metadata: { finalizers: [...kept, ...(added ?? [])] } } },
    })
  }
}

/** The manifest with that name in any of the files; labels with a recorded uid get the real one. */
function createNamed(name: string, options: ScriptOptions, io: Io<never>): void {
  const object = options.find(name)
  if (object === undefined) return
  const jobs = io.read.list({ group: 'batch', version: 'v1', resource: 'jobs' }, options.namespace)
  const labels = (object['metadata'] as JsonObject)['labels'] as
    | { readonly [key: string]: string }
    | undefined
  const job = jobs.find(({ metadata }) => metadata.name === labels?.['job-name'])
  const own = Object.fromEntries(
    Object.entries(labels ?? {}).map(([key, value]) => [
      key,
      key.endsWith('controller-uid') && job !== undefined ? job.metadata.uid : value,
    ]),
  )
  createObject(
    { ...object, metadata: { ...(object['metadata'] as JsonObject), labels: own } },
    options,
    io,
  )
}

function removePolicies(io: Io<never>): void {
  const group = { group: 'admissionregistration.k8s.io', version: 'v1' }
  for (const word of ['mutatingadmissionpolicy', 'validatingadmissionpolicy']) {
    for (const plural of [`${word}bindings`, `${word.slice(0, -1)}ies`]) {
      const resource = { ...group, resource: plural }
      for (const { metadata } of io.read.list(resource)) {
        io.request({ verb: 'delete', resource, name: metadata.name })
      }
    }
  }
}

function removeQuotas({ namespace }: ScriptOptions, io: Io<never>): void {
  const resource = { group: '', version: 'v1', resource: 'resourcequotas' }
  for (const { metadata } of io.read.list(resource, namespace)) {
    io.request({ verb: 'delete', resource, namespace, name: metadata.name })
  }
}
