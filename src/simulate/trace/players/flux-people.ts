import { objectAt, stringAt, type Json, type JsonObject } from '../../../core/json.ts'
import type { Io } from '../../../cluster/actor.ts'
import type { Answer } from '../../../cluster/api/request.ts'
import type { Trace, TraceEvent } from '../format.ts'
import { objectsOfFiles } from '../manifests.ts'

const JOBS = { group: 'batch', version: 'v1', resource: 'jobs' }
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration'

/** The field manager under which a person patched: only the audit log has it. */
export function patchManager(event: TraceEvent, trace: Trace): string {
  const by = stringAt(event, ['by']) ?? ''
  const named = /^(\S+) \(Update\)$/.exec(by)?.[1]
  if (named !== undefined) return named
  const name = stringAt(event, ['object'])?.split('/').at(-1) ?? ''
  for (const request of trace.observed.requests ?? []) {
    const isIt =
      request['verb'] === 'patch' &&
      stringAt(request, ['by']) === 'trace-script' &&
      stringAt(request, ['object'])?.endsWith(`/${name}`) === true &&
      Math.abs(Number(request['t']) - event.t) < 0.2
    const manager = stringAt(request, ['manager'])
    if (isIt && manager !== undefined) return manager
  }
  return 'kubectl-edit'
}

/** `label other=1, finalizer example.test/x`. */
export function otherPatch(text: string | undefined): JsonObject | undefined {
  if (text === undefined) return undefined
  const pairs: { [part: string]: { [key: string]: string } } = {}
  const finalizers: string[] = []
  for (const item of text.split(', ')) {
    const [, word, key = '', value] =
      /^(label|annotation|finalizer) ([^=]+)(?:=(.*))?$/.exec(item) ?? []
    if (word === 'finalizer') finalizers.push(key)
    else if (word !== undefined) pairs[`${word}s`] = { ...pairs[`${word}s`], [key]: value ?? '' }
  }
  return { metadata: { ...pairs, ...(finalizers.length === 0 ? {} : { finalizers }) } }
}

/**
 * `Job/one with label old=1, activeDeadlineSeconds 500`: what kubectl applied before the first
 * commit. The audit log tells which Jobs, and whether on the client's or the server's side.
 */
export function kubectlApplies(
  event: TraceEvent,
  trace: Trace,
  namespace: string,
  io: Io<never>,
): Answer | undefined {
  const more = moreOf(stringAt(event, ['object']) ?? '')
  const commit = trace.events.find((one) => one.do === 'commit')
  const manifests = objectsOfFiles(trace.files[stringAt(commit, ['files']) ?? ''])
  let answer: Answer | undefined
  for (const request of trace.observed.requests ?? []) {
    const t = Number(request['t'])
    const isKubectl = stringAt(request, ['by']) === 'kubectl'
    if (!isKubectl || t < event.t || t > (commit?.t ?? Infinity)) continue
    const name = stringAt(request, ['object'])?.split('/').at(-1)
    const found = manifests.find((one) => stringAt(one, ['metadata', 'name']) === name)
    if (found === undefined || name === undefined) continue
    answer = applyBy(request, withMore(found, more, namespace), namespace, name, io)
  }
  return answer
}

function applyBy(
  request: JsonObject,
  object: JsonObject,
  namespace: string,
  name: string,
  io: Io<never>,
): Answer {
  const fieldManager = stringAt(request, ['manager']) ?? 'kubectl'
  if (request['verb'] === 'patch') {
    const patch = { type: 'apply' as const, body: object }
    return io.request({
      verb: 'patch',
      resource: JOBS,
      namespace,
      name,
      patch,
      options: { fieldManager },
    })
  }
  const metadata = objectAt(object, ['metadata']) ?? {}
  const annotations = { [LAST_APPLIED]: `${JSON.stringify(object)}\n` }
  const body = { ...object, metadata: { ...metadata, annotations } }
  return io.request({ verb: 'create', resource: JOBS, namespace, body, options: { fieldManager } })
}

interface More {
  readonly labels: JsonObject
  readonly spec: JsonObject
}

function moreOf(text: string): More {
  const labels: { [key: string]: Json } = {}
  const spec: { [key: string]: Json } = {}
  for (const item of (text.split(' with ')[1] ?? '').split(', ')) {
    const [, label, value] = /^label ([^=]+)=(.*)$/.exec(item) ?? []
    if (label !== undefined) labels[label] = value ?? ''
    const [, field, count] = /^(\w+) (\d+)$/.exec(item) ?? []
    if (field !== undefined) spec[field] = Number(count)
  }
  return { labels, spec }
}

function withMore(object: JsonObject, { labels, spec }: More, namespace: string): JsonObject {
  const metadata = objectAt(object, ['metadata']) ?? {}
  return {
    ...object,
    metadata: { ...metadata, namespace, labels: { ...objectAt(metadata, ['labels']), ...labels } },
    spec: { ...objectAt(object, ['spec']), ...spec },
  }
}
