import { isList, isObject, type Json, type JsonObject } from '../../core/json.ts'
import type { Scenario } from './format.ts'

/** One way to play a scenario: a setting that has several values, or a named variant. */
export interface Variant {
  /** Empty for a scenario without variants. */
  readonly name: string
  readonly settings: JsonObject
  readonly changes: JsonObject
  /** Files that stand for the word `variant` in events. */
  readonly files?: readonly string[]
}

export function variantsOf({ engine, variants }: Scenario): readonly Variant[] {
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
  if (variants === undefined) return [{ name: '', settings: single, changes: {} }]
  return Object.entries(variants).map(([name, value]) => ({
    name,
    settings: single,
    changes: isObject(value) ? value : {},
    ...(isList(value) ? { files: value.filter((one) => typeof one === 'string') } : {}),
  }))
}

/** `driftDetection` and `disabled` give `disabled`; a boolean needs its key: `selfHeal on`. */
function nameOf(key: string, value: Json): string {
  if (typeof value === 'boolean') return `${key} ${value ? 'on' : 'off'}`
  return typeof value === 'string' ? value : JSON.stringify(value)
}
