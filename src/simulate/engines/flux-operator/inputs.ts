import { isObject, listAt, objectAt, stringAt, type JsonObject } from '../../../core/json.ts'
import type { Reader } from '../../../cluster/actor.ts'
import type { KubeObject } from '../../../cluster/object.ts'
import { GROUP, PROVIDERS } from './kinds.ts'
import type { Failure, Input } from './state.ts'

/** Inputs of all sources, or why they cannot be computed. Undefined: the set asks for none. */
export function inputsOf(set: KubeObject, read: Reader): readonly Input[] | undefined | Failure {
  const sources = listAt(set, ['spec', 'inputsFrom'])
  const own = listAt(set, ['spec', 'inputs']).filter(isObject)
  if (sources.length === 0 && own.length === 0) return undefined
  const providers = new Map<string, KubeObject>()
  const namespace = set.metadata.namespace ?? ''
  for (const source of sources) {
    const name = stringAt(source, ['name'])
    const selector = objectAt(source, ['selector'])
    if (name !== undefined && name !== '') {
      const provider = read.get(PROVIDERS, namespace, name)
      if (provider === undefined) {
        const what = `ResourceSetInputProvider.${GROUP} "${name}" not found`
        return { fault: `failed to get provider ${namespace}/${name}: ${what}` }
      }
      providers.set(name, provider)
    } else if (selector === undefined) {
      return { fault: 'input provider reference must have either name or selector set' }
    } else {
      for (const provider of read.list(PROVIDERS, namespace)) {
        if (selects(selector, provider)) providers.set(provider.metadata.name, provider)
      }
    }
  }
  const sets: Group[] = own.length === 0 ? [] : [{ of: set, inputs: own }]
  for (const provider of providers.values()) {
    sets.push({
      of: provider,
      inputs: listAt(provider, ['status', 'exportedInputs']).filter(isObject),
    })
  }
  const isPermuted = stringAt(set, ['spec', 'inputStrategy', 'name']) === 'Permute'
  return isPermuted ? permuted(sets) : flattened(sets)
}

interface Group {
  readonly of: KubeObject
  readonly inputs: readonly JsonObject[]
}

/** Each input by itself, with its provider. */
function flattened(groups: readonly Group[]): readonly Input[] {
  return groups.flatMap(({ of, inputs }) =>
    inputs.map((input) => ({ ...input, provider: providerOf(of) })),
  )
}

/** Every combination of one input of each provider, under the providers' names. */
function permuted(groups: readonly Group[]): readonly Input[] {
  let combined: readonly Input[] = [{}]
  for (const { of, inputs } of groups) {
    const name = of.metadata.name.replaceAll(/[^a-zA-Z0-9]/g, '_')
    combined = combined.flatMap((before) =>
      inputs.map((input) => ({ ...before, [name]: { ...input, provider: providerOf(of) } })),
    )
  }
  return combined.map((input, position) => ({ ...input, id: String(position) }))
}

function providerOf({ apiVersion, kind, metadata }: KubeObject): JsonObject {
  return { apiVersion, kind, name: metadata.name, namespace: metadata.namespace ?? '' }
}

/** A label selector: matchLabels and matchExpressions, all of them. */
export function selects(selector: JsonObject, object: KubeObject): boolean {
  const labels = object.metadata.labels ?? {}
  const wanted = objectAt(selector, ['matchLabels']) ?? {}
  if (!Object.entries(wanted).every(([key, value]) => labels[key] === value)) return false
  return listAt(selector, ['matchExpressions']).every((expression) => {
    const key = stringAt(expression, ['key']) ?? ''
    const value = labels[key]
    const values = listAt(expression, ['values'])
    const isIn = value !== undefined && values.includes(value)
    switch (stringAt(expression, ['operator']) ?? '') {
      case 'In':
        return isIn
      case 'NotIn':
        return !isIn
      case 'Exists':
        return value !== undefined
      case 'DoesNotExist':
        return value === undefined
      default:
        return false
    }
  })
}
