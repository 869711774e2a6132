import type { JsonObject } from '../../core/json.ts'
import type { KubeObject } from '../object.ts'
import { instantOf, timestamp } from '../time.ts'
import { mutate, validate } from './admission-chain.ts'
import { deletionFinalizers, isSameSet } from './deletion-finalizers.ts'
import type { Call, Host, Result } from './host.ts'
import { select } from './list.ts'
import { deleteOptions, type DeleteOptions } from './options.ts'
import { conflict, notFound, Refusal } from './status.ts'

/** DELETE of one object. */
export function remove(host: Host, call: Call): Result | Refusal {
  const { request, kind } = call
  const name = request.name ?? ''
  const options = deleteOptions(request.body, request.options)
  if (options instanceof Refusal) return options
  warnOfOrphans(call, options)
  const old = host.store.get(kind, request.namespace, name)
  if (old === undefined) return notFound(kind, name)
  return removeObject(host, call, old, options)
}

/** DELETE of all that the selectors match: one after the other, up to the first refusal. */
export function removeCollection(host: Host, call: Call): Result | Refusal {
  const options = deleteOptions(call.request.body, call.request.options)
  if (options instanceof Refusal) return options
  const selected = select(host, call)
  if (selected instanceof Refusal) return selected
  warnOfOrphans(call, options)
  for (const object of selected.items) {
    const { namespace, name } = object.metadata
    const request = { ...call.request, name, ...(namespace === undefined ? {} : { namespace }) }
    const removed = removeObject(host, { ...call, request }, object, options)
    if (removed instanceof Refusal) return removed
  }
  return { code: 200, body: selected }
}

/** The API's default for Jobs, which people do not expect. */
function warnOfOrphans({ kind, warnings }: Call, options: DeleteOptions): void {
  if (kind.defaultPropagation !== 'Orphan') return
  if (options.propagationPolicy !== undefined || options.orphanDependents !== undefined) return
  warnings.push(
    `child pods are preserved by default when ${kind.resource} are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning`,
  )
}

function removeObject(
  host: Host,
  call: Call,
  old: KubeObject,
  options: DeleteOptions,
): Result | Refusal {
  const { kind } = call
  const mismatch = preconditionFault(call, old, options)
  if (mismatch !== undefined) return mismatch
  if (kind.markDeleting !== undefined) {
    const marked = markByKind(host, call, old, options)
    if (marked !== undefined) return marked
  }
  const grace = graceOf(call, old, options)
  if (grace === 'pending') return { code: 200, body: answerOf(call, old) }
  const refused = admit(host, call, old, options)
  if (refused !== undefined) return refused
  const finalizers = deletionFinalizers(kind, old, options)
  const isWaiting = finalizers.length > 0
  if (grace === undefined && !isWaiting) {
    // Marks that only the garbage collector takes are gone with the object.
    return finish(host, call, old, options)
  }
  const dying = grace === undefined ? markDying(call, old) : withGrace(call, old, grace)
  const marked = withFinalizers(dying, old, finalizers)
  const isChanged = marked !== old
  const stored = !isChanged || options.dryRun ? marked : host.store.put(kind, marked, old)
  if (isWaiting || (grace !== undefined && grace.seconds > 0)) {
    return { code: isAccepted(options) ? 202 : 200, body: stored }
  }
  if (options.dryRun) return { code: 200, body: stored }
  return finish(host, call, stored, options)
}

/** Deprecated `orphanDependents: false` is answered with Accepted while something waits. */
function isAccepted({ orphanDependents }: DeleteOptions): boolean {
  return orphanDependents === false
}

function finish(host: Host, call: Call, old: KubeObject, { dryRun }: DeleteOptions): Result {
  const gone = dryRun ? old : host.store.remove(call.kind, old)
  return { code: 200, body: answerOf(call, gone) }
}

function answerOf({ kind }: Call, object: KubeObject): Result['body'] {
  if (kind.returnsDeleted === true) return object
  const { name, uid } = object.metadata
  const details: JsonObject = {
    name,
    ...(kind.group === '' ? {} : { group: kind.group }),
    kind: kind.resource,
    uid,
  }
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details }
}

function admit(
  host: Host,
  call: Call,
  old: KubeObject,
  { dryRun }: DeleteOptions,
): Refusal | undefined {
  const question = { operation: 'DELETE', name: old.metadata.name, old, dryRun } as const
  const admitted = mutate(host, call, question)
  return admitted instanceof Refusal ? admitted : validate(host, call, question)
}

