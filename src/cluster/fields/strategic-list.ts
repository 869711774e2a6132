import { isList, isObject, type Json, type JsonObject } from '../../core/json.ts'
import { equal } from './equal.ts'
import { goTypeOf, goValue } from './go-value.ts'
import { badPatchType, PatchRefused } from './strategic-fault.ts'

export const DIRECTIVE = '$patch'

interface Merging {
  readonly mergeKey: string
  readonly mergeItem: (item: JsonObject, patch: JsonObject) => JsonObject
}

/**
 * A list merged by key, or scalars as a set. What the patch names stands in the order of the patch,
 * the rest in the order of the live list, woven together by the live order as well as it goes.
 */
export function mergeList(
  live: readonly Json[],
  patch: readonly Json[],
  { mergeKey, mergeItem }: Merging,
): readonly Json[] {
  if (live.length === 0 && patch.length === 0) return live
  const isOfMaps = itemsAreMaps(live, patch)
  if (!isOfMaps) {
    const both = [...live, ...patch]
    const merged = both.filter((item, at) => both.indexOf(item) === at)
    const order = { order: patch, live, wanted: patch, mergeKey }
    return inElementOrder(merged, order)
  }
  if (mergeKey === '') throw new PatchRefused('cannot merge lists without merge key for struct')
  const special = withSpecialItems(live, patch, mergeKey)
  const merged = mergeItems(special.live, special.patch, { mergeKey, mergeItem })
  return inElementOrder(merged, {
    order: special.patch,
    live: special.live,
    wanted: special.patch,
    mergeKey,
  })
}

function itemsAreMaps(...lists: readonly (readonly Json[])[]): boolean {
  const all = lists.flat()
  const [first] = all
  if (first === undefined) throw new PatchRefused('no elements in any of the given slices')
  if (isList(first)) throw new PatchRefused('lists of lists are not supported', 422)
  if (all.some((item) => goTypeOf(item) !== goTypeOf(first))) {
    const shown = lists.map((list) => goValue(list)).join(' ')
    throw new PatchRefused(`list element types are not identical: [${shown}]`)
  }
  return isObject(first)
}

/** Items with a directive: `delete` one by its key, or `replace` the whole list by the others. */
function withSpecialItems(
  live: readonly Json[],
  patch: readonly Json[],
  mergeKey: string,
): { readonly live: readonly Json[]; readonly patch: readonly Json[] } {
  let left = live
  let replaces = false
  const plain: Json[] = []
  for (const item of patch) {
    const map = item as JsonObject
    const directive = map[DIRECTIVE]
    if (directive === undefined) plain.push(item)
    else if (directive === 'delete') {
      const key = keyOf(map, mergeKey)
      left = left.filter((one) => !isObject(one) || !sameKey(one[mergeKey], key))
    } else if (directive === 'replace') replaces = true
    else if (directive === 'merge') {
      throw new PatchRefused('merging lists cannot yet be specified in the patch')
    } else throw badPatchType(directive, map)
  }
  return replaces ? { live: plain, patch: [] } : { live: left, patch: plain }
}

function mergeItems(
  live: readonly Json[],
  patch: readonly Json[],
  { mergeKey, mergeItem }: Merging,
): readonly Json[] {
  const merged = [...live]
  for (const item of patch) {
    const map = item as JsonObject
    const key = keyOf(map, mergeKey)
    const at = merged.findIndex((one) => isObject(one) && sameKey(one[mergeKey], key))
    const had = merged[at]
    if (isObject(had)) merged[at] = mergeItem(had, map)
    else merged.push(item)
  }
  return merged
}

function keyOf(map: Json, mergeKey: string): Json {
  const key = isObject(map) ? map[mergeKey] : undefined
  if (key === undefined) {
    throw new PatchRefused(`map: ${goValue(map)} does not contain declared merge key: ${mergeKey}`)
  }
  return key
}

function sameKey(one: Json | undefined, other: Json | undefined): boolean {
  return one === other || (one !== undefined && other !== undefined && equal(one, other))
}

