import { isObject, stringAt, type JsonObject, type Path } from '../../core/json.ts'
import { manifestsOf, type Manifest } from '../../core/manifest.ts'
import { entryOf, type Entry } from '../kustomize/built.ts'
import { isTracedObject, itemsOf, originOf, partOf, type Traced } from '../traced.ts'
import { roleOf, type World } from '../world.ts'

/** Objects that stand inside a carrier as YAML: one entry for each Job, CronJob or carrier. */
export function listedObjects(
  carrier: Manifest,
  list: Traced | undefined,
  { world, inner = [] }: { readonly world: World; readonly inner?: Path },
): readonly Entry[] {
  if (list === undefined) return []
  return itemsOf(list).flatMap((item) => {
    const found = inner.reduce<Traced | undefined>((part, step) => part && partOf(part, step), item)
    if (found === undefined || !isTracedObject(found)) return []
    const manifest = manifestIn(carrier, found)
    if (manifest === undefined || !world.isHeld(manifest)) return []
    return [{ manifest, role: roleOf(manifest), object: found, identities: [], links: [] }]
  })
}

/** The same for objects in a text that is a template of YAML. */
export function templatedObjects(whole: Traced, field: string, world: World): readonly Entry[] {
  const part = partOf(whole, field)
  if (part === undefined || typeof part.value !== 'string') return []
  const { document, path } = originOf(whole, [field])
  const reading = world.embedded(document, path, 'resourceset')
  if (reading === undefined) return []
  return manifestsOf(reading)
    .filter((manifest) => world.isHeld(manifest))
    .map((manifest) => entryOf(manifest, 'kubernetes'))
}

function manifestIn(carrier: Manifest, { value, trace }: Traced<JsonObject>): Manifest | undefined {
  const kind = stringAt(value, ['kind'])
  const apiVersion = stringAt(value, ['apiVersion'])
  if (kind === undefined || apiVersion === undefined || !isObject(value)) return undefined
  const manifest: Manifest = {
    file: carrier.file,
    document: trace.origin.document,
    root: trace.origin.path,
    object: value,
    apiVersion,
    kind,
    name: stringAt(value, ['metadata', 'name']),
    namespace: stringAt(value, ['metadata', 'namespace']),
  }
  return manifest
}
