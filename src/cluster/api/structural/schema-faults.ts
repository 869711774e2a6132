import { isObject, type JsonObject } from '../../../core/json.ts'
import type { FieldError } from '../kind.ts'

const TYPES: readonly string[] = ['array', 'boolean', 'integer', 'number', 'object', 'string']

/** What keeps a schema from being structural: every part has to say its type. */
export function schemaFaults(schema: JsonObject, path: string): readonly FieldError[] {
  const errors: FieldError[] = []
  const { type } = schema
  if (type === undefined || type === '') {
    const detail = 'must not be empty at the root'
    errors.push({ type: 'Required', field: `${path}.type`, detail })
  }
  judge(schema, path, errors, true)
  if (typeof type === 'string' && type !== '' && type !== 'object') {
    const detail = 'must be object at the root'
    errors.push({ type: 'Invalid', field: `${path}.type`, value: type, detail })
  }
  return errors
}

function judge(schema: JsonObject, path: string, errors: FieldError[], isRoot: boolean): void {
  const { type, properties, items, additionalProperties } = schema
  const isOpen =
    schema['x-kubernetes-int-or-string'] === true ||
    schema['x-kubernetes-preserve-unknown-fields'] === true
  if (typeof type === 'string' && type !== '') {
    if (!TYPES.includes(type)) {
      const list = TYPES.map((name) => `"${name}"`).join(', ')
      const detail = `supported values: ${list}`
      errors.push({ type: 'NotSupported', field: `${path}.type`, value: type, detail })
    }
  } else if (!isRoot && !isOpen) {
    const where = path.endsWith('.items') ? 'array items' : 'object fields'
    const detail = `must not be empty for specified ${where}`
    errors.push({ type: 'Required', field: `${path}.type`, detail })
  }
  if (isObject(properties)) {
    for (const name of Object.keys(properties).sort()) {
      const property = properties[name]
      if (isObject(property)) judge(property, `${path}.properties[${name}]`, errors, false)
    }
  }
  if (type === 'array' && !isObject(items)) {
    errors.push({ type: 'Required', field: `${path}.items`, detail: 'must be specified' })
  }
  if (isObject(items)) judge(items, `${path}.items`, errors, false)
  if (isObject(additionalProperties)) {
    judge(additionalProperties, `${path}.additionalProperties`, errors, false)
  }
}
