import { Environment } from '@marcbachmann/cel-js'
import { isList, isObject, type Json } from '../core/json.ts'
import { registerFunctions } from './cel-functions.ts'

/** CEL by an npm package (ADR 8), for whatever asks for an evaluator. */
export interface CelEvaluator {
  evaluate(
    expression: string,
    variables: { readonly [name: string]: Json | undefined },
  ): { readonly value: Json } | CelFault
}

export interface CelFault {
  readonly fault: string
  /** The package does not know the form or the function: real CEL may, so nothing is proved. */
  readonly isUnsupported?: true
}

type Program = (variables: unknown) => unknown

/** Programs are kept by their text: policies ask the same again and again. */
export function createCel(): CelEvaluator {
  const environment = new Environment({
    enableOptionalTypes: true,
    homogeneousAggregateLiterals: false,
    unlistedVariablesAreDyn: true,
  })
  registerFunctions(environment)
  const programs = new Map<string, Program | string>()
  return {
    evaluate(expression, variables) {
      let program = programs.get(expression)
      if (program === undefined) {
        program = parse(environment, expression)
        if (programs.size >= MOST_PROGRAMS) programs.clear()
        programs.set(expression, program)
      }
      if (typeof program === 'string') return { fault: program, isUnsupported: true }
      try {
        return { value: fromCel(program(toCel(variables))) }
      } catch (error) {
        return faultOf(error)
      }
    },
  }
}

const MOST_PROGRAMS = 1000

function parse(environment: Environment, expression: string): Program | string {
  try {
    return environment.parse(expression) as unknown as Program
  } catch (error) {
    return firstLine(error)
  }
}

function faultOf(error: unknown): CelFault {
  const fault = firstLine(error)
  return fault.startsWith('found no matching overload') ? { fault, isUnsupported: true } : { fault }
}

/** The package shows the expression below its message. */
function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return (text.split('\n', 1)[0] ?? text).replace(/^No such key:/, 'no such key:')
}

/** A whole number is an int in CEL, as Kubernetes converts by schema. */
function toCel(value: Json | undefined): unknown {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value
  if (isList(value)) return value.map(toCel)
  if (!isObject(value)) return value
  const copy: { [key: string]: unknown } = {}
  for (const [key, item] of Object.entries(value)) if (item !== undefined) copy[key] = toCel(item)
  return copy
}

function fromCel(value: unknown): Json {
  if (typeof value === 'bigint') {
    return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER
      ? Number(value)
      : value
  }
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return value
  if (Array.isArray(value)) return value.map(fromCel)
  if (value instanceof Map) {
    return Object.fromEntries([...value].map(([key, item]) => [String(key), fromCel(item)]))
  }
  if (typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fromCel(item)]))
  }
  throw new Error('the expression gives a value that has no JSON form')
}
