import { isObject, stringAt, type JsonObject } from '../../core/json.ts'
import { isTemplated } from '../../core/templates.ts'

/** How an object is called now and before: a patch may use any of its names so far. */
export interface Identity {
  readonly name: string | undefined
  readonly namespace: string | undefined
}

/** The target of a patch: regular expressions that must match from end to end. */
export interface Selector {
  readonly group?: string
  readonly version?: string
  readonly kind?: string
  readonly name?: string
  readonly namespace?: string
  readonly labelSelector?: string
  readonly annotationSelector?: string
}

/** `unknown` when the answer hangs on text that only rendering can give. */
export type Match = boolean | 'unknown'

const FIELDS = [
  'group',
  'version',
  'kind',
  'name',
  'namespace',
  'labelSelector',
  'annotationSelector',
] as const

export function selectorFrom(target: JsonObject): Selector {
  const selector: Partial<Record<keyof Selector, string>> = {}
  for (const field of FIELDS) {
    const text = stringAt(target, [field])
    if (text !== undefined && text !== '') selector[field] = text
  }
  return selector
}

/** Whether kustomize's selector picks an object, by any of the identities it has had. */
export function selects(
  selector: Selector,
  object: JsonObject,
  identities: readonly Identity[],
): Match {
  const [group, version] = groupVersion(stringAt(object, ['apiVersion']) ?? '')
  return all([
    matches(selector.group, group),
    matches(selector.version, version),
    matches(selector.kind, stringAt(object, ['kind']) ?? ''),
    any(identities.map(({ namespace }) => matches(selector.namespace, namespace ?? 'default'))),
    any(identities.map(({ name }) => matches(selector.name, name ?? ''))),
    matchesPairs(selector.labelSelector, object, 'labels'),
    matchesPairs(selector.annotationSelector, object, 'annotations'),
  ])
}

export function groupVersion(apiVersion: string): readonly [string, string] {
  const slash = apiVersion.indexOf('/')
  return slash < 0 ? ['', apiVersion] : [apiVersion.slice(0, slash), apiVersion.slice(slash + 1)]
}

function matches(pattern: string | undefined, text: string): Match {
  if (pattern === undefined || pattern === text) return true
  if ([pattern, text].some(isTemplated)) return 'unknown'
  if (/^[A-Za-z0-9.-]*$/.test(pattern) && !pattern.includes('.')) return false
  // A repeated group that repeats inside can take for ever here, unlike in Go.
  if (/[+*}]\)[+*{?]/.test(pattern) || pattern.length > 256) return 'unknown'
  try {
    return new RegExp(`^(?:${pattern})$`).test(text)
  } catch {
    return 'unknown'
  }
}

function matchesPairs(
  selector: string | undefined,
  object: JsonObject,
  field: 'labels' | 'annotations',
): Match {
  if (selector === undefined) return true
  const metadata = object['metadata']
  const held = isObject(metadata) ? metadata[field] : undefined
  const pairs = isObject(held) ? held : {}
  const terms = selector.match(/[^,(]+(?:\([^)]*\))?[^,]*/g) ?? []
  return all(terms.map((term) => matchesTerm(term.trim(), pairs)))
}

function matchesTerm(term: string, pairs: JsonObject): Match {
  const set = /^(\S+)\s+(in|notin)\s*\(([^)]*)\)$/.exec(term)
  if (set?.[1] !== undefined && set[3] !== undefined) {
    const values = set[3].split(',').map((value) => value.trim())
    const value = stringAt(pairs, [set[1]])
    const found = value !== undefined && values.includes(value)
    return isTemplated(value) ? 'unknown' : found === (set[2] === 'in')
  }
  const equals = /^([^=!\s]+)\s*(==|=|!=)\s*(\S*)$/.exec(term)
  if (equals?.[1] !== undefined) {
    const value = stringAt(pairs, [equals[1]])
    if (isTemplated(value)) return 'unknown'
    return (value === equals[3]) === (equals[2] !== '!=')
  }
  if (/^![^\s=]+$/.test(term)) return pairs[term.slice(1).trim()] === undefined
  return /^[^\s=!]+$/.test(term) ? pairs[term] !== undefined : 'unknown'
}

function all(answers: readonly Match[]): Match {
  if (answers.includes(false)) return false
  return answers.includes('unknown') ? 'unknown' : true
}

function any(answers: readonly Match[]): Match {
  if (answers.includes(true)) return true
  return answers.includes('unknown') ? 'unknown' : false
}
