import { placeAt } from '../place.ts'
import type { Link } from '../subject.ts'
import { baseName } from '../tree.ts'
import type { Sourced } from './fields.ts'
import type { Layer } from './layer.ts'

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
