import { isObject, type Json, type JsonObject } from '../../core/json.ts'
import { own, put } from './value.ts'

type Values = { [key: string]: Json | undefined }

/** What coalescing needs of a chart. */
export interface ValuesOf {
  readonly name: string
  readonly values: JsonObject
  readonly charts: readonly ValuesOf[]
}

/** Maps deep, everything else replaced; null takes a key away. */
export function mergeValues(below: JsonObject, above: JsonObject): JsonObject {
  const merged: Values = { ...below }
  for (const [key, value] of Object.entries(above)) {
    if (value === null) {
      delete merged[key]
      continue
    }
    const there = merged[key]
    merged[key] = isObject(there) && isObject(value) ? mergeValues(there, value) : value
  }
  return merged
}

/**
 * The values that a chart and the charts in it get: their own below those that are given; each
 * subchart sees what stands under its name, and `global`. Null of a user takes a default away.
 */
export function coalesced(chart: ValuesOf, given: JsonObject): JsonObject {
  const names = new Set(chart.charts.map(({ name }) => name))
  const values = below(given, chart.values, (key) => names.has(key))
  for (const child of chart.charts) {
    const there = own(values, child.name) as Json | undefined
    if (there !== undefined && there !== null && !isObject(there)) {
      throw new Error(`type mismatch on ${child.name}: the values of a chart must be a map`)
    }
    const table = withGlobals(isObject(there) ? there : {}, values)
    put(values, child.name, coalesced(child, table))
  }
  return values
}

/**
 * `given` on top; a key that both have as maps is joined, another one of `given` wins. Null takes a
 * key away, but stays below a key that is kept: the chart of this name has to see it too.
 */
function below(
  given: JsonObject,
  defaults: JsonObject,
  isKept: (key: string) => boolean,
  isInside = false,
): Values {
  const made: Values = {}
  for (const [key, value] of Object.entries(given)) {
    if (value === undefined) continue
    if (value === null && !isInside && Object.hasOwn(defaults, key)) continue
    put(made, key, value)
  }
  for (const [key, value] of Object.entries(defaults)) {
    if (value === undefined) continue
    if (!Object.hasOwn(given, key)) put(made, key, value)
    else {
      const there = given[key]
      if (isObject(there) && isObject(value)) {
        const inner = below(there, value, NONE, isInside || isKept(key))
        put(made, key, inner)
      }
    }
  }
  return made
}

const NONE = (): boolean => false

/** The parent's globals win. */
function withGlobals(table: JsonObject, parent: JsonObject): JsonObject {
  const given = isObject(table['global']) ? table['global'] : {}
  const above = isObject(parent['global']) ? parent['global'] : {}
  return { ...table, global: over(given, above) }
}

function over(low: JsonObject, high: JsonObject): JsonObject {
  const made: Values = { ...low }
  for (const [key, value] of Object.entries(high)) {
    const there = low[key]
    if (isObject(there) && !isObject(value)) continue
    made[key] = isObject(there) && isObject(value) ? below(value, there, NONE) : value
  }
  return made
}

/** What stands at `a.b.c`; undefined where it leads to nothing. */
export function valueAt(values: JsonObject, path: string): Json | undefined {
  let here: Json | undefined = values
  for (const key of path.split('.')) {
    if (!isObject(here) || !Object.hasOwn(here, key)) return undefined
    here = here[key]
  }
  return here
}

/** `import-values`: tables of a subchart become defaults of its parent. */
export function joined(defaults: JsonObject, imported: JsonObject): JsonObject {
  return below(defaults, imported, NONE, true)
}
