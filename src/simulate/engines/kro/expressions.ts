import { isList, isObject, type Json } from '../../../core/json.ts'
import type { Cel } from '../../../cluster/api/contract.ts'

export type Variables = { readonly [name: string]: Json | undefined }

/**
 * `pending`: something that it reads is not there yet. `unknown`: the evaluator lacks what it uses,
 * so what kro would make of it cannot be predicted.
 */
export interface Unresolved {
  readonly is: 'pending' | 'fault' | 'unknown'
  readonly what: string
}

export type Evaluated = { readonly value: Json } | { readonly unresolved: Unresolved }

/** The expression of a text that is one as a whole: `${...}`. */
function wholeExpression(text: string): string | undefined {
  const [part, second] = partsOf(text)
  return typeof part === 'object' && second === undefined ? part.expression : undefined
}

/** An entry of includeWhen or readyWhen: `${...}`, or plain CEL. */
export function conditionOf(text: string): string {
  return (wholeExpression(text.trim()) ?? text).trim()
}

/** Literal texts and expressions of a template text, in order. */
export function partsOf(text: string): readonly (string | { readonly expression: string })[] {
  const parts: (string | { readonly expression: string })[] = []
  let from = 0
  for (;;) {
    const start = text.indexOf('${', from)
    const end = start < 0 ? -1 : endOf(text, start + 2)
    if (start < 0 || end < 0) break
    if (start > from) parts.push(text.slice(from, start))
    parts.push({ expression: text.slice(start + 2, end) })
    from = end + 1
  }
  if (from < text.length) parts.push(text.slice(from))
  return parts
}

/** Position of the brace that closes an expression; braces inside and in texts do not. */
function endOf(text: string, from: number): number {
  let depth = 1
  let quote = ''
  for (let at = from; at < text.length; at += 1) {
    const letter = text[at] ?? ''
    if (quote !== '') {
      if (letter === '\\') at += 1
      else if (letter === quote) quote = ''
      continue
    }
    if (letter === '"' || letter === "'") quote = letter
    else if (letter === '{') depth += 1
    else if (letter === '}') depth -= 1
    if (depth === 0) return at
  }
  return -1
}

/** All expressions in a template. */
export function expressionsOf(template: Json): readonly string[] {
  if (typeof template === 'string') {
    return partsOf(template).flatMap((part) => (typeof part === 'string' ? [] : [part.expression]))
  }
  if (isList(template)) return template.flatMap(expressionsOf)
  if (!isObject(template)) return []
  return Object.values(template).flatMap((value) =>
    value === undefined ? [] : expressionsOf(value),
  )
}

/** Names that an expression reads; text in quotes and members after a dot are none. */
export function namesIn(expression: string): ReadonlySet<string> {
  const code = expression.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, '""')
  return new Set([...code.matchAll(/(?<![\w.])[A-Za-z_]\w*/g)].map(([name]) => name))
}

/** `at` names the place for messages. */
export function evaluate(cel: Cel, expression: string, variables: Variables): Evaluated {
  const answer = cel.evaluate(expression, variables)
  if ('value' in answer) return { value: answer.value }
  const { fault, isUnsupported } = answer
  if (isUnsupported === true)
    return { unresolved: { is: 'unknown', what: `${expression}: ${fault}` } }
  const isPending = /^(no such key|unknown variable|undeclared reference|index out of)/i.test(fault)
  return { unresolved: { is: isPending ? 'pending' : 'fault', what: `${expression}: ${fault}` } }
}

export type Resolved = { readonly value: Json } | { readonly unresolved: Unresolved }

/** A template with the values of its expressions: a text that is one expression takes its type. */
export function resolve(cel: Cel, template: Json, variables: Variables): Resolved {
  if (typeof template === 'string') return resolveText(cel, template, variables)
  if (isList(template)) {
    const items: Json[] = []
    for (const item of template) {
      const resolved = resolve(cel, item, variables)
      if ('unresolved' in resolved) return resolved
      items.push(resolved.value)
    }
    return { value: items }
  }
  if (!isObject(template)) return { value: template }
  const copy: { [key: string]: Json } = {}
  for (const [key, item] of Object.entries(template)) {
    if (item === undefined) continue
    const resolved = resolve(cel, item, variables)
    if ('unresolved' in resolved) return resolved
    copy[key] = resolved.value
  }
  return { value: copy }
}

function resolveText(cel: Cel, text: string, variables: Variables): Resolved {
  const parts = partsOf(text)
  const [only, second] = parts
  if (typeof only === 'object' && second === undefined) {
    return evaluate(cel, only.expression, variables)
  }
  let made = ''
  for (const part of parts) {
    if (typeof part === 'string') {
      made += part
      continue
    }
    const evaluated = evaluate(cel, part.expression, variables)
    if ('unresolved' in evaluated) return evaluated
    const { value } = evaluated
    made += typeof value === 'object' ? JSON.stringify(value) : String(value)
  }
  return { value: made }
}
