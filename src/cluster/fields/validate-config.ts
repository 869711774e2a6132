import { isList, isObject, type Json } from '../../core/json.ts'
import type { TypeRef } from './contract.ts'
import { elementText, fieldElement, itemElement } from './element.ts'
import { goSyntax, goTypeOf, goValue } from './go-value.ts'
import { itemType, memberType } from './nature.ts'

/**
 * What keeps an applied configuration from being read by its schema, as the server says it; the
 * first undeclared field of a map ends the reading of that map.
 */
export function configFaults(value: Json, type: TypeRef, path = ''): readonly string[] {
  if (value === null) return []
  const at = (text: string): readonly string[] => [path === '' ? text : `${path}: ${text}`]
  switch (type.kind) {
    case 'any':
      return []
    case 'object':
    case 'map':
      return isObject(value)
        ? memberFaults(value, type, path)
        : at(`expected map, got ${shown(value)}`)
    case 'list':
      return isList(value)
        ? itemFaults(value, type, path)
        : at(`expected list, got ${shown(value)}`)
    case 'integer':
    case 'number':
      return typeof value === 'number' || typeof value === 'bigint'
        ? []
        : at(`expected numeric (int or float), got ${goTypeOf(value)}`)
    case 'string':
    case 'bytes':
      return typeof value === 'string' ? [] : at(`expected string, got ${pointerText(value)}`)
    case 'boolean':
      return typeof value === 'boolean' ? [] : at(`expected boolean, got ${shown(value)}`)
    case 'int-or-string':
    case 'quantity':
    case 'time':
      break
  }
  return typeof value === 'object' ? at(`expected any scalar, got ${shown(value)}`) : []
}

function memberFaults(
  value: { readonly [key: string]: Json | undefined },
  type: TypeRef,
  path: string,
): readonly string[] {
  const faults: string[] = []
  for (const key in value) {
    const member = value[key]
    if (member === undefined) continue
    const inner = path + elementText(fieldElement(key))
    const isDeclared = type.items !== undefined || type.fields?.has(key) === true
    if (!isDeclared && type.fields !== undefined) {
      faults.push(`${inner}: field not declared in schema`)
      break
    }
    faults.push(...configFaults(member, memberType(type, key), inner))
  }
  return faults
}

function itemFaults(value: readonly Json[], type: TypeRef, path: string): readonly string[] {
  const faults: string[] = []
  const seen = new Set<string>()
  const isKeyed = type.listType === 'set' || type.listType === 'map'
  for (const [index, item] of value.entries()) {
    let element = `[${index}]`
    if (isKeyed) {
      const found = itemElement(item, type)
      if ('fault' in found) return [...faults, `${path}: element ${index}: ${found.fault}`]
      element = elementText(found.element)
      if (seen.has(found.element)) faults.push(`${path}: duplicate entries for key ${element}`)
      seen.add(found.element)
    }
    faults.push(...configFaults(item, itemType(type), path + element))
  }
  return faults
}

/** As the server joins them. */
export function faultsText(faults: readonly string[]): string {
  return faults.length === 1
    ? (faults[0] ?? '')
    : `errors:\n${faults.map((fault) => `  ${fault}`).join('\n')}`
}

/** Go's %v of a wrapped value. */
function shown(value: Json): string {
  return `&{${goValue(value)}}`
}

function pointerText(value: Json): string {
  return `&value.valueUnstructured{Value:${goSyntax(value)}}`
}
