import { at, stringAt } from '../../core/json.ts'
import type { Entry } from '../kustomize/built.ts'
import { fileOf, placeAt } from '../place.ts'
import type { Link } from '../subject.ts'
import { itemsOf, originOf, partOf, type Traced } from '../traced.ts'
import { fullName } from '../world.ts'
import {
  load,
  type Carrier,
  type CarrierEntry,
  type CarrierKind,
  type Load,
  type Surroundings,
} from './carrier.ts'
import { listedObjects, templatedObjects } from './embedded.ts'
import { withCommonMetadata } from './flux-kustomization.ts'

/**
 * A ResourceSet holds its objects itself, in lists or in the text of a template, in one part or in
 * steps. What `<< >>` leaves open is unknown: inputs are not put in.
 */
export const resourceSet: CarrierKind = {
  group: 'fluxcd.controlplane.io',
  kind: 'ResourceSet',
  carriersOf: (entry, repo) => [carrier(entry, repo)],
}

function carrier({ manifest, object }: CarrierEntry, repo: Surroundings): Carrier {
  return {
    engine: 'resourceset',
    label: `ResourceSet ${fullName(object.value)}`,
    path: fileOf(object.trace.origin),
    manifest,
    object,
    loads: () => loads({ manifest, object }, repo),
  }
}

function loads({ manifest, object }: CarrierEntry, repo: Surroundings): readonly Load[] {
  const spec = partOf(object, 'spec')
  if (spec === undefined) return []
  const objectsIn = (part: Traced): readonly Entry[] => [
    ...listedObjects(manifest, partOf(part, 'resources'), repo),
    ...templatedObjects(part, 'resourcesTemplate', repo.world),
  ]
  const steps = partOf(spec, 'steps')
  const stepped = (steps === undefined ? [] : itemsOf(steps)).flatMap((step) => {
    const link = stepLink(step)
    return objectsIn(step).map((entry) => ({ ...entry, links: [link, ...entry.links] }))
  })
  const entries = [...objectsIn(spec), ...stepped].map((entry) => withCommonMetadata(entry, object))
  return entries.length === 0 ? [] : [load({ entries, generated: [] })]
}

function stepLink(step: Traced): Link {
  const name = stringAt(step.value, ['name'])
  const timeout = at(step.value, ['timeout'])
  const origin = originOf(step, ['timeout'])
  return {
    label: name === undefined ? 'step' : `step ${name}`,
    path: fileOf(step.trace.origin),
    settings:
      typeof timeout === 'string'
        ? [{ name: 'timeout', value: timeout, path: origin.path, place: placeAt(origin) }]
        : [],
  }
}
