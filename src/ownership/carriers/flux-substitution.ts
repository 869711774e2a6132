import {
  isList,
  isObject,
  listAt,
  objectAt,
  stringAt,
  at,
  type Json,
  type JsonObject,
} from '../../core/json.ts'
import { resolvePlain } from '../../core/yaml/resolve.ts'
import type { Entry } from '../kustomize/built.ts'
import { edited } from '../kustomize/steps.ts'
import { fileOf } from '../place.ts'
import {
  originOf,
  partOf,
  withPart,
  itemsOf,
  isTracedObject,
  type Origin,
  type Traced,
} from '../traced.ts'
import type { Say, Surroundings } from './carrier.ts'

/** The variables of a Kustomization's postBuild. */
export interface Variables {
  readonly values: ReadonlyMap<string, { readonly text: string; readonly origin: Origin }>
  /** False when a Secret or a ConfigMap that is not in the repository may define more. */
  readonly complete: boolean
}

const NAME = /^[_A-Za-z][_A-Za-z0-9]*$/
const DISABLED = 'kustomize.toolkit.fluxcd.io/substitute'

export function variablesOf(object: Traced<JsonObject>, repo: Surroundings): Variables | undefined {
  const postBuild = objectAt(object.value, ['spec', 'postBuild'])
  if (postBuild === undefined) return undefined
  const values = new Map<string, { text: string; origin: Origin }>()
  let complete = true
  const namespace = stringAt(object.value, ['metadata', 'namespace'])
  for (const reference of listAt(postBuild, ['substituteFrom'])) {
    const name = stringAt(reference, ['name'])
    const isConfigMap = stringAt(reference, ['kind']) === 'ConfigMap'
    const near = fileOf(object.trace.origin)
    const data =
      isConfigMap && name !== undefined ? repo.configMaps.data(name, namespace, near) : undefined
    if (data === undefined) {
      // A later source wins over earlier ones, and this one may hold anything.
      complete = false
      values.clear()
    }
    for (const { key, text, origin } of data ?? []) values.set(key, { text, origin })
  }
  const own = objectAt(postBuild, ['substitute']) ?? {}
  for (const [key, value] of Object.entries(own)) {
    if (value === undefined || value === null || isObject(value) || isList(value)) continue
    const origin = originOf(object, ['spec', 'postBuild', 'substitute', key])
    values.set(key, { text: String(value), origin })
  }
  return { values, complete }
}

/** The entry with its variables replaced, as far as their values are written in the repository. */
export function substituted(entry: Entry, variables: Variables | undefined, say: Say): Entry {
  if (variables === undefined || (variables.values.size === 0 && variables.complete)) return entry
  const metadata = at(entry.object.value, ['metadata'])
  for (const field of ['labels', 'annotations']) {
    if (stringAt(metadata, [field, DISABLED])?.toLowerCase() === 'disabled') return entry
  }
  return edited(entry, (object) => {
    const after = replaceIn(object, variables, say)
    return isTracedObject(after) ? after : object
  })
}

function replaceIn(whole: Traced, variables: Variables, say: Say): Traced {
  const { value } = whole
  if (typeof value === 'string')
    return value.includes('${') ? replaceText(whole, value, variables, say) : whole
  let now = whole
  if (isList(value)) {
    for (const [index, item] of itemsOf(whole).entries())
      now = replacePart(now, index, item, variables, say)
  } else if (isObject(value)) {
    for (const key of Object.keys(value)) {
      const item = partOf(whole, key)
      if (item !== undefined) now = replacePart(now, key, item, variables, say)
    }
  }
  return now
}

function replacePart(
  whole: Traced,
  step: string | number,
  part: Traced,
  variables: Variables,
  say: Say,
): Traced {
  const after = replaceIn(part, variables, say)
  return after === part ? whole : (withPart(whole, step, after) ?? whole)
}

function replaceText(whole: Traced, text: string, variables: Variables, say: Say): Traced {
  const result = expand(text, variables)
  for (const name of result.undefined) {
    say(
      whole.trace.origin,
      `\${${name}} has no value and no default`,
      'Flux refuses to build this Kustomization, or puts in nothing where its strict mode is off',
    )
  }
  if (result.text === text) return whole
  const value: Json = result.open ? result.text : plain(text, result.text)
  const only = result.only === undefined ? undefined : variables.values.get(result.only)
  return { value, trace: { origin: only?.origin ?? whole.trace.origin } }
}

/**
 * Flux substitutes in the YAML text, so what was a plain word is read again: `"${TTL}"` in the
 * file can become a number. Texts that YAML would quote stay text.
 */
function plain(before: string, after: string): Json {
  if (!/^[A-Za-z0-9_$/.{}:=+-]+$/.test(before) || before.includes(': ')) return after
  return resolvePlain(after, 'kubernetes') ?? after
}

interface Expansion {
  readonly text: string
  /** Something is left that only the cluster knows. */
  readonly open: boolean
  /** The variable, when the text is nothing else. */
  readonly only: string | undefined
  readonly undefined: readonly string[]
}

/** `${NAME}`, and the same with `:-`, `:=` or `=` and a default; `$${NAME}` stays `${NAME}`. */
export function expand(text: string, variables: Variables): Expansion {
  let open = false
  const missing: string[] = []
  const replaced = text.replaceAll(EXPRESSION, (whole: string, escaped: string, inner: string) => {
    if (escaped === '$') return whole.slice(1)
    const parts = /^([^:=]*)(?:(:-|:=|=)([\s\S]*))?$/.exec(inner)
    const name = parts?.[1] ?? ''
    if (parts === null || !NAME.test(name)) {
      open = true
      return whole
    }
    const [, , operator, fallback = ''] = parts
    const known = variables.values.get(name)?.text.replaceAll('\n', '')
    if (known !== undefined && (known !== '' || operator === undefined)) return known
    const decided = known !== undefined || variables.complete
    if (decided && operator !== undefined && !fallback.includes('$')) return fallback
    open = true
    if (variables.complete && known === undefined && operator === undefined) missing.push(name)
    return whole
  })
  const only = /^\$\{([_A-Za-z][_A-Za-z0-9]*)\b[^}]*\}$/.exec(text)?.[1]
  return { text: replaced, open, only, undefined: missing }
}

const EXPRESSION = /(\$?)\$\{([^{}]*)\}/g