function preconditionFault(
  { kind }: Call,
  { metadata }: KubeObject,
  { uid, resourceVersion }: DeleteOptions,
): Refusal | undefined {
  const { name } = metadata
  // The server names the kind here, not the resource.
  const named = { group: kind.group, resource: kind.kind }
  const is = kind.group === '' && kind.resource === 'namespaces' ? kind : named
  if (uid !== undefined && uid !== metadata.uid) {
    const why = `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid})`
    const hint = 'The object might have been deleted and then recreated'
    return is === kind
      ? conflict(is, name, failedPrecondition('UID', uid, metadata.uid))
      : conflict(is, name, `${why}. ${hint}`)
  }
  if (resourceVersion === undefined || resourceVersion === metadata.resourceVersion)
    return undefined
  const why = `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion})`
  return is === kind
    ? conflict(
        is,
        name,
        failedPrecondition('ResourceVersion', resourceVersion, metadata.resourceVersion),
      )
    : conflict(is, name, `${why}. The object might have been modified`)
}

function failedPrecondition(what: string, wanted: string, is: string): string {
  return `Precondition failed: ${what} in precondition: ${wanted}, ${what} in object meta: ${is}`
}

/** A Namespace: its first delete closes it, later ones wait until its own finalizers are gone. */
function markByKind(
  host: Host,
  call: Call,
  old: KubeObject,
  options: DeleteOptions,
): Result | Refusal | undefined {
  const { kind, now } = call
  if (old.metadata.deletionTimestamp !== undefined) {
    return kind.holdsDeletion?.(old) === true ? { code: 200, body: old } : undefined
  }
  const refused = admit(host, call, old, options)
  if (refused !== undefined) return refused
  const finalizers = deletionFinalizers(kind, old, options)
  const metadata = { ...old.metadata, deletionTimestamp: timestamp(now) }
  const closed = withFinalizers({ ...old, metadata }, old, finalizers)
  const marked = kind.markDeleting?.(closed) ?? closed
  return { code: 200, body: options.dryRun ? marked : host.store.put(kind, marked, old) }
}

interface Grace {
  readonly seconds: number
  readonly deletionTimestamp: string
}

/**
 * How a kind that waits is to be deleted now: `pending` when a deletion runs that this one does not
 * shorten; undefined when there is nothing to wait for.
 */
function graceOf(
  call: Call,
  old: KubeObject,
  options: DeleteOptions,
): Grace | 'pending' | undefined {
  const { kind, now } = call
  if (kind.graceSeconds === undefined) return undefined
  const asked = options.gracePeriodSeconds
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = old.metadata
  if (deletionTimestamp === undefined) {
    const seconds = kind.graceSeconds(old, asked)
    if (seconds === undefined) return undefined
    return { seconds, deletionTimestamp: timestamp(now + 1000 * seconds) }
  }
  if (deletionGracePeriodSeconds === 0) return undefined
  if (asked === undefined || asked >= deletionGracePeriodSeconds) return 'pending'
  const shortened = instantOf(deletionTimestamp) + 1000 * (asked - deletionGracePeriodSeconds)
  if (shortened >= now) return { seconds: asked, deletionTimestamp: timestamp(shortened) }
  return { seconds: asked === 0 ? 0 : 1, deletionTimestamp: timestamp(now) }
}

function withGrace({ kind }: Call, old: KubeObject, grace: Grace): KubeObject {
  const { metadata } = old
  const { generation = 0, deletionTimestamp } = metadata
  const isFirst = deletionTimestamp === undefined && generation > 0 && kind.hasGeneration
  return {
    ...old,
    metadata: {
      ...metadata,
      ...(isFirst ? { generation: generation + 1 } : {}),
      deletionTimestamp: grace.deletionTimestamp,
      deletionGracePeriodSeconds: grace.seconds,
    },
  }
}

function markDying({ now }: Call, old: KubeObject): KubeObject {
  const { metadata } = old
  const { generation = 0, deletionTimestamp, deletionGracePeriodSeconds } = metadata
  const isLater = deletionTimestamp === undefined || instantOf(deletionTimestamp) > now
  if (!isLater && deletionGracePeriodSeconds === 0) return old
  const isFirst = deletionTimestamp === undefined && generation > 0
  return {
    ...old,
    metadata: {
      ...metadata,
      ...(isFirst ? { generation: generation + 1 } : {}),
      deletionTimestamp: isLater ? timestamp(now) : deletionTimestamp,
      deletionGracePeriodSeconds: 0,
    },
  }
}

function withFinalizers(
  dying: KubeObject,
  old: KubeObject,
  finalizers: readonly string[],
): KubeObject {
  if (isSameSet(finalizers, old.metadata.finalizers ?? [])) return dying
  const { finalizers: _, ...metadata } = dying.metadata
  if (finalizers.length === 0) return { ...dying, metadata }
  return { ...dying, metadata: { ...metadata, finalizers } }
}
