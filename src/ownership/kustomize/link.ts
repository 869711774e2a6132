import type { YamlDocument } from '../../core/yaml/document.ts'
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
    ...setting('namespace', layer.namespace, document),
    ...setting('namePrefix', layer.namePrefix, document),
    ...setting('nameSuffix', layer.nameSuffix, document),
  ]
  return [{ label: baseName(path), path, settings }]
}

/** What a carrier adds to the file belongs to the carrier's own link. */
function setting(
  name: string,
  field: Sourced<string> | undefined,
  document: YamlDocument,
): Link['settings'] {
  if (field === undefined || field.origin.document !== document) return []
  const { value, origin } = field
  return [{ name, value, path: origin.path, place: placeAt(origin) }]
}
