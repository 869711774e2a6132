import type { KubeObject } from '../object.ts'
import { continueToken, readContinue } from './continue.ts'
import { parseFieldSelector } from './field-selectors.ts'
import type { Call, Host, Result } from './host.ts'
import type { FieldError } from './kind.ts'
import { META_GROUP } from './options.ts'
import { apiVersionOf, inVersion } from './registry.ts'
import type { KubeList, RequestOptions } from './request.ts'
import { parseLabelSelector } from './selectors.ts'
import { badRequest, expired, invalid, Refusal, tooLargeVersion } from './status.ts'

/** GET of a collection. */
export function list(host: Host, call: Call): Result | Refusal {
  const selected = select(host, call)
  return selected instanceof Refusal ? selected : { code: 200, body: selected }
}

/** What the request's selectors, page and version let through, in the order of keys. */
export function select(host: Host, call: Call): KubeList | Refusal {
  const { kind, request } = call
  const options = request.options ?? {}
  const fault = listOptionsFault(options)
  if (fault !== undefined) return fault
  const byLabel = parseLabelSelector(options.labelSelector ?? '')
  if (byLabel instanceof Refusal) return byLabel
  const byField = parseFieldSelector(kind, options.fieldSelector ?? '')
  if (byField instanceof Refusal) return byField
  const page = pageOf(host, call, options)
  if (page instanceof Refusal) return page
  const isWhole = byLabel === undefined && byField === undefined
  const items = isWhole
    ? page.items
    : page.items.filter(
        (item) => (byLabel?.(item.metadata.labels ?? {}) ?? true) && (byField?.(item) ?? true),
      )
  return paged(call, items, page.version, isWhole)
}

interface Page {
  readonly items: readonly KubeObject[]
  readonly version: number
}

/** All that is to be listed: now, or as it was when a paged list began. */
function pageOf(host: Host, { kind, request }: Call, options: RequestOptions): Page | Refusal {
  const { store } = host
  if (options.continue !== undefined && options.continue !== '') {
    const token = readContinue(options.continue)
    if (token instanceof Refusal) return token
    const then = store.listAt(kind, request.namespace, token.version)
    if (then === undefined) return expired(CONTINUE_TOO_OLD)
    const items = then.filter((item) => keyOf(item, request.namespace) > token.after)
    return { items, version: token.version }
  }
  const version = versionOf(options)
  if (version instanceof Refusal) return version
  if (version > store.version) return tooLargeVersion(version, store.version)
  if (options.resourceVersionMatch === 'Exact') {
    const then = store.listAt(kind, request.namespace, version)
    if (then === undefined) return expired(`The resourceVersion for the provided list is too old.`)
    return { items: then, version }
  }
  return { items: store.list(kind, request.namespace), version: store.version }
}

const CONTINUE_TOO_OLD =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter.'

function versionOf({ resourceVersion = '' }: RequestOptions): number | Refusal {
  if (resourceVersion === '') return 0
  if (/^\d+$/.test(resourceVersion)) return Number(resourceVersion)
  const value = JSON.stringify(resourceVersion)
  const why = `strconv.ParseUint: parsing ${value}: invalid syntax`
  return badRequest(`invalid resource version: resourceVersion: Invalid value: ${value}: ${why}`)
}

function paged(
  { kind, request }: Call,
  items: readonly KubeObject[],
  version: number,
  isWhole: boolean,
): KubeList {
  const limit = request.options?.limit ?? 0
  const isCut = limit > 0 && items.length > limit
  const shown = isCut ? items.slice(0, limit) : items
  const last = shown.at(-1)
  return {
    apiVersion: apiVersionOf(kind),
    kind: `${kind.kind}List`,
    metadata: {
      resourceVersion: String(version),
      // Lists of custom resources always have the member.
      ...(kind.schema === undefined ? {} : { continue: '' }),
      ...(isCut && last !== undefined
        ? { continue: continueToken(version, keyOf(last, request.namespace)) }
        : {}),
      ...(isCut && isWhole ? { remainingItemCount: items.length - limit } : {}),
    },
    items: kind.schema === undefined ? shown : shown.map((item) => inVersion(kind, item)),
  }
}

/** Below a namespace the key is the name; across namespaces it begins with theirs. */
function keyOf({ metadata }: KubeObject, asked: string | undefined): string {
  const { namespace, name } = metadata
  return namespace === undefined || asked !== undefined ? `/${name}` : `/${namespace}/${name}`
}

function listOptionsFault(options: RequestOptions): Refusal | undefined {
  const { resourceVersionMatch: match, resourceVersion = '', continue: token = '' } = options
  if (match === undefined) return undefined
  const errors: FieldError[] = []
  const forbid = (detail: string): void => {
    errors.push({ type: 'Forbidden', field: 'resourceVersionMatch', detail })
  }
  if (resourceVersion === '') {
    forbid('resourceVersionMatch is forbidden unless resourceVersion is provided')
  }
  if (token !== '') forbid('resourceVersionMatch is forbidden when continue is provided')
  if (match === 'Exact' && resourceVersion === '0') {
    forbid('resourceVersionMatch "exact" is forbidden for resourceVersion "0"')
  }
  return errors.length === 0
    ? undefined
    : invalid({ group: META_GROUP, kind: 'ListOptions' }, '', errors)
}
