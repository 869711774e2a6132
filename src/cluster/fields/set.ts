import { compareElements } from './element.ts'

/**
 * A set of fields in the form of FieldsV1: element (`f:spec`, `k:{"name":"a"}`, `v:"x"`) -> what is
 * below. A node without anything below it is a member itself; one with something below is a member
 * when it holds `.`. The root is never a member: there `{}` is the empty set. Elements stand in
 * their order, nodes are never changed, and results share what they can, so most operations cost
 * what differs.
 */
export interface FieldSet {
  readonly [element: string]: FieldSet
}

export type FieldPath = readonly string[]

export const EMPTY: FieldSet = {}
const SELF = '.'

export function isEmpty(set: FieldSet): boolean {
  for (const element in set) if (element !== SELF) return false
  return true
}

function isMember(node: FieldSet): boolean {
  return node[SELF] !== undefined || isEmpty(node)
}

export function has(set: FieldSet, path: FieldPath): boolean {
  let here: FieldSet | undefined = set
  for (const element of path) here = here?.[element]
  return path.length > 0 && here !== undefined && isMember(here)
}

export function union(one: FieldSet, other: FieldSet): FieldSet {
  if (one === other || isEmpty(other)) return one
  if (isEmpty(one)) return other
  return unitedBelow(one, other)
}

function unitedBelow(one: FieldSet, other: FieldSet): FieldSet {
  let next: { [element: string]: FieldSet } | undefined
  let added = false
  for (const element in other) {
    if (element === SELF) continue
    const had = one[element]
    const theirs = other[element] ?? EMPTY
    const united = had === undefined ? theirs : unitedNodes(had, theirs)
    if (united === had) continue
    next ??= { ...one }
    next[element] = united
    if (had === undefined) added = true
  }
  if (next === undefined) return one
  return added ? ordered(next) : next
}

function unitedNodes(one: FieldSet, other: FieldSet): FieldSet {
  if (one === other) return one
  const member = isMember(one) || isMember(other)
  const below = isEmpty(one) ? other : isEmpty(other) ? one : unitedBelow(one, other)
  return node(below, member)
}

export function intersection(one: FieldSet, other: FieldSet): FieldSet {
  let next: { [element: string]: FieldSet } | undefined
  for (const element in other) {
    if (element === SELF) continue
    const mine = one[element]
    if (mine === undefined) continue
    const theirs = other[element] ?? EMPTY
    const member = isMember(mine) && isMember(theirs)
    const below = intersection(mine, theirs)
    if (!member && isEmpty(below)) continue
    next ??= {}
    next[element] = node(below, member)
  }
  return next ?? EMPTY
}

/** Members of `one` that are not members of `other`; what lies below a member is its own. */
export function difference(one: FieldSet, other: FieldSet): FieldSet {
  return lessened(one, other, false)
}

/** As `difference`, and with a member goes all that lies below it. */
export function recursiveDifference(one: FieldSet, other: FieldSet): FieldSet {
  return lessened(one, other, true)
}

function lessened(one: FieldSet, other: FieldSet, recursive: boolean): FieldSet {
  let next: { [element: string]: FieldSet } | undefined
  for (const element in other) {
    if (element === SELF) continue
    const mine = one[element]
    if (mine === undefined) continue
    const theirs = other[element] ?? EMPTY
    const covered = isMember(theirs)
    const member = isMember(mine) && !covered
    const below = isEmpty(mine)
      ? EMPTY
      : recursive && covered
        ? EMPTY
        : lessened(mine, theirs, recursive)
    if (below === mine && member === isMember(mine)) continue
    next ??= { ...one }
    if (!member && isEmpty(below)) delete next[element]
    else next[element] = node(below, member)
  }
  return next ?? one
}

/** A node with these elements below, marked or unmarked as a member. */
export function node(below: FieldSet, member: boolean): FieldSet {
  if (isEmpty(below)) return EMPTY
  const marked = below[SELF] !== undefined
  if (marked === member) return below
  if (member) return { [SELF]: EMPTY, ...below }
  const { [SELF]: _, ...rest } = below
  return rest
}

/** Calls back for each member, parents first, with a path that is only lent. */
export function forEach(set: FieldSet, call: (path: FieldPath) => void): void {
  walk(set, [], call)
}

/** Members of one node come before what is below any of them, as the server lists them. */
function walk(set: FieldSet, path: string[], call: (path: FieldPath) => void): void {
  for (const element in set) {
    if (element === SELF || !isMember(set[element] ?? EMPTY)) continue
    path.push(element)
    call(path)
    path.pop()
  }
  for (const element in set) {
    const below = set[element]
    if (element === SELF || below === undefined || isEmpty(below)) continue
    path.push(element)
    walk(below, path, call)
    path.pop()
  }
}

/** A set of nodes by their elements, which it puts in order. */
export function setOf(nodes: ReadonlyMap<string, FieldSet>): FieldSet {
  const elements = [...nodes.keys()]
  if (elements.length > 1) elements.sort(compareElements)
  const set: { [element: string]: FieldSet } = {}
  for (const element of elements) set[element] = nodes.get(element) ?? EMPTY
  return set
}

/** Collects paths in any order and gives them out as a set in order. */
export class SetBuilder {
  #root: Draft | undefined

  /** The root itself is never a member. */
  add(path: FieldPath): void {
    this.graft(path, EMPTY)
  }

  /** A whole node, in its place; nothing else is ever put at or below that path. */
  graft(path: FieldPath, grown: FieldSet): void {
    const last = path.at(-1)
    if (last === undefined) return
    this.#root ??= new Map()
    let here = this.#root
    for (let at = 0; at < path.length - 1; at += 1) {
      const element = path[at] ?? ''
      const below = here.get(element)
      if (below instanceof Map) here = below
      else {
        const made: Draft = new Map()
        if (below !== undefined) made.set(SELF, EMPTY)
        here.set(element, made)
        here = made
      }
    }
    const had = here.get(last)
    if (had instanceof Map) had.set(SELF, EMPTY)
    else here.set(last, grown)
  }

  build(): FieldSet {
    return this.#root === undefined ? EMPTY : finished(this.#root)
  }
}

type Draft = Map<string, Draft | FieldSet>

function finished(draft: Draft): FieldSet {
  const elements = [...draft.keys()]
  if (elements.length > 1) elements.sort(compareElements)
  const set: { [element: string]: FieldSet } = {}
  for (const element of elements) {
    const below = draft.get(element) ?? EMPTY
    set[element] = below instanceof Map ? finished(below) : below
  }
  return set
}

function ordered(set: FieldSet): FieldSet {
  const elements = Object.keys(set)
  for (let at = 1; at < elements.length; at += 1) {
    if (compareElements(elements[at - 1] ?? '', elements[at] ?? '') <= 0) continue
    elements.sort(compareElements)
    const sorted: { [element: string]: FieldSet } = {}
    for (const element of elements) sorted[element] = set[element] ?? EMPTY
    return sorted
  }
  return set
}
