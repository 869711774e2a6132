import { fileOf } from '../place.ts'
import { partOf } from '../traced.ts'
import { fullName } from '../world.ts'
import { load, type CarrierKind } from './carrier.ts'
import { listedObjects } from './embedded.ts'

/**
 * A ResourceGraphDefinition holds its objects as templates; each instance of its kind makes them
 * anew. What stands in `${ }` is CEL and unknown.
 */
export const kro: CarrierKind = {
  group: 'kro.run',
  kind: 'ResourceGraphDefinition',
  carriersOf: ({ manifest, object }, { world }) => [
    {
      engine: 'kro',
      label: `ResourceGraphDefinition ${fullName(object.value)}`,
      path: fileOf(object.trace.origin),
      manifest,
      object,
      loads: () => {
        const spec = partOf(object, 'spec')
        const resources = spec === undefined ? undefined : partOf(spec, 'resources')
        const entries = listedObjects(manifest, resources, { world, inner: ['template'] })
        return entries.length === 0 ? [] : [load({ entries, generated: [] })]
      },
    },
  ],
}
