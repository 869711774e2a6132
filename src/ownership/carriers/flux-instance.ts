import { isObject, stringAt, type JsonObject } from '../../core/json.ts'
import { fileOf } from '../place.ts'
import { partOf, setAt, traced, isTracedObject, type Traced } from '../traced.ts'
import { fullName } from '../world.ts'
import type { Carrier, CarrierEntry, CarrierKind, Surroundings } from './carrier.ts'
import { fluxLoads } from './flux-kustomization.ts'

/**
 * The flux-operator makes a source and a Kustomization of `spec.sync`, both called like the
 * namespace, with an interval of ten minutes and pruning. Patches of `spec.kustomize` that touch
 * it are not followed.
 */
export const fluxInstance: CarrierKind = {
  group: 'fluxcd.controlplane.io',
  kind: 'FluxInstance',
  carriersOf,
}

function carriersOf({ manifest, object }: CarrierEntry, repo: Surroundings): readonly Carrier[] {
  const spec = partOf(object, 'spec')
  const sync = spec === undefined ? undefined : partOf(spec, 'sync')
  if (sync === undefined || !isObject(sync.value)) return []
  const made = kustomizationOf(sync, stringAt(object.value, ['metadata', 'namespace']))
  return [
    {
      engine: 'flux',
      label: `FluxInstance ${fullName(object.value)}`,
      path: fileOf(object.trace.origin),
      manifest,
      object: made,
      loads: (say) => fluxLoads(made, repo, say),
    },
  ]
}

function kustomizationOf(sync: Traced, namespace = 'flux-system'): Traced<JsonObject> {
  const { origin } = sync.trace
  const kind = stringAt(sync.value, ['kind']) ?? 'GitRepository'
  const made = traced<JsonObject>(
    {
      apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
      kind: 'Kustomization',
      metadata: { name: namespace, namespace },
      spec: { interval: '10m', prune: true, sourceRef: { kind, name: namespace } },
    },
    origin,
  )
  const path = partOf(sync, 'path')
  const whole =
    path === undefined ? made : setAt(made, ['spec', 'path'], path.value, path.trace.origin)
  return whole !== undefined && isTracedObject(whole) ? whole : made
}