export function deletedFrom(live: readonly Json[], gone: readonly Json[]): readonly Json[] {
  return live.filter((item) => !gone.some((one) => equal(one, item)))
}

/** What a patch lists must stand in the same order in its $setElementOrder. */
export function checkElementOrder(
  patch: readonly Json[],
  order: readonly Json[],
  mergeKey: string,
): void {
  if (order.length === 0 || patch.length === 0) return
  const idOf = (item: Json): Json => (mergeKey === '' ? item : keyOf(item, mergeKey))
  const kept = patch.filter((item) => !isObject(item) || item[DIRECTIVE] !== 'delete')
  let at = 0
  let place = 0
  while (at < kept.length && place < order.length) {
    const item = kept[at] ?? null
    // Skipped only on the way: behind the last ordered item a directive is out of order.
    if (isObject(item) && item[DIRECTIVE] !== undefined) at += 1
    else {
      if (equal(idOf(item), idOf(order[place] ?? null))) at += 1
      place += 1
    }
  }
  if (at < kept.length) {
    const message =
      `The order in patch list:\n${goValue(patch)}\n ` +
      `doesn't match $setElementOrder list:\n${goValue(order)}\n`
    throw new PatchRefused(message)
  }
}

interface Orders {
  readonly order: readonly Json[]
  readonly live: readonly Json[]
  readonly wanted: readonly Json[]
  readonly mergeKey: string
}

/**
 * The live order that the server goes by when $setElementOrder and a patch of the list come
 * together. It edits the list in place: deleted items close up, new ones land in the freed places
 * at its end, and what stays free there repeats what stood there before.
 */
export function editedOrder(
  live: readonly Json[],
  patch: readonly Json[],
  mergeKey: string,
): readonly Json[] {
  if (mergeKey === '') return live
  const edited = [...live]
  let count = edited.length
  const placeOf = (item: Json): number => {
    const key = keyOf(item, mergeKey)
    const among = edited.slice(0, count)
    return among.findIndex((one) => isObject(one) && sameKey(one[mergeKey], key))
  }
  const directiveOf = (item: Json): Json | undefined =>
    isObject(item) ? item[DIRECTIVE] : undefined
  for (const item of patch) {
    if (directiveOf(item) !== 'delete') continue
    for (let at = placeOf(item); at >= 0; at = placeOf(item)) {
      edited.copyWithin(at, at + 1, count)
      count -= 1
    }
  }
  if (patch.some((item) => directiveOf(item) === 'replace')) return edited
  for (const item of patch) {
    if (directiveOf(item) !== undefined || placeOf(item) >= 0) continue
    if (count >= edited.length) break
    edited[count] = item
    count += 1
  }
  return edited
}

export function inElementOrder(
  merged: readonly Json[],
  { order, live, wanted, mergeKey }: Orders,
): readonly Json[] {
  if (merged.length > 0) itemsAreMaps(live, wanted, merged)
  const idOf = (item: Json): Json => (mergeKey === '' ? item : keyOf(item, mergeKey))
  const placeIn = (list: readonly Json[], item: Json): number => {
    const id = idOf(item)
    return list.findIndex((one) =>
      sameKey(mergeKey === '' ? one : (one as JsonObject)[mergeKey], id),
    )
  }
  const by =
    (list: readonly Json[]) =>
    (one: Json, other: Json): number =>
      placeIn(list, one) - placeIn(list, other)
  const named = merged.filter((item) => placeIn(order, item) >= 0).sort(by(order))
  const others = merged.filter((item) => placeIn(order, item) < 0).sort(by(live))
  const woven: Json[] = []
  let left = 0
  for (const item of named) {
    const place = placeIn(live, item)
    for (let next = others[left]; next !== undefined; next = others[left]) {
      const before = placeIn(live, next)
      if (place < 0 || before < 0 || before > place) break
      woven.push(next)
      left += 1
    }
    woven.push(item)
  }
  return [...woven, ...others.slice(left)]
}
