import { isList, isObject, type Json, type JsonObject } from '../../../core/json.ts'
import { goStringJson } from '../../api/go-text.ts'
import { goType, type GoField, type GoType } from './types.ts'

/**
 * A value as complaints show it: JSON of the server's internal Go type, with its names (`Rules`),
 * its order, and all that is unset as null, 0 or "".
 */
export function internalText(typeName: string, value: Json | undefined): string {
  return isObject(value) ? structText(goType(typeName), value) : 'null'
}

/** The same for types of apimachinery, which complaints show as the API spells them. */
export function externalText(typeName: string, value: Json | undefined): string {
  return isObject(value) ? `{${externalItems(goType(typeName), value).join(',')}}` : 'null'
}

/** These have one Go type for both sides, so that a complaint spells them as the API does. */
const SHARED: ReadonlySet<string> = new Set([
  'ObjectMeta',
  'LabelSelector',
  'LabelSelectorRequirement',
  'OwnerReference',
  'ManagedFieldsEntry',
])

function structText(type: GoType, value: JsonObject): string {
  if (SHARED.has(type.name)) return `{${externalItems(type, value).join(',')}}`
  const items: string[] = []
  for (const field of type.fields) {
    if (field.go === undefined) continue
    const found = read(type, field, value)
    if (field.of === 'ObjectMeta') {
      if (isObject(found)) items.push(...externalItems(goType('ObjectMeta'), found))
    } else items.push(`"${field.go}":${fieldText(field, found)}`)
  }
  return `{${items.join(',')}}`
}

/** The internal security context of a pod holds what the API has in the pod's spec. */
function read(type: GoType, field: GoField, value: JsonObject): Json | undefined {
  if (type.name !== 'PodSpec' || field.json !== 'securityContext') return value[field.json]
  const { securityContext, hostNetwork, hostPID, hostIPC, shareProcessNamespace, hostUsers } = value
  if (!isObject(securityContext)) return securityContext
  const moved = { hostNetwork, hostPID, hostIPC, shareProcessNamespace, hostUsers }
  return { ...securityContext, ...moved }
}

function fieldText(field: GoField, value: Json | undefined): string {
  if (value === undefined || value === null) return zeroText(field)
  if (field.wrap === 'list') {
    if (!isList(value) || value.length === 0) return 'null'
    return `[${value.map((item) => oneText(field.of, item)).join(',')}]`
  }
  if (field.wrap === 'map') return isObject(value) ? mapText(field.of, value) : 'null'
  return oneText(field.of, value)
}

function zeroText({ wrap, internalPointer, of, struct }: GoField): string {
  if (wrap !== 'none' || internalPointer || of === 't' || of === 'a' || of === 'x') return 'null'
  if (struct !== undefined) return structText(struct, {})
  return of === 's' ? '""' : of === 'b' ? 'false' : of === 'q' ? '"0"' : '0'
}

function mapText(of: string, map: JsonObject): string {
  const keys = Object.keys(map).sort()
  if (keys.length === 0) return 'null'
  return `{${keys.map((key) => `${goStringJson(key)}:${oneText(of, map[key] ?? null)}`).join(',')}}`
}

function oneText(of: string, value: Json): string {
  if (of.length > 1) return structText(goType(of), isObject(value) ? value : {})
  return scalarText(value)
}

function scalarText(value: Json): string {
  if (typeof value === 'string') return goStringJson(value)
  if (typeof value === 'object' && value !== null) return JSON.stringify(value)
  return String(value)
}

function externalItems(type: GoType, value: JsonObject): readonly string[] {
  const items: string[] = []
  for (const { json, wrap, of } of type.fields) {
    const found = value[json]
    if (found === undefined) continue
    items.push(`"${json}":${externalValue(wrap, of, found)}`)
  }
  return items
}

function externalValue(wrap: GoField['wrap'], of: string, value: Json): string {
  if (wrap === 'list' && isList(value)) {
    return `[${value.map((item) => externalValue('none', of, item)).join(',')}]`
  }
  if (wrap === 'map' && isObject(value)) return mapText(of, value)
  return of.length > 1 && isObject(value)
    ? `{${externalItems(goType(of), value).join(',')}}`
    : scalarText(value)
}

/** A map of text, as complaints show labels. */
export function labelsText(labels: Json | undefined): string {
  return isObject(labels) ? mapText('s', labels) : 'null'
}
