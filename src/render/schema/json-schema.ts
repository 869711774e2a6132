import type { JsonObject } from '../../core/json.ts'
import { VALUES } from './root-fields.ts'
import type { Field, Fields, Shape } from './shape.ts'

/**
 * values.schema.json, for editors and for Helm, whose draft it follows. Null is a value of every
 * key, because it takes away what would be inherited. `open`: other top-level keys are no fault,
 * as in a chart that has more than Jobs.
 */
export function valuesJsonSchema(options: { readonly open?: boolean } = {}): string {
  const top = schemaOf(VALUES)
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Values of semel render',
    ...top,
    ...(options.open === true ? { additionalProperties: true } : {}),
  }
  return `${JSON.stringify(schema, undefined, 2)}\n`
}

function schemaOf(shape: Shape): JsonObject {
  switch (shape.is) {
    case 'text':
      return shape.oneOf === undefined ? nullable('string') : { enum: [...shape.oneOf, null] }
    case 'integer':
      return {
        ...nullable('integer'),
        ...(shape.least === undefined ? {} : { minimum: shape.least }),
      }
    case 'boolean':
      return nullable('boolean')
    case 'command':
      return { type: ['string', 'array', 'null'], items: { type: 'string' } }
    case 'textList':
      return {
        type: shape.orText === true ? ['string', 'array', 'null'] : ['array', 'null'],
        items: { type: 'string' },
      }
    case 'wave':
      return { type: ['integer', 'string', 'null'], pattern: '^-?[0-9]+$' }
    case 'flags':
      return { type: ['boolean', 'object', 'null'], additionalProperties: nullable('boolean') }
    case 'env':
      return { ...nullable('object'), additionalProperties: VARIABLE }
    case 'map':
      return {
        ...nullable('object'),
        ...(shape.dnsNames === true ? { propertyNames: DNS_LABEL } : {}),
        additionalProperties: schemaOf(shape.of),
      }
    case 'fields':
      return {
        ...nullable('object'),
        properties: propertiesOf(shape.fields),
        additionalProperties: shape.open === true,
      }
    case 'kubernetes':
    default:
      return shape.type === 'list'
        ? { ...nullable('array'), items: { type: 'object' } }
        : nullable('object')
  }
}

function propertiesOf(fields: Fields): JsonObject {
  return Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, described(field)]))
}

function described({ shape, about, standard }: Field): JsonObject {
  const text = about.replaceAll('`', '')
  const normally = standard === undefined ? '' : ` Default: ${standard.replaceAll('`', '')}.`
  return {
    description: `${text.charAt(0).toUpperCase()}${text.slice(1)}.${normally}`,
    ...schemaOf(shape),
  }
}

function nullable(type: string): JsonObject {
  return { type: [type, 'null'] }
}

const DNS_LABEL = { maxLength: 63, pattern: '^[a-z0-9]([a-z0-9-]*[a-z0-9])?$' }

const VARIABLE: JsonObject = {
  type: ['string', 'object', 'null'],
  properties: { value: nullable('string'), valueFrom: nullable('object') },
  additionalProperties: false,
}
