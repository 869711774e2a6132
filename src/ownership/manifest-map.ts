import type { Manifest } from '../core/manifest.ts'
import type { YamlDocument } from '../core/yaml/document.ts'

/** Values by the place of an object, as one object may be read more than once. */
export class ManifestMap<Value> {
  private readonly byDocument = new Map<YamlDocument, Map<string, Value>>()
  private readonly all: Value[] = []

  get({ document, root }: Manifest): Value | undefined {
    return this.byDocument.get(document)?.get(keyOf(root))
  }

  /** The value for an object, made when it is first asked for. */
  kept({ document, root }: Manifest, make: () => Value): Value {
    let byRoot = this.byDocument.get(document)
    if (byRoot === undefined) this.byDocument.set(document, (byRoot = new Map()))
    const key = keyOf(root)
    const known = byRoot.get(key)
    if (known !== undefined) return known
    const value = make()
    byRoot.set(key, value)
    this.all.push(value)
    return value
  }

  /** In the order in which they came; those that come meanwhile too. */
  values(): Iterable<Value> {
    return this.all
  }
}

function keyOf(root: Manifest['root']): string {
  return root.length === 0 ? '' : JSON.stringify(root)
}
