import { isList, isObject, stringAt, type Json, type JsonObject } from '../../core/json.ts'
import type { YamlDocument } from '../../core/yaml/document.ts'
import { setField, type Origin, type Traced } from '../traced.ts'
import { resolvePath } from '../tree.ts'
import type { World } from '../world.ts'
import { applyJsonPatch } from './json-patch.ts'
import type { PatchEntry } from './fields.ts'
import { selects, type Identity, type Match } from './selector.ts'
import { mergePatch } from './strategic-merge.ts'

/** A patch whose text has been read. */
export interface Patch {
  readonly entry: PatchEntry
  readonly body:
    | { readonly kind: 'strategic'; readonly object: JsonObject; readonly origin: Origin }
    | { readonly kind: 'json'; readonly operations: readonly Json[]; readonly origin: Origin }
}

export interface PatchTarget {
  readonly object: Traced<JsonObject>
  readonly identities: readonly Identity[]
}

/** The patches of an entry: one file or text may hold several. Notes say what cannot be read. */
export function readPatches(entry: PatchEntry, world: World): readonly Patch[] {
  if (entry.object !== undefined) {
    return bodyOf(entry.object.value, entry.object.origin, entry, world)
  }
  const documents = patchDocuments(entry, world)
  return documents.flatMap((document) =>
    bodyOf(document.value('kustomize'), { document, path: [] }, entry, world),
  )
}

/** Whether the patch is meant for the object. */
export function aimsAt(patch: Patch, target: PatchTarget): Match {
  const { body, entry } = patch
  if (entry.target !== undefined) {
    return selects(entry.target, target.object.value, target.identities)
  }
  if (body.kind === 'json') return false
  const { object } = body
  const own = target.object.value
  if (object['kind'] !== own['kind'] || object['apiVersion'] !== own['apiVersion']) return false
  const name = stringAt(object, ['metadata', 'name'])
  const namespace = stringAt(object, ['metadata', 'namespace'])
  return target.identities.some(
    (identity) =>
      identity.name === name && (namespace === undefined || identity.namespace === namespace),
  )
}

/** The object after the patch; `deleted` when the patch takes it away; else why it is refused. */
export function applyPatch(
  patch: Patch,
  object: Traced<JsonObject>,
): Traced<JsonObject> | 'deleted' | { readonly refusal: string } {
  const { body, entry } = patch
  if (body.kind === 'json') {
    const result = applyJsonPatch(object, body.operations, body.origin)
    return 'refusal' in result ? result : result.object
  }
  const merged = mergePatch(object, body.object, body.origin)
  if (merged === undefined) return 'deleted'
  return restored(merged, object, entry)
}

/** A patch must not rename or move an object, or change its kind, unless it is allowed to. */
function restored(
  after: Traced<JsonObject>,
  before: Traced<JsonObject>,
  entry: PatchEntry,
): Traced<JsonObject> {
  let now = after
  const keep = (path: readonly string[]): void => {
    const old = stringAt(before.value, path)
    if (stringAt(now.value, path) === old) return
    const { origin } = before.trace
    now = setField(now, path, old ?? null, {
      document: origin.document,
      path: [...origin.path, ...path],
    })
  }
  if (!entry.allowNameChange) keep(['metadata', 'name'])
  if (!entry.allowKindChange) keep(['kind'])
  keep(['metadata', 'namespace'])
  return now
}

function patchDocuments(entry: PatchEntry, world: World): readonly YamlDocument[] {
  if (entry.text !== undefined) {
    const { document, path } = entry.text.origin
    return world.embedded(document, path)?.documents ?? []
  }
  if (entry.file === undefined) return []
  const { value, origin } = entry.file
  const path = resolvePath(entry.folder, value)
  if (path === undefined || !world.tree.isFile(path)) {
    world.note(
      origin,
      `the patch file ${value} is not in this repository`,
      'the Jobs that it should change are judged without it, and kustomize refuses to build',
    )
    return []
  }
  return world.documentsIn(path)
}

function bodyOf(value: Json, origin: Origin, entry: PatchEntry, world: World): readonly Patch[] {
  if (value === null) return []
  if (isList(value)) return [{ entry, body: { kind: 'json', operations: value, origin } }]
  if (isObject(value)) return [{ entry, body: { kind: 'strategic', object: value, origin } }]
  world.note(
    entry.origin,
    'this patch is neither an object nor a list of operations',
    'the Jobs that it should change are judged without it',
  )
  return []
}
