import { at, isList, isObject, type Json, type JsonObject, type Path } from '../core/json.ts'
import type { YamlDocument } from '../core/yaml/document.ts'

/** A value's place: a path in a document. */
export interface Origin {
  readonly document: YamlDocument
  readonly path: Path
}

/**
 * Where the parts of a value were written. A part without an entry of its own was written with its
 * parent, one step further. An entry without a value stands for something that was taken away.
 */
export interface Trace {
  readonly origin: Origin
  readonly parts?: ReadonlyMap<string | number, Trace>
}

/** A value that changes by patches and remembers which of them wrote what. Never changed in place. */
export interface Traced<Value extends Json = Json> {
  readonly value: Value
  readonly trace: Trace
}

export function traced<Value extends Json>(value: Value, origin: Origin): Traced<Value> {
  return { value, trace: { origin } }
}

/** Where the part at `path` was written, or would stand if it is missing. */
export function originOf(whole: Traced, path: Path): Origin {
  let trace: Trace | undefined = whole.trace
  let origin = whole.trace.origin
  for (const step of path) {
    trace = trace?.parts?.get(step)
    origin = trace?.origin ?? { document: origin.document, path: [...origin.path, step] }
  }
  return origin
}

/** One part with its trace; undefined when it is missing. */
export function partOf(whole: Traced, step: string | number): Traced | undefined {
  const value = at(whole.value, [step])
  if (value === undefined) return undefined
  return { value, trace: whole.trace.parts?.get(step) ?? extended(whole.trace.origin, step) }
}

/**
 * `value` at `path`, written at `origin`. Mappings that are missing on the way are created. Gives
 * undefined when the way leads through something that is no mapping, or past the end of a list.
 */
export function setAt(whole: Traced, path: Path, value: Json, origin: Origin): Traced | undefined {
  const [step, ...rest] = path
  if (step === undefined) return traced(value, origin)
  const before = partOf(whole, step)
  const start = before ?? (rest.length > 0 ? traced({}, origin) : undefined)
  const after =
    start === undefined || rest.length === 0
      ? traced(value, origin)
      : setAt(start, rest, value, origin)
  return after === undefined ? undefined : withPart(whole, step, after)
}

/** Like `setAt`, for a whole that is a mapping and a way that cannot fail; else unchanged. */
export function setField(
  whole: Traced<JsonObject>,
  path: Path,
  value: Json,
  origin: Origin,
): Traced<JsonObject> {
  const after = setAt(whole, path, value, origin)
  return after !== undefined && isTracedObject(after) ? after : whole
}

/** The whole with one part replaced. Undefined when `step` does not fit the kind of the whole. */
export function withPart(whole: Traced, step: string | number, part: Traced): Traced | undefined {
  const parts = new Map(whole.trace.parts)
  parts.set(step, part.trace)
  const trace = { origin: whole.trace.origin, parts }
  if (isObject(whole.value) && typeof step === 'string') {
    return { value: { ...whole.value, [step]: part.value }, trace }
  }
  if (isList(whole.value) && typeof step === 'number' && step >= 0 && step <= whole.value.length) {
    const value = [...whole.value]
    value[step] = part.value
    return { value, trace }
  }
  return undefined
}

/** The mapping without a key; `origin` is what took it away. */
export function withoutKey(
  whole: Traced<JsonObject>,
  key: string,
  origin: Origin,
): Traced<JsonObject> {
  const { [key]: _gone, ...value } = whole.value
  const parts = new Map(whole.trace.parts)
  parts.set(key, { origin })
  return { value, trace: { origin: whole.trace.origin, parts } }
}

/** A list of parts that may come from different places. */
export function tracedList(items: readonly Traced[], origin: Origin): Traced<readonly Json[]> {
  const parts = new Map(items.map((item, index) => [index, item.trace]))
  return { value: items.map((item) => item.value), trace: { origin, parts } }
}

export function itemsOf(list: Traced): readonly Traced[] {
  if (!isList(list.value)) return []
  return list.value.map((value, index) => ({
    value,
    trace: list.trace.parts?.get(index) ?? extended(list.trace.origin, index),
  }))
}

export function isTracedObject(whole: Traced): whole is Traced<JsonObject> {
  return isObject(whole.value)
}

function extended(origin: Origin, step: string | number): Trace {
  return { origin: { document: origin.document, path: [...origin.path, step] } }
}
