import { createHash } from 'node:crypto'
import type { Environment } from '@marcbachmann/cel-js'
import { fnv64a, goFormat, goJson, seededInt, seededText } from './cel-values.ts'

/**
 * Functions that Kubernetes, kro or both offer and the package lacks: `format`, `replace` and
 * `charAt` of texts, and kro's libraries hash, base64, json and random (trace kro/013). A library is
 * a constant of that name whose type has the functions as methods: the package knows no names with
 * a dot. A policy that calls one of kro's by mistake is thus not told so here.
 */
export function registerFunctions(environment: Environment): void {
  const library = (name: string, functions: { readonly [signature: string]: Handler }): void => {
    // The package tells types apart by their constructors.
    const Library = class {
      readonly name = name
    }
    const type = `semel.${name}`
    environment.registerType(type, Library)
    environment.registerConstant(name, type, new Library())
    for (const [signature, handler] of Object.entries(functions)) {
      const method = (_: unknown, ...given: never[]): unknown => handler(...given)
      environment.registerFunction(`${type}.${signature}`, method)
    }
  }
  library('hash', {
    'fnv64a(string): bytes': (text: string) => fnv64a(Buffer.from(text, 'utf8')),
    'sha256(string): bytes': (text: string) => digest('sha256', text),
    'md5(string): bytes': (text: string) => digest('md5', text),
  })
  library('base64', {
    'encode(bytes): string': (bytes: Uint8Array) => Buffer.from(bytes).toString('base64'),
    'encode(string): string': (text: string) => Buffer.from(text, 'utf8').toString('base64'),
    'decode(string): bytes': (text: string) => new Uint8Array(Buffer.from(text, 'base64')),
  })
  library('json', { 'marshal(dyn): string': goJson, 'unmarshal(string): dyn': unmarshal })
  library('random', {
    'seededString(int, string): string': seededText,
    'seededInt(int, int, string): int': seededInt,
  })
  environment.registerFunction('string.format(list<dyn>): string', goFormat)
  environment.registerFunction('string.charAt(int): string', charAt)
  environment.registerFunction('string.replace(string, string): string', replaceAll)
  environment.registerFunction('string.replace(string, string, int): string', replaceSome)
}

type Handler = (...given: never[]) => unknown

function digest(algorithm: string, text: string): Uint8Array {
  return new Uint8Array(createHash(algorithm).update(text, 'utf8').digest())
}

function unmarshal(text: string): unknown {
  return JSON.parse(text, (_, value: unknown) =>
    typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : value,
  )
}

function charAt(text: string, at: bigint): string {
  const index = Number(at)
  const letters = Array.from(text)
  if (index < 0 || index > letters.length) throw new Error(`index out of range: ${index}`)
  return letters[index] ?? ''
}

function replaceAll(text: string, from: string, to: string): string {
  return text.replaceAll(from, () => to)
}

/** A negative count replaces all, as in Go. */
function replaceSome(text: string, from: string, to: string, count: bigint): string {
  let left = count < 0n ? Infinity : Number(count)
  return text.replaceAll(from, (found) => {
    left -= 1
    return left >= 0 ? to : found
  })
}
