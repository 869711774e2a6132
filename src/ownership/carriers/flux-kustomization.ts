import { at, isObject, stringAt, type JsonObject } from '../../core/json.ts'
import { isTemplated } from '../../core/templates.ts'
import type { Entry } from '../kustomize/built.ts'
import { readerOf } from '../kustomize/fields.ts'
import { optional, type Additions } from '../kustomize/layer.ts'
import { edited } from '../kustomize/steps.ts'
import { addPairs } from '../kustomize/transform.ts'
import { fileOf } from '../place.ts'
import { originOf, partOf, type Traced } from '../traced.ts'
import { fullName } from '../world.ts'
import {
  load,
  type Carrier,
  type CarrierEntry,
  type CarrierKind,
  type Load,
  type Say,
  type Surroundings,
} from './carrier.ts'
import { substituted, variablesOf } from './flux-substitution.ts'
import { missing } from './missing.ts'

/**
 * A Flux Kustomization applies what kustomize builds of the folder `spec.path`; where there is no
 * kustomization file, Flux makes one of all YAML below. Then come substitution and
 * commonMetadata.
 */
export const fluxKustomization: CarrierKind = {
  group: 'kustomize.toolkit.fluxcd.io',
  kind: 'Kustomization',
  carriersOf: (entry, repo) => [carrier(entry, repo)],
}

function carrier({ manifest, object }: CarrierEntry, repo: Surroundings): Carrier {
  return {
    engine: 'flux',
    label: `Kustomization ${fullName(object.value)}`,
    path: fileOf(object.trace.origin),
    manifest,
    object,
    loads: (say) => fluxLoads(object, repo, say),
  }
}

/** What a Kustomization with this object applies. */
export function fluxLoads(
  object: Traced<JsonObject>,
  repo: Surroundings,
  say: Say,
): readonly Load[] {
  const located = locate(object, repo, say)
  if (located === undefined) return []
  const { folder, isForeign } = located
  const additions = additionsOf(object, folder)
  const { kustomize } = repo
  const built = kustomize.hasFile(folder)
    ? kustomize.build(folder, additions)
    : kustomize.buildGenerated(folder, (path) => repo.isSourceIgnored(path), additions)
  if (built.entries.length === 0) return []
  const variables = variablesOf(object, repo)
  const entries = built.entries.map((entry) =>
    withCommonMetadata(substituted(entry, variables, say), object),
  )
  return [load({ entries, generated: built.generated }, { isForeign })]
}

function locate(
  object: Traced<JsonObject>,
  { sources }: Surroundings,
  say: Say,
): { readonly folder: string; readonly isForeign: boolean } | undefined {
  const origin = originOf(object, ['spec', 'path'])
  const path = at(object.value, ['spec', 'path']) ?? ''
  if (typeof path !== 'string') {
    say(origin, 'spec.path is no text', 'Flux refuses this Kustomization')
    return undefined
  }
  if (isTemplated(path)) {
    const why = 'only rendering can tell which files this Kustomization applies'
    say(origin, `spec.path is ${path}`, why)
    return undefined
  }
  const reference = at(object.value, ['spec', 'sourceRef'])
  const namespace = stringAt(object.value, ['metadata', 'namespace'])
  const found = sources.locate(sources.flux(reference, namespace), path)
  if ('folder' in found) return found
  say(origin, ...missing(found.missing, `spec.path ${path === '' ? '(empty)' : path}`, 'Flux'))
  return undefined
}

function additionsOf(object: Traced<JsonObject>, folder: string): Additions | undefined {
  const spec = partOf(object, 'spec')
  if (
    spec === undefined ||
    !isObject(spec.value) ||
    !FIELDS.some((field) => field in (spec.value as JsonObject))
  )
    return undefined
  const reader = readerOf(spec, folder)
  return {
    components: reader.strings('components'),
    patches: [...reader.strategicPatches('patchesStrategicMerge'), ...reader.patches('patches')],
    images: reader.images('images'),
    ...optional('namespace', reader.text('targetNamespace')),
    ...optional('namePrefix', reader.text('namePrefix')),
    ...optional('nameSuffix', reader.text('nameSuffix')),
  }
}

const FIELDS = [
  'components',
  'patches',
  'patchesStrategicMerge',
  'images',
  'targetNamespace',
  'namePrefix',
  'nameSuffix',
]

/** Written last, over labels and annotations of the same name. */
export function withCommonMetadata(entry: Entry, carrierObject: Traced<JsonObject>): Entry {
  const common = at(carrierObject.value, ['spec', 'commonMetadata'])
  if (!isObject(common)) return entry
  return edited(entry, (object) => {
    let now = object
    for (const field of ['labels', 'annotations']) {
      const pairs = common[field]
      if (!isObject(pairs)) continue
      const origin = originOf(carrierObject, ['spec', 'commonMetadata', field])
      now = addPairs(now, [['metadata', field]], { value: pairs, origin })
    }
    return now
  })
}
