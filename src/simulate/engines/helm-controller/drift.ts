import {
  at,
  isList,
  isObject,
  listAt,
  objectAt,
  stringAt,
  type Json,
  type JsonObject,
} from '../../../core/json.ts'
import { compareText } from '../../../core/text.ts'
import type { Io } from '../../../cluster/actor.ts'
import { succeeded, type Answer, type Status as ApiStatus } from '../../../cluster/api/request.ts'
import { equal } from '../../../cluster/fields/index.ts'
import { jsonPatch } from '../../../cluster/fields/json-patch.ts'
import type { ResourceId } from '../../../cluster/object.ts'
import { shortWords } from '../words.ts'
import type { KindFinder } from '../kinds.ts'
import { isSelected } from './selector.ts'

const MANAGER = 'helm-controller'
const MARK = 'helm.toolkit.fluxcd.io/driftDetection'

export interface Difference {
  readonly type: 'removed' | 'changed' | 'excluded'
  /** As it should be, with what Helm adds. */
  readonly desired: JsonObject
  readonly patch?: readonly JsonObject[]
}

export type Drift =
  | { readonly kind: 'found'; readonly differences: readonly Difference[] }
  /** The dry run was refused: an immutable difference (trace 007). */
  | { readonly kind: 'unknown'; readonly message: string; readonly object: string }

export interface DriftInput {
  readonly release: { readonly name: string; readonly namespace: string }
  /** The objects of the stored manifest; hooks are none of them. */
  readonly objects: readonly JsonObject[]
  readonly ignore: readonly JsonObject[]
  readonly kindOf: KindFinder
}

/** a dry run of server-side apply per object of the stored manifest, beside the live object. */
export function driftOf(input: DriftInput, io: Io<never>): Drift {
  const differences: Difference[] = []
  for (const object of input.objects) {
    const found = differenceOf(withHelmMetadata(object, input), input, io)
    if (typeof found === 'string') {
      return { kind: 'unknown', message: found, object: placeOf(withHelmMetadata(object, input)) }
    }
    if (found !== undefined) differences.push(found)
  }
  return { kind: 'found', differences }
}

/** What is excluded does not count. */
export function hasDrifted(differences: readonly Difference[]): boolean {
  return differences.some(({ type }) => type !== 'excluded')
}

function differenceOf(
  desired: JsonObject,
  { ignore, kindOf }: DriftInput,
  io: Io<never>,
): Difference | string | undefined {
  const paths = ignore
    .filter((rule) => isSelected(objectAt(rule, ['target']), desired))
    .flatMap((rule) => listAt(rule, ['paths']))
    .filter((path): path is string => typeof path === 'string')
  if (isMarked(desired) || paths.includes('')) return { type: 'excluded', desired }
  const target = targetOf(desired, kindOf, io)
  if (target === undefined) return `no matches for kind "${stringAt(desired, ['kind']) ?? ''}"`
  const live = io.read.get(target.resource, target.namespace, target.name)
  const answer = io.request({
    verb: 'patch',
    ...target,
    patch: { type: 'apply', body: desired },
    options: { fieldManager: MANAGER, force: true, dryRun: true },
  })
  if (!succeeded(answer)) return dryRunError(desired, answer)
  if (live === undefined) return { type: 'removed', desired }
  const patch = patchBetween(without(live, paths), without(answer.body, paths))
  return patch.length === 0 ? undefined : { type: 'changed', desired, patch }
}

/** Labels, annotations (removals there do not count) and everything but metadata and status. */
function patchBetween(live: JsonObject, wanted: JsonObject): readonly JsonObject[] {
  const metadata = (['annotations', 'labels'] as const).flatMap((part) =>
    operations(
      objectAt(live, ['metadata', part]),
      objectAt(wanted, ['metadata', part]),
      `/metadata/${part}`,
    ),
  )
  const { metadata: _m, status: _s, ...before } = live
  const { metadata: _n, status: _t, ...after } = wanted
  return [...metadata.filter(({ op }) => op !== 'remove'), ...operations(before, after, '')]
}

function operations(
  before: Json | undefined,
  after: Json | undefined,
  path: string,
): readonly JsonObject[] {
  if (before === after || (before !== undefined && after !== undefined && equal(before, after))) {
    return []
  }
  if (before === undefined) return [{ op: 'add', path, value: after }]
  if (after === undefined) return [{ op: 'remove', path }]
  if (isObject(before) && isObject(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()
    return keys.flatMap((key) => operations(before[key], after[key], `${path}/${escaped(key)}`))
  }
  if (isList(before) && isList(after) && before.length === after.length) {
    return before.flatMap((item, index) => operations(item, after[index], `${path}/${index}`))
  }
  return [{ op: 'replace', path, value: after }]
}

function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1')
}

function without(object: JsonObject, paths: readonly string[]): JsonObject {
  let rest = object
  for (const path of paths) {
    const done = jsonPatch(rest, [{ op: 'remove', path }])
    // A path that is not there cannot be removed, and what is left of an object has its metadata.
    if ('metadata' in done) rest = done
  }
  return rest
}

