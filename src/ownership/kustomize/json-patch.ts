import {
  at,
  isList,
  isObject,
  stringAt,
  type Json,
  type JsonObject,
  type Path,
} from '../../core/json.ts'
import type { Origin, Traced } from '../traced.ts'
import {
  isTracedObject,
  itemsOf,
  originOf,
  partOf,
  setAt,
  traced,
  tracedList,
  withoutKey,
  withPart,
} from '../traced.ts'

/** The object after a JSON patch, or why kustomize refuses the patch. */
export type Patched = { readonly object: Traced<JsonObject> } | { readonly refusal: string }

/**
 * A list of RFC 6902 operations, each written at `origin` and its position. All or nothing, as
 * kustomize does it: `add` and `replace` need the parent, `remove` needs the value.
 */
export function applyJsonPatch(
  whole: Traced<JsonObject>,
  operations: readonly Json[],
  origin: Origin,
): Patched {
  let now: Traced = whole
  for (const [index, operation] of operations.entries()) {
    const there: Origin = { document: origin.document, path: [...origin.path, index] }
    const after = isObject(operation) ? applyOne(now, operation, there) : 'is not a mapping'
    if (typeof after === 'string') return { refusal: `operation ${index + 1} ${after}` }
    now = after
  }
  return isTracedObject(now) ? { object: now } : { refusal: 'the patch leaves no object' }
}

function applyOne(whole: Traced, operation: JsonObject, origin: Origin): Traced | string {
  const { op, path, value } = operation
  if (typeof op !== 'string' || typeof path !== 'string') return 'has no op or no path'
  const target = parsePointer(path)
  if (target === undefined) return `has a path that does not start with /: ${path}`
  // kustomize keeps notes of its own in the annotations, so that mapping is always there.
  const start = target[0] === 'metadata' && target[1] === 'annotations' ? annotated(whole) : whole
  const written: Origin = { document: origin.document, path: [...origin.path, 'value'] }
  const part = value === undefined ? traced(null, origin) : traced(value, written)
  switch (op) {
    case 'add':
    case 'replace':
      return put(start, target, part, op) ?? `finds nothing to hold ${path}`
    case 'remove':
      return remove(start, target, origin) ?? `finds nothing at ${path}`
    case 'copy':
    case 'move': {
      const text = stringAt(operation, ['from']) ?? ''
      const from = parsePointer(text)
      if (from === undefined) return `has a from that does not start with /: ${text}`
      return transfer(start, { op, from, target, origin }) ?? `finds no way from ${text} to ${path}`
    }
    case 'test':
      return isEqual(follow(whole, target)?.value, value ?? null)
        ? whole
        : `finds another value at ${path}`
    default:
      return `has the unknown op ${op}`
  }
}

function annotated(whole: Traced): Traced {
  const path = ['metadata', 'annotations']
  if (!isObject(at(whole.value, ['metadata'])) || isObject(at(whole.value, path))) return whole
  return setAt(whole, path, {}, originOf(whole, path)) ?? whole
}

function transfer(
  whole: Traced,
  step: { op: 'copy' | 'move'; from: Path; target: Path; origin: Origin },
): Traced | undefined {
  const value = follow(whole, step.from)
  if (value === undefined) return undefined
  const rest = step.op === 'move' ? remove(whole, step.from, step.origin) : whole
  return rest && put(rest, step.target, value, 'add')
}

function follow(whole: Traced, path: Path): Traced | undefined {
  let here: Traced | undefined = whole
  for (const step of path) here = here && partOf(here, stepIn(here, step))
  return here
}

function put(whole: Traced, path: Path, part: Traced, op: 'add' | 'replace'): Traced | undefined {
  if (path.length === 0) return part
  return edit(whole, path, (holder, step) => {
    if (!isList(holder.value)) return withPart(holder, step, part)
    if (typeof step !== 'number' || step > holder.value.length) return undefined
    if (op === 'replace') {
      return step < holder.value.length ? withPart(holder, step, part) : undefined
    }
    const items = [...itemsOf(holder)]
    items.splice(step, 0, part)
    return tracedList(items, holder.trace.origin)
  })
}

function remove(whole: Traced, path: Path, origin: Origin): Traced | undefined {
  return edit(whole, path, (holder, step) => {
    if (at(holder.value, [step]) === undefined) return undefined
    if (typeof step === 'string') {
      return isTracedObject(holder) ? withoutKey(holder, step, origin) : undefined
    }
    const items = itemsOf(holder).filter((_, index) => index !== step)
    return tracedList(items, holder.trace.origin)
  })
}

/** `change` on the part that holds the last step of `path`; undefined where the way ends. */
function edit(
  whole: Traced,
  path: Path,
  change: (holder: Traced, step: string | number) => Traced | undefined,
): Traced | undefined {
  const [first, ...rest] = path
  if (first === undefined) return undefined
  const step = stepIn(whole, first)
  if (rest.length === 0) return change(whole, step)
  const part = partOf(whole, step)
  const after = part && edit(part, rest, change)
  return after && withPart(whole, step, after)
}

/** In a list, the text of a position becomes a number, and `-` the place after the last item. */
function stepIn(whole: Traced, step: string | number): string | number {
  if (!isList(whole.value) || typeof step === 'number') return step
  if (step === '-') return whole.value.length
  return /^\d+$/.test(step) ? Number(step) : step
}

function parsePointer(text: string): Path | undefined {
  if (text === '') return []
  if (!text.startsWith('/')) return undefined
  return text
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function isEqual(one: Json | undefined, other: Json | undefined): boolean {
  if (isList(one) && isList(other)) {
    return one.length === other.length && one.every((item, index) => isEqual(item, other[index]))
  }
  if (!isObject(one) || !isObject(other)) return one === other
  const keys = Object.keys(one)
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isEqual(one[key], other[key]))
  )
}
