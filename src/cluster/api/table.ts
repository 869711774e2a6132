import type { KubeObject, ResourceId } from '../object.ts'
import { CowMap } from './cow-map.ts'

/** An object and where it lives. Replaced as a whole by every write. */
export interface Row {
  readonly resource: ResourceId
  readonly object: KubeObject
}

/** All objects of one resource, by namespace; without one for what belongs to the cluster. */
export class Table {
  /** One for all its rows. */
  readonly resource: ResourceId
  readonly #buckets: CowMap<string, Bucket>
  /** The namespaces that hold something, in the order of keys. */
  #spaces: readonly string[]

  constructor(
    { group, version, resource }: ResourceId,
    buckets: CowMap<string, Bucket> = new CowMap(),
    spaces: readonly string[] = [],
  ) {
    this.resource = { group, version, resource }
    this.#buckets = buckets
    this.#spaces = spaces
  }

  copy(): Table {
    return new Table(this.resource, this.#buckets.copy(), this.#spaces)
  }

  get(namespace: string | undefined, name: string): KubeObject | undefined {
    return this.#buckets.get(namespace ?? '')?.rows.get(name)?.object
  }

  /** In the order of names; `namespace` undefined: of all, in the order of keys. */
  list(namespace: string | undefined): readonly KubeObject[] {
    if (namespace !== undefined) return this.#buckets.get(namespace)?.list() ?? NOTHING
    const [only] = this.#spaces
    if (this.#spaces.length === 1 && only !== undefined) return this.list(only)
    return this.#spaces.flatMap((space) => this.list(space))
  }

  put(object: KubeObject): Row {
    const { namespace = '', name } = object.metadata
    const row: Row = { resource: this.resource, object }
    this.#bucket(namespace).put(name, row)
    return row
  }

  remove({ metadata }: KubeObject): void {
    const { namespace = '', name } = metadata
    const bucket = this.#bucket(namespace)
    bucket.remove(name)
    if (bucket.rows.size > 0) return
    this.#buckets.delete(namespace)
    this.#spaces = this.#spaces.filter((space) => space !== namespace)
  }

  #bucket(namespace: string): Bucket {
    const found = this.#buckets.own(namespace, (shared) => shared.copy())
    if (found !== undefined) return found
    const bucket = new Bucket(new CowMap(), undefined)
    this.#buckets.set(namespace, bucket)
    this.#spaces = [...this.#spaces, namespace].sort(byKey)
    return bucket
  }
}

const NOTHING: readonly KubeObject[] = []

/** As etcd orders keys: a namespace `a-b` comes before `a`, because `-` is before `/`. */
function byKey(one: string, other: string): number {
  const left = `${one}/`
  const right = `${other}/`
  if (left === right) return 0
  return left < right ? -1 : 1
}

/** Objects of one resource in one namespace, with their order of names once somebody asked. */
class Bucket {
  readonly rows: CowMap<string, Row>
  #names: string[] | undefined
  #isShared = false
  #listed: readonly KubeObject[] | undefined

  constructor(rows: CowMap<string, Row>, names: string[] | undefined) {
    this.rows = rows
    this.#names = names
  }

  copy(): Bucket {
    const twin = new Bucket(this.rows.copy(), this.#names)
    twin.#listed = this.#listed
    twin.#isShared = true
    this.#isShared = true
    return twin
  }

  put(name: string, row: Row): void {
    this.#listed = undefined
    if (this.#names !== undefined && !this.rows.has(name)) {
      const names = this.#ownNames(this.#names)
      names.splice(position(names, name), 0, name)
    }
    this.rows.set(name, row)
  }

  remove(name: string): void {
    this.#listed = undefined
    if (this.#names !== undefined) {
      const names = this.#ownNames(this.#names)
      names.splice(position(names, name), 1)
    }
    this.rows.delete(name)
  }

  list(): readonly KubeObject[] {
    if (this.#listed !== undefined) return this.#listed
    this.#names ??= [...this.rows.keys()].sort()
    const objects: KubeObject[] = []
    for (const name of this.#names) {
      const row = this.rows.get(name)
      if (row !== undefined) objects.push(row.object)
    }
    this.#listed = objects
    return objects
  }

  #ownNames(names: string[]): string[] {
    if (!this.#isShared) return names
    this.#isShared = false
    this.#names = names.slice()
    return this.#names
  }
}

/** Where `name` stands in sorted names, or would stand. */
function position(names: readonly string[], name: string): number {
  let low = 0
  let high = names.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((names[middle] ?? '') < name) low = middle + 1
    else high = middle
  }
  return low
}