function dryRunError(desired: JsonObject, answer: Answer): string {
  const { message = '', reason = '' } = answer.body as ApiStatus
  const word = reason === '' ? '' : ` (${reason})`
  return `unable to determine cluster state: ${labelOf(desired)} dry-run failed${word}: ${message}`
}

export interface Corrected {
  readonly done: readonly string[]
  readonly errors: readonly string[]
}

/** Creates what is missing, then patches what differs. Nothing is waited for. */
export function correct(
  differences: readonly Difference[],
  kindOf: KindFinder,
  carrier: string,
  io: Io<never>,
): Corrected {
  const inOrder = (type: Difference['type']): readonly Difference[] =>
    differences
      .filter((one) => one.type === type)
      .sort((one, other) => compareText(labelOf(one.desired), labelOf(other.desired)))
  const done: string[] = []
  const errors: string[] = []
  for (const difference of [...inOrder('removed'), ...inOrder('changed')]) {
    const { type, desired } = difference
    const answer = written(difference, kindOf, io)
    const label = labelOf(desired)
    if (answer === undefined) continue
    const { message = '' } = answer.body as ApiStatus
    if (succeeded(answer)) done.push(`${label} ${type === 'removed' ? 'created' : 'configured'}`)
    else errors.push(`${label} ${type === 'removed' ? 'creation' : 'patch'} failure: ${message}`)
    const kind = stringAt(desired, ['kind']) ?? ''
    const effect = succeeded(answer)
      ? `${type === 'removed' ? 'created' : 'patched'} ${kind}`
      : `refused ${kind}: ${shortWords(message)}`
    const what = { effect, object: placeOf(desired), carrier }
    io.cause({ at: io.now, actor: MANAGER, rule: 'R-5', ...what })
  }
  return { done, errors }
}

/** `Job shop/migrate` */
function placeOf(object: JsonObject): string {
  const [kind = '', ...place] = labelOf(object).split('/')
  return `${kind} ${place.join('/')}`
}

function written(
  { type, desired, patch = [] }: Difference,
  kindOf: KindFinder,
  io: Io<never>,
): Answer | undefined {
  const target = targetOf(desired, kindOf, io)
  if (target === undefined) return undefined
  const { name, ...where } = target
  const options = { fieldManager: MANAGER }
  return type === 'removed'
    ? io.request({ verb: 'create', ...where, body: desired, options })
    : io.request({ verb: 'patch', ...where, name, patch: { type: 'json', body: patch }, options })
}

/** `Job/shop/migrate removed`, a line each. */
export function summaryOf(differences: readonly Difference[]): string {
  return differences
    .map(({ type, desired, patch = [] }) => {
      if (type !== 'changed') return `${labelOf(desired)} ${type}`
      const count = (op: string): number => patch.filter((one) => one['op'] === op).length
      const counts = `${count('add')} additions, ${count('replace')} changes, ${count('remove')} removals`
      return `${labelOf(desired)} changed (${counts})`
    })
    .join('\n')
}

function labelOf(object: JsonObject): string {
  const text = (...path: string[]): string => stringAt(object, path) ?? ''
  const namespace = text('metadata', 'namespace')
  return [text('kind'), ...(namespace === '' ? [] : [namespace]), text('metadata', 'name')].join(
    '/',
  )
}

interface Target {
  readonly resource: ResourceId
  readonly namespace?: string
  readonly name: string
}

export function targetOf(
  object: JsonObject,
  kindOf: KindFinder,
  io: Io<never>,
): Target | undefined {
  const text = (...path: string[]): string => stringAt(object, path) ?? ''
  const kind = kindOf(text('apiVersion'), text('kind'), io.read)
  if (kind === undefined) return undefined
  const { group, version, resource, namespaced } = kind
  const namespace = text('metadata', 'namespace')
  return {
    resource: { group, version, resource },
    ...(namespaced ? { namespace } : {}),
    name: text('metadata', 'name'),
  }
}

/** What Helm itself adds to every object of a release. */
function withHelmMetadata(object: JsonObject, { release }: DriftInput): JsonObject {
  const metadata = objectAt(object, ['metadata']) ?? {}
  return {
    ...object,
    metadata: {
      ...metadata,
      namespace: stringAt(metadata, ['namespace']) ?? release.namespace,
      labels: { ...objectAt(metadata, ['labels']), 'app.kubernetes.io/managed-by': 'Helm' },
      annotations: {
        ...objectAt(metadata, ['annotations']),
        'meta.helm.sh/release-name': release.name,
        'meta.helm.sh/release-namespace': release.namespace,
      },
    },
  }
}

function isMarked(object: JsonObject): boolean {
  return (['labels', 'annotations'] as const).some(
    (part) => at(object, ['metadata', part, MARK]) === 'disabled',
  )
}
