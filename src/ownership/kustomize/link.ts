import type { Path } from '../../core/json.ts'
import { placeOf } from '../../core/manifest.ts'
import { outermost, type Place } from '../../core/source.ts'
import { baseName } from '../tree.ts'
import type { Link } from '../subject.ts'
import type { Origin } from '../traced.ts'
import type { Layer, Sourced } from './layer.ts'

/** The place of an origin, led out of embedded text. */
export function placeAt(origin: Origin, which: 'key' | 'value' = 'value'): Place {
  return placeIn(origin, [], which)
}

/** The place of a field below an origin; the nearest one above it where it is missing. */
export function placeIn(origin: Origin, path: Path, which: 'key' | 'value' = 'value'): Place {
  const { document } = origin
  return outermost(placeOf({ document, root: [] }, [...origin.path, ...path], which))
}

/** The link of a kustomization file, with what it does to names and namespaces. */
export function linkOfLayer(layer: Layer): readonly Link[] {
  const { document } = layer
  if (document === undefined) return []
  const { path } = document.source
  const settings = [
    ...setting('namespace', layer.namespace),
    ...setting('namePrefix', layer.namePrefix),
    ...setting('nameSuffix', layer.nameSuffix),
  ]
  return [{ label: baseName(path), path, settings }]
}

function setting(name: string, field: Sourced<string> | undefined): Link['settings'] {
  if (field === undefined) return []
  const { value, origin } = field
  return [{ name, value, path: origin.path, place: placeAt(origin) }]
}
