import type { KubeObject } from '../object.ts'
import type { Admitted, Review } from './admission.ts'
import type { Call, Host } from './host.ts'
import type { Refusal } from './status.ts'
import { NAMESPACES } from './well-known.ts'
import { failure, forbidden, invalid, notFound } from './status.ts'

export interface Question {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT'
  readonly name: string
  readonly object?: KubeObject
  readonly old?: KubeObject
  readonly dryRun: boolean
}

const IMMORTAL: ReadonlySet<string> = new Set(['default', 'kube-public', 'kube-system'])

/** Mutating admission, after the namespace lifecycle: the object as they leave it, or the refusal. */
export function mutate(
  host: Host,
  call: Call,
  question: Question,
): KubeObject | undefined | Refusal {
  const closed = namespaceFault(host, call, question)
  if (closed !== undefined) return closed
  let { object } = question
  let review: Review | undefined
  for (const admission of host.options.admission ?? []) {
    if (admission.mutate === undefined) continue
    review ??= reviewOf(host, call, question, object)
    const admitted = admission.mutate(review)
    if (!admitted.allowed) return refusalOf(call, question, admitted)
    if (admitted.warnings !== undefined) call.warnings.push(...admitted.warnings)
    if (admitted.object === undefined || admitted.object === object) continue
    object = admitted.object
    review = undefined
  }
  return object
}

/** Validating admission: all have to agree; the first that does not is the answer. */
export function validate(host: Host, call: Call, question: Question): Refusal | undefined {
  let review: Review | undefined
  for (const admission of host.options.admission ?? []) {
    if (admission.validate === undefined) continue
    review ??= reviewOf(host, call, question, question.object)
    const admitted = admission.validate(review)
    if (!admitted.allowed) return refusalOf(call, question, admitted)
    if (admitted.warnings !== undefined) call.warnings.push(...admitted.warnings)
  }
  return undefined
}

/** Nothing is created in a namespace that is absent or being deleted; some are never deleted. */
function namespaceFault(host: Host, call: Call, question: Question): Refusal | undefined {
  const { kind, request } = call
  const { operation, name, object } = question
  if (kind.group === '' && kind.resource === 'namespaces') {
    if (operation !== 'DELETE' || !IMMORTAL.has(name)) return undefined
    return forbidden(kind, name, 'this namespace may not be deleted')
  }
  const { namespace } = request
  if (!kind.namespaced || namespace === undefined || operation === 'DELETE') return undefined
  const found = host.store.get(NAMESPACES, undefined, namespace)
  if (found === undefined) return notFound(NAMESPACES, namespace)
  if (operation !== 'CREATE' || found.metadata.deletionTimestamp === undefined) return undefined
  const shown = [name, object?.metadata.name, object?.metadata.generateName].find(Boolean)
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`
  return forbidden(kind, shown ?? 'Unknown', why, [
    {
      reason: 'NamespaceTerminating',
      message: `namespace ${namespace} is being terminated`,
      field: 'metadata.namespace',
    },
  ])
}

function reviewOf(
  host: Host,
  { kind, request, now }: Call,
  question: Question,
  object: KubeObject | undefined,
): Review {
  const { namespace, subresource, user, options } = request
  const { operation, name, old, dryRun } = question
  return {
    operation,
    resource: { group: kind.group, version: kind.version, resource: kind.resource },
    ...(subresource === undefined ? {} : { subresource }),
    ...(namespace === undefined ? {} : { namespace }),
    name,
    ...(object === undefined ? {} : { object }),
    ...(old === undefined ? {} : { old }),
    dryRun,
    user,
    options: {
      fieldManager: options?.fieldManager,
      force: options?.force,
      fieldValidation: options?.fieldValidation,
      propagationPolicy: options?.propagationPolicy,
    },
    read: host.store,
    rules: host.options.rules,
    now,
  }
}

function refusalOf(
  { kind }: Call,
  { name }: Question,
  admitted: Admitted & { readonly allowed: false },
): Refusal {
  if (admitted.errors !== undefined && admitted.code === 422) {
    return invalid(kind, name, admitted.errors)
  }
  const causes = admitted.causes?.map((message) => ({ message }))
  return failure(admitted.code, admitted.reason, admitted.message, {
    ...(causes === undefined ? {} : { causes }),
    ...(name === '' ? {} : { name }),
    ...(kind.group === '' ? {} : { group: kind.group }),
    kind: kind.resource,
  })
}
