import { stringAt, type JsonObject } from '../../core/json.ts'
import { originOf, setField, type Traced } from '../traced.ts'
import type { World } from '../world.ts'
import type { Built, Entry } from './built.ts'
import type { PatchEntry, Sourced } from './fields.ts'
import type { Layer } from './layer.ts'
import { aimsAt, applyPatch, readPatches, type Patch } from './patches.ts'
import { addAnnotations, addLabels, replaceImages } from './transform.ts'

/**
 * The transformations of one kustomization, in kustomize's own order: patches, namespace, prefix,
 * suffix, labels, annotations, JSON patches, images. Later ones see what earlier ones did.
 */
export function transformEntries(built: Built, layer: Layer, world: World): readonly Entry[] {
  const patched = patchAll(built, layer.patches, world)
  const named = patched.map((entry) => rename(moved(entry, layer.namespace), layer))
  const labelled = named.map((entry) => edited(entry, (object) => label(object, layer)))
  const jsonPatched = patchAll({ ...built, entries: labelled }, layer.jsonPatches, world)
  if (layer.images.length === 0) return jsonPatched
  return jsonPatched.map((entry) => edited(entry, (object) => replaceImages(object, layer.images)))
}

function patchAll(built: Built, entries: readonly PatchEntry[], world: World): readonly Entry[] {
  let now = built.entries
  for (const patch of entries.flatMap((entry) => readPatches(entry, world))) {
    let found = false
    now = now.flatMap((entry) => {
      const aim = aimsAt(patch, entry)
      if (aim === false) return [entry]
      found = true
      return aim === true ? patchOne(patch, entry, world) : [skipped(patch, entry, world)]
    })
    if (!found) noteMiss(patch, built, world)
  }
  return now
}

function patchOne(patch: Patch, entry: Entry, world: World): readonly Entry[] {
  const after = applyPatch(patch, entry.object)
  if (after === 'deleted') {
    world.removed.add(entry.manifest)
    return []
  }
  if (!('refusal' in after)) return [edited(entry, () => after)]
  const what = `this patch cannot be applied to ${nameOf(entry.object.value)}: ${after.refusal}`
  world.note(
    patch.body.origin,
    what,
    'the Job is judged without it, and kustomize refuses to build',
  )
  return [entry]
}

function skipped(patch: Patch, entry: Entry, world: World): Entry {
  const what = `whether this patch is meant for ${nameOf(entry.object.value)} is not known`
  const why = 'its target hangs on text that only rendering can give, so it was left out'
  world.note(patch.entry.origin, what, why)
  return entry
}

/** Without a target, a patch that finds no object of its name is an error for kustomize. */
function noteMiss({ entry, body }: Patch, { complete }: Built, world: World): void {
  if (entry.target !== undefined) return
  if (body.kind === 'json') {
    world.note(entry.origin, 'this JSON patch has no target', 'kustomize refuses to build this')
    return
  }
  const kind = stringAt(body.object, ['kind'])
  if (!complete || (kind !== 'Job' && kind !== 'CronJob')) return
  const what = `this patch is for ${nameOf(body.object)}, which this kustomization does not hold`
  world.note(body.origin, what, 'kustomize refuses to build this')
}

/** An entry after a change; a new name or namespace is remembered beside the old ones. */
export function edited(
  entry: Entry,
  change: (object: Traced<JsonObject>) => Traced<JsonObject>,
): Entry {
  const object = change(entry.object)
  if (object === entry.object) return entry
  const name = stringAt(object.value, ['metadata', 'name'])
  const namespace = stringAt(object.value, ['metadata', 'namespace'])
  const last = entry.identities.at(-1)
  const same = last?.name === name && last?.namespace === namespace
  const identities = same ? entry.identities : [...entry.identities, { name, namespace }]
  return { ...entry, object, identities }
}

export function moved(entry: Entry, namespace: Sourced<string> | undefined): Entry {
  if (namespace === undefined) return entry
  return edited(entry, (object) =>
    setField(object, ['metadata', 'namespace'], namespace.value, namespace.origin),
  )
}

function rename(entry: Entry, { namePrefix, nameSuffix }: Layer): Entry {
  const prefix = namePrefix?.value ?? ''
  const suffix = nameSuffix?.value ?? ''
  if (prefix === '' && suffix === '') return entry
  return edited(entry, (object) => {
    const name = stringAt(object.value, ['metadata', 'name'])
    if (name === undefined) return object
    // The name is still shown where most of it was written; the chain shows the prefix.
    const origin = originOf(object, ['metadata', 'name'])
    return setField(object, ['metadata', 'name'], `${prefix}${name}${suffix}`, origin)
  })
}

function label(object: Traced<JsonObject>, layer: Layer): Traced<JsonObject> {
  const labelled = layer.labels.reduce(addLabels, object)
  return layer.annotations.reduce(addAnnotations, labelled)
}

function nameOf(object: JsonObject): string {
  const kind = stringAt(object, ['kind']) ?? 'an object'
  const name = stringAt(object, ['metadata', 'name']) ?? 'without a name'
  return `${kind} ${name}`
}
