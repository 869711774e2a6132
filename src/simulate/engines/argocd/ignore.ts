import {
  isList,
  isObject,
  listAt,
  stringAt,
  type Json,
  type JsonObject,
} from '../../../core/json.ts'
import type { KubeObject } from '../../../cluster/object.ts'
import type { App } from './application.ts'

/** The object without what ignoreDifferences names by JSON pointers. */
export function withoutIgnored(object: JsonObject, app: App): JsonObject {
  return pointersOf(object, app).reduce((rest, path) => removed(rest, path) as JsonObject, object)
}

/** RespectIgnoreDifferences: what is ignored is applied as it is (trace 048). */
export function withIgnoredOf(
  target: JsonObject,
  live: KubeObject | undefined,
  app: App,
  respected: boolean,
): JsonObject {
  if (!respected || live === undefined) return target
  return pointersOf(target, app).reduce(
    (rest, path) => taken(rest, live, path) as JsonObject,
    target,
  )
}

function pointersOf(object: JsonObject, app: App): readonly (readonly string[])[] {
  return app.ignoreDifferences
    .filter((rule) => isMeant(rule, object))
    .flatMap((rule) =>
      listAt(rule, ['jsonPointers'])
        .filter((pointer) => typeof pointer === 'string')
        .map((pointer) =>
          pointer
            .split('/')
            .slice(1)
            .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~')),
        ),
    )
}

function isMeant(rule: JsonObject, object: JsonObject): boolean {
  const [group = ''] = (stringAt(object, ['apiVersion']) ?? '').split('/').toReversed().slice(1)
  const matches = (pattern: string | undefined, value: string | undefined): boolean =>
    pattern === undefined || pattern === '*' || pattern === value
  return (
    matches(stringAt(rule, ['group']) ?? '', group) &&
    matches(stringAt(rule, ['kind']), stringAt(object, ['kind'])) &&
    matches(stringAt(rule, ['name']), stringAt(object, ['metadata', 'name'])) &&
    matches(stringAt(rule, ['namespace']), stringAt(object, ['metadata', 'namespace']))
  )
}

function removed(value: Json | undefined, [step, ...rest]: readonly string[]): Json | undefined {
  if (step === undefined) return value
  if (isList(value)) {
    const place = Number(step)
    if (rest.length === 0) return value.filter((_, at) => at !== place)
    return value.map((item, at) => (at === place ? (removed(item, rest) ?? item) : item))
  }
  if (!isObject(value) || value[step] === undefined) return value
  if (rest.length > 0) return { ...value, [step]: removed(value[step], rest) }
  const { [step]: _, ...kept } = value
  return kept
}

function taken(
  value: Json | undefined,
  live: Json | undefined,
  [step, ...rest]: readonly string[],
): Json | undefined {
  if (step === undefined) return live ?? value
  if (!isObject(value) || !isObject(live)) return value
  const part = taken(value[step], live[step], rest)
  return part === undefined ? value : { ...value, [step]: part }
}
