import { isObject, stringAt, type Json, type JsonObject } from '../../core/json.ts'
import { byteLength } from '../../core/text.ts'
import { ANY, fields, typeOf } from '../fields/index.ts'
import type { FieldError } from './kind.ts'
import type { RequestOptions } from './request.ts'
import { badRequest, invalid, Refusal } from './status.ts'

/** DeleteOptions, from the body, or from the query where there is none. */
export interface DeleteOptions {
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan'
  readonly orphanDependents?: boolean
  readonly gracePeriodSeconds?: number
  readonly uid?: string
  readonly resourceVersion?: string
  readonly dryRun: boolean
}

const MANAGER_LIMIT = 128
const POLICIES: readonly string[] = ['Foreground', 'Background', 'Orphan']

/** What a write may say beside its body; the first thing that the server looks at. */
export function writeOptionsFault(
  kind: 'CreateOptions' | 'UpdateOptions' | 'PatchOptions',
  options: RequestOptions | undefined,
  isApply: boolean,
): Refusal | undefined {
  const manager = options?.fieldManager ?? ''
  const errors: FieldError[] = []
  if (isApply && manager === '') {
    errors.push({ type: 'Required', field: 'fieldManager', detail: 'is required for apply patch' })
  }
  if (kind === 'PatchOptions' && !isApply && options?.force !== undefined) {
    const detail = 'may not be specified for non-apply patch'
    errors.push({ type: 'Forbidden', field: 'force', detail })
  }
  if (byteLength(manager) > MANAGER_LIMIT) {
    const detail = `may not be more than ${MANAGER_LIMIT} bytes`
    errors.push({ type: 'TooLong', field: 'fieldManager', detail })
  }
  for (const error of unprintable(manager)) errors.push(error)
  return errors.length === 0 ? undefined : invalid({ group: META_GROUP, kind }, '', errors)
}

/** The group that the server names for its option types. */
export const META_GROUP = 'meta.k8s.io'

function unprintable(manager: string): readonly FieldError[] {
  const errors: FieldError[] = []
  let position = 0
  for (const character of manager) {
    if (!/[\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.test(character)) {
      const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
      const detail = `invalid character U+${code} (at position ${position})`
      errors.push({ type: 'Invalid', field: 'fieldManager', value: manager, detail })
    }
    position += byteLength(character)
  }
  return errors
}

export function deleteOptions(
  body: Json | undefined,
  options: RequestOptions | undefined,
): DeleteOptions | Refusal {
  const given = readOptions(body)
  if (given instanceof Refusal) return given
  const preconditions = isObject(given['preconditions']) ? given['preconditions'] : {}
  // With a body the server does not look at the query.
  const query = body === undefined ? options : undefined
  const policy = query?.propagationPolicy ?? given['propagationPolicy'] ?? undefined
  const orphans = given['orphanDependents'] ?? undefined
  const dryRun = given['dryRun'] ?? []
  const errors: FieldError[] = []
  if (policy !== undefined && orphans !== undefined) {
    const detail = 'orphanDependents and deletionPropagation cannot be both set'
    errors.push({ type: 'Invalid', field: 'propagationPolicy', ...json(policy), detail })
  }
  if (policy !== undefined && !(typeof policy === 'string' && POLICIES.includes(policy))) {
    const list = [...POLICIES, 'nil'].map((text) => `"${text}"`).join(', ')
    const detail = `supported values: ${list}`
    errors.push({ type: 'NotSupported', field: 'propagationPolicy', ...json(policy), detail })
  }
  if (Array.isArray(dryRun) && dryRun.some((value) => value !== 'All')) {
    const detail = 'supported values: "All"'
    errors.push({ type: 'NotSupported', field: 'dryRun', value: dryRun as Json, detail })
  }
  if (errors.length > 0) return invalid({ group: META_GROUP, kind: 'DeleteOptions' }, '', errors)
  const { uid, resourceVersion } = preconditions
  const seconds = given['gracePeriodSeconds']
  return {
    ...(policy === undefined ? {} : { propagationPolicy: policy as 'Background' }),
    ...(typeof orphans === 'boolean' ? { orphanDependents: orphans } : {}),
    ...(typeof seconds === 'number' ? { gracePeriodSeconds: seconds < 0 ? 1 : seconds } : {}),
    ...(typeof uid === 'string' ? { uid } : {}),
    ...(typeof resourceVersion === 'string' ? { resourceVersion } : {}),
    dryRun: query?.dryRun === true || (Array.isArray(dryRun) && dryRun.length > 0),
  }
}

const OPTIONS = typeOf('io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions') ?? ANY

/** An absent body and an empty one say nothing; everything else has to be DeleteOptions. */
function readOptions(body: Json | undefined): JsonObject | Refusal {
  if (body === undefined || body === null) return {}
  const kind = stringAt(body, ['kind']) ?? ''
  if (kind !== '' && kind !== 'DeleteOptions') {
    const version = stringAt(body, ['apiVersion']) ?? ''
    const scheme = 'in scheme "pkg/runtime/scheme.go:111"'
    return badRequest(`no kind "${kind}" is registered for version "${version}" ${scheme}`)
  }
  const decoded = fields.decode(body, OPTIONS)
  if ('object' in decoded) return decoded.object
  // Elsewhere the head of the body follows.
  return badRequest(decoded.message.replace(/ \([0-9a-f]+( \.\.\.)?\)$/, ''))
}

/** Go prints a pointer to text as its JSON. */
function json(value: Json): { readonly value: Json; readonly rendered: string } {
  return { value, rendered: JSON.stringify(value) }
}
