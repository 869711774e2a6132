import {
  at,
  isList,
  isObject,
  stringAt,
  type Json,
  type JsonObject,
  type Path,
} from '../core/json.ts'
import type { Setting } from './engine.ts'

/** One setting to read: where it stands, and what holds when nobody wrote it. */
export interface SettingRow {
  readonly name: string
  readonly path: Path
  /** Left out: a setting that is absent is not listed. */
  readonly preset?: string
  readonly show?: (value: Json) => string
}

export function readSettings(
  carrier: JsonObject | undefined,
  rows: readonly SettingRow[],
): readonly Setting[] {
  return rows.flatMap(({ name, path, preset, show = textOf }) => {
    const value = at(carrier, path)
    if (value !== undefined && value !== null) return [{ name, path, value: show(value) }]
    return preset === undefined ? [] : [{ name, value: preset }]
  })
}

/** Text and numbers as they are; names of a list of references; else how many there are. */
export function textOf(value: Json): string {
  if (isList(value)) {
    const names = value.map(nameOf)
    return names.every((name) => name !== undefined) && names.length > 0
      ? names.join(', ')
      : String(value.length)
  }
  return isObject(value) ? Object.keys(value).join(', ') : String(value)
}

function nameOf(item: Json): string | undefined {
  if (typeof item === 'string') return item
  const name = stringAt(item, ['name']) ?? stringAt(item, ['id'])
  if (name === undefined) return undefined
  const namespace = stringAt(item, ['namespace'])
  return namespace === undefined ? name : `${namespace}/${name}`
}

export function countOf(value: Json): string {
  return isList(value) ? String(value.length) : textOf(value)
}
