/**
 * A map that is copied on the first write after `copy`, on either side. What it holds is shared;
 * values that are changed in place themselves are first made one's own with `own`.
 */
export class CowMap<Key, Value> {
  #map: Map<Key, Value>
  #isShared = false
  /** Keys whose values this copy has made its own since the last `copy`; undefined: all. */
  #owned: Set<Key> | undefined = undefined

  constructor(entries?: Iterable<readonly [Key, Value]>) {
    this.#map = new Map(entries)
  }

  get size(): number {
    return this.#map.size
  }

  get(key: Key): Value | undefined {
    return this.#map.get(key)
  }

  has(key: Key): boolean {
    return this.#map.has(key)
  }

  keys(): IterableIterator<Key> {
    return this.#map.keys()
  }

  values(): IterableIterator<Value> {
    return this.#map.values()
  }

  set(key: Key, value: Value): void {
    this.#unshare()
    this.#map.set(key, value)
    this.#owned?.add(key)
  }

  delete(key: Key): boolean {
    if (!this.#map.has(key)) return false
    this.#unshare()
    return this.#map.delete(key)
  }

  /** The value of `key`, ready to be changed in place: cloned when a copy still shares it. */
  own(key: Key, clone: (value: Value) => Value): Value | undefined {
    const value = this.#map.get(key)
    if (value === undefined || this.#owned === undefined || this.#owned.has(key)) return value
    const mine = clone(value)
    this.set(key, mine)
    return mine
  }

  copy(): CowMap<Key, Value> {
    const twin = new CowMap<Key, Value>()
    twin.#map = this.#map
    twin.#isShared = true
    twin.#owned = new Set()
    this.#isShared = true
    this.#owned = new Set()
    return twin
  }

  #unshare(): void {
    if (!this.#isShared) return
    this.#map = new Map(this.#map)
    this.#isShared = false
  }
}
