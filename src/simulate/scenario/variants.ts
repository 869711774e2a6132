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

/**
 * The variants of a scenario: the values of a setting that has several, or those that `variants`
 * names, or those that comments in the manifests name (`# variant deadline-600: a line`); the last
 * stand beside the scenario as it is written.
 */
export function variantsOf({ engine, variants }: Scenario, files: Files): readonly Variant[] {
  const lists = Object.entries(engine).filter(([, value]) => isList(value))
  const single: { [key: string]: Json | undefined } = { ...engine }
  const [first] = lists
  if (first !== undefined) {
    const [key, values] = first
    return (values as readonly Json[]).map((value) => ({
      name: nameOf(key, value),
      settings: { ...single, [key]: value },
      changes: {},
    }))
  }
  if (variants === undefined) {
    return ['', ...namedInComments(files)].map((name) => ({ name, settings: single, changes: {} }))
  }
  return Object.entries(variants).map(([name, value]) => ({
    name,
    settings: single,
    changes: isObject(value) ? value : {},
    ...(isList(value) ? { files: value.filter((one) => typeof one === 'string') } : {}),
  }))
}

function namedInComments(files: Files): readonly string[] {
  const names = new Set<string>()
  for (const [path, text] of Object.entries(files)) {
    if (!/\.ya?ml$/.test(path)) continue
    for (const [, name = ''] of text.matchAll(/^\s*# variant ([\w.-]+): /gm)) names.add(name)
  }
  return [...names]
}

/** `driftDetection` and `disabled` give `disabled`; a boolean needs its key: `selfHeal on`. */
function nameOf(key: string, value: Json): string {
  if (typeof value === 'boolean') return `${key} ${value ? 'on' : 'off'}`
  return typeof value === 'string' ? value : JSON.stringify(value)
}
