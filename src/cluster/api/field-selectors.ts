import type { KubeObject } from '../object.ts'
import type { Kind } from './kind.ts'
import { badRequest, type Refusal } from './status.ts'

export type FieldMatch = (object: KubeObject) => boolean

interface Term {
  readonly field: string
  readonly isEqual: boolean
  readonly value: string
}

const OF_ALL: readonly string[] = ['metadata.name', 'metadata.namespace']

/** The match of a field selector of a query (`status.phase!=Running`); undefined when it is empty. */
export function parseFieldSelector(kind: Kind, text: string): FieldMatch | undefined | Refusal {
  if (text === '') return undefined
  const terms: Term[] = []
  for (const part of splitTerms(text)) {
    if (part === '') continue
    const term = readTerm(part)
    if (term === undefined) {
      return badRequest(`invalid selector: '${text}'; can't understand '${part}'`)
    }
    if (typeof term === 'string') return badRequest(term)
    terms.push(term)
  }
  const supported = new Set([...OF_ALL, ...(kind.fieldSelectors ?? [])])
  const unknown = terms.find(({ field }) => !supported.has(field))
  if (unknown !== undefined) return badRequest(unsupported(kind, unknown.field))
  return (object) =>
    terms.every(({ field, isEqual, value }) => (valueOf(kind, object, field) === value) === isEqual)
}

function valueOf(kind: Kind, object: KubeObject, field: string): string {
  const { name, namespace = '' } = object.metadata
  if (field === 'metadata.name') return name
  if (field === 'metadata.namespace') return namespace
  return kind.selectableFields?.(object)[field] ?? ''
}

/** Kinds with fields of their own say it in other words than those with none. */
function unsupported(kind: Kind, field: string): string {
  if (kind.schema !== undefined) {
    return `field label not supported: ${field}`
  }
  if (kind.fieldSelectors === undefined) {
    return `"${field}" is not a known field selector: only "metadata.name", "metadata.namespace"`
  }
  if (kind.group === '') return `field label not supported: ${field}`
  return `field label "${field}" not supported for ${kind.kind}`
}

/** At commas that no backslash stands before. */
function splitTerms(text: string): readonly string[] {
  return text.match(/(?:\\.|[^,\\])*(?:,|$)/g)?.map((part) => part.replace(/,$/, '')) ?? []
}

function readTerm(part: string): Term | string | undefined {
  const match = /^(.*?)(!=|==|=)(.*)$/s.exec(part)
  if (match === null) return undefined
  const [, field = '', operator = '', escaped = ''] = match
  const unescaped = escaped.replaceAll(/\\([\\,=])/g, '')
  const stray = /[\\,=]/.exec(unescaped)
  if (stray !== null) {
    return stray[0] === '\\'
      ? `invalid field selector: invalid escape sequence: \\${unescaped.charAt(stray.index + 1)}`
      : `invalid field selector: unescaped character in value: ${stray[0].codePointAt(0) ?? 0}`
  }
  const value = escaped.replaceAll(/\\([\\,=])/g, '$1')
  return { field, isEqual: operator !== '!=', value }
}
