import { goJson, goQuote } from './go-text.ts'
import type { FieldError } from './kind.ts'

const TYPES: { readonly [type in FieldError['type']]: readonly [cause: string, text: string] } = {
  Required: ['FieldValueRequired', 'Required value'],
  Invalid: ['FieldValueInvalid', 'Invalid value'],
  NotSupported: ['FieldValueNotSupported', 'Unsupported value'],
  Forbidden: ['FieldValueForbidden', 'Forbidden'],
  TooLong: ['FieldValueTooLong', 'Too long'],
  TooMany: ['FieldValueTooMany', 'Too many'],
  Duplicate: ['FieldValueDuplicate', 'Duplicate value'],
  NotFound: ['FieldValueNotFound', 'Not found'],
  TypeInvalid: ['FieldValueTypeInvalid', 'Invalid value'],
  InternalError: ['InternalError', 'Internal error'],
}

/** These say only what is wrong, not what stood there. */
const WITHOUT_VALUE: ReadonlySet<string> = new Set([
  'Required',
  'Forbidden',
  'TooLong',
  'InternalError',
])

/** `FieldValueInvalid`: the type of a status cause. */
export function typeName(error: FieldError): string {
  return TYPES[error.type][0]
}

/** `Invalid value: "A": must be lower case` */
export function errorBody(error: FieldError): string {
  const text = TYPES[error.type][1]
  const value = WITHOUT_VALUE.has(error.type) ? undefined : valueText(error)
  const shown = value === undefined ? text : `${text}: ${value}`
  return error.detail === '' ? shown : `${shown}: ${error.detail}`
}

export function errorText(error: FieldError): string {
  return `${error.field}: ${errorBody(error)}`
}

function valueText({ value, rendered }: FieldError): string | undefined {
  if (rendered !== undefined) return rendered
  if (value === undefined) return undefined
  return typeof value === 'string' ? goQuote(value) : goJson(value)
}
