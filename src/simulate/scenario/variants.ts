import { isList, isObject, type Json, type JsonObject } from '../../core/json.ts'
import type { Scenario } from './format.ts'
import type { Files } from './stage.ts'

/** One way to play a scenario: a setting that has several values, or a named variant. */
export interface Variant {
  /** Empty for a scenario without variants. */
  readonly name: string
  readonly settings: JsonObject
  readonly changes: JsonObject
  /** Files that stand for the word `variant` in events. */
  readonly files?: readonly string[]
}

/** Settings that are lists by themselves: they are one answer, and not one for each. */
const LISTS: ReadonlySet<string> = new Set([
  'syncOptions',
  'dependsOn',
  'postRenderers',
  'healthChecks',
  'inputs',
  'ignoreDifferences',
])

/**
 * The variants of a scenario: the values of settings that have several (each with each, the last one
 * changing fastest), those that `variants` names, or those that comments in the manifests name (`#
 * variant deadline-600: a line`); the last stand beside the scenario as it is written.
 */
export function variantsOf({ engine, variants }: Scenario, files: Files): readonly Variant[] {
  const listed = settingsOf(engine)
  if (variants === undefined) {
    if (listed.length > 1) return listed.map((one) => ({ ...one, changes: {} }))
    return ['', ...namedInComments(files)].map((name) => ({
      name,
      settings: listed[0]?.settings ?? engine,
      changes: {},
    }))
  }
  return Object.entries(variants).flatMap(([name, value]) =>
    listed.map((one) => {
      const { settings, changes } = told(value)
      const chosen = isList(value) ? value : isObject(value) ? filesOf(value) : undefined
      return {
        name: [name, one.name].filter((part) => part !== '').join(', '),
        settings: { ...one.settings, ...settings },
        changes,
        ...(chosen === undefined
          ? {}
          : { files: chosen.filter((path) => typeof path === 'string') }),
      }
    }),
  )
}

type Settings = Pick<Variant, 'name' | 'settings'>

/** One for each combination of values; a single one without a name where no setting has several. */
function settingsOf(engine: JsonObject): readonly Settings[] {
  const all: readonly Settings[] = [{ name: '', settings: engine }]
  return Object.entries(engine).reduce((made, [key, value]) => {
    const values = valuesOf(key, value)
    if (values === undefined) return made
    return made.flatMap(({ name, settings }) =>
      values.map((one) => ({
        name: [name, nameOf(one.key, one.named)].filter((part) => part !== '').join(', '),
        settings: { ...settings, [key]: one.value },
      })),
    )
  }, all)
}

interface One {
  readonly key: string
  readonly named: Json
  readonly value: Json
}

/** `[true, false]`, or a list within a setting: `{limit: [0, 5]}`. */
function valuesOf(key: string, value: Json | undefined): readonly One[] | undefined {
  if (LISTS.has(key)) return undefined
  if (isList(value)) return value.map((one) => ({ key, named: one, value: one }))
  if (!isObject(value)) return undefined
  for (const [inner, list] of Object.entries(value)) {
    if (!isList(list) || LISTS.has(inner) || list.some((one) => typeof one === 'object')) continue
    return list.map((one) => ({ key: inner, named: one, value: { ...value, [inner]: one } }))
  }
  return undefined
}

/** Keys of a variant with a dot are fields of objects; others are settings of the engine. */
function told(value: Json): { readonly settings: JsonObject; readonly changes: JsonObject } {
  if (!isObject(value)) return { settings: {}, changes: {} }
  const { engine, ...changes } = value
  const settings: { [key: string]: Json | undefined } = {}
  for (const [key, one] of Object.entries(changes)) {
    if (key.startsWith('engine.')) settings[key.slice('engine.'.length)] = one
    else if (!key.includes('.') && !OF_WORK.has(key)) settings[key] = one
  }
  return { settings: { ...settings, ...(isObject(engine) ? engine : {}) }, changes }
}

/** Keys of a variant that say how the work behaves, or which files are meant. */
export const OF_WORK: ReadonlySet<string> = new Set([
  'duration',
  'completes',
  'exits',
  'attempts',
  'ready',
  'needs',
  'workloads',
  'apply',
  'files',
])

function filesOf(value: JsonObject): readonly Json[] | undefined {
  const named = value['apply'] ?? value['files']
  return isList(named) ? named : typeof named === 'string' ? [named] : undefined
}

function namedInComments(files: Files): readonly string[] {
  const names = new Set<string>()
  for (const [path, text] of Object.entries(files)) {
    if (!/\.ya?ml$/.test(path)) continue
    for (const [, name = ''] of text.matchAll(/^\s*# variant ([\w.-]+): /gm)) names.add(name)
  }
  return [...names]
}

/** `driftDetection` and `disabled` give `disabled`; what is no text needs its key: `selfHeal on`. */
function nameOf(key: string, value: Json): string {
  if (typeof value === 'boolean') return `${key} ${value ? 'on' : 'off'}`
  if (typeof value === 'number') return `${key} ${value}`
  return typeof value === 'string' ? value : JSON.stringify(value)
}
