import { isObject, objectAt, type Json, type JsonObject, type Path } from '../core/json.ts'
import { compareText } from '../core/text.ts'
import { deepMerge, joined, tidied } from './merge.ts'
import type { JobScope } from './scope.ts'

interface Variable {
  readonly name: string
  readonly layer: number
  readonly entry: JsonObject
  readonly path: Path
}

/** Each variable once: from the last layer that has it, in the order of layers, then by name. */
export function envOf(scope: JobScope): readonly JsonObject[] {
  const variables = new Map<string, Variable>()
  variables.set('NAMESPACE', {
    name: 'NAMESPACE',
    layer: 0,
    entry: { valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } },
    path: scope.path,
  })
  for (const [index, { map, path }] of layersOf(scope).entries()) {
    if (map === null) for (const name of variables.keys()) removeInherited(variables, name)
    if (!isObject(map)) continue
    for (const [name, value] of Object.entries(map)) {
      if (value === null || value === undefined) variables.delete(name)
      else
        variables.set(name, {
          name,
          layer: index + 1,
          entry: entryOf(value),
          path: [...path, name],
        })
    }
  }
  const sorted = [...variables.values()].sort(
    (one, other) => one.layer - other.layer || compareText(one.name, other.name),
  )
  return usedFirst(sorted, scope).map(({ name, entry }) => ({ name, ...entry }))
}

/** What is built in is inherited from nobody. */
function removeInherited(variables: Map<string, Variable>, name: string): void {
  if (variables.get(name)?.layer !== 0) variables.delete(name)
}

function layersOf({ root, group, job, path, groupPath }: JobScope): readonly {
  readonly map: Json | undefined
  readonly path: Path
}[] {
  const inherit = inheritOf(group, job)
  const takes = (key: string): boolean => objectAt(inherit, ['env'])?.[key] !== false
  return [
    ...(takes('global')
      ? [{ map: objectAt(root, ['global'])?.['env'], path: ['global', 'env'] }]
      : []),
    ...(takes('root') ? [{ map: root['env'], path: ['env'] }] : []),
    { map: group['env'], path: [...groupPath, 'env'] },
    { map: job['env'], path: [...path, 'env'] },
  ]
}

function entryOf(value: Json): JsonObject {
  if (isObject(value)) return tidied(value) as JsonObject
  return { value }
}

/** Kubernetes replaces `$(X)` only by variables that stand before. */
function usedFirst(sorted: readonly Variable[], scope: JobScope): readonly Variable[] {
  const byName = new Map(sorted.map((variable) => [variable.name, variable]))
  const placed = new Set<Variable>()
  const open: Variable[] = []
  const circles = new Set<string>()
  const place = (variable: Variable): void => {
    if (placed.has(variable)) return
    if (open.includes(variable)) {
      const circle = open.slice(open.indexOf(variable)).map(({ name }) => name)
      const key = [...circle].sort().join(' ')
      if (!circles.has(key)) sayCircle(scope, variable, circle)
      circles.add(key)
      return
    }
    open.push(variable)
    for (const name of referencesIn(variable.entry['value'])) {
      const used = byName.get(name)
      if (used !== undefined) place(used)
    }
    open.pop()
    placed.add(variable)
  }
  for (const variable of sorted) place(variable)
  return [...placed]
}

function sayCircle(scope: JobScope, { name, path }: Variable, circle: readonly string[]): void {
  scope.say('JG118', {
    text: `variables refer to each other in a circle: ${[...circle, name].join(' -> ')}`,
    remedy: 'write one of them out; $$(NAME) stands for the text $(NAME)',
    at: path,
    on: 'value',
  })
}

/** Names in `$(NAME)`; `$$` is a dollar sign. */
function referencesIn(value: Json | undefined): readonly string[] {
  if (typeof value !== 'string') return []
  return [...value.matchAll(/\$(?:\$|\(([^)]*)\))/g)].flatMap(([, name]) => name ?? [])
}

/** What `inherit` of group and job come to. */
export function inheritOf(group: JsonObject, job: JsonObject): JsonObject {
  return deepMerge([group['inherit'], job['inherit']]) ?? {}
}

/** Secrets before ConfigMaps; a name that comes again counts at its last place, as it does there. */
export function envFromOf(
  scope: JobScope,
  configMapName: (name: string) => string,
): readonly JsonObject[] {
  const { root, group, job } = scope
  const inherit = inheritOf(group, job)
  const names = (key: string, takesRoot: boolean): readonly string[] =>
    joined([takesRoot ? root[key] : undefined, group[key], job[key]]).filter(
      (name) => typeof name === 'string',
    )
  const secrets = names('envSecrets', inherit['envSecrets'] !== false)
  const configMaps = names('envConfigMaps', inherit['configMaps'] !== false).map(configMapName)
  return [
    ...lastOnes(secrets).map((name) => ({ secretRef: { name } })),
    ...lastOnes(configMaps).map((name) => ({ configMapRef: { name } })),
  ]
}

function lastOnes(names: readonly string[]): readonly string[] {
  return names.filter((name, index) => names.lastIndexOf(name) === index)
}
