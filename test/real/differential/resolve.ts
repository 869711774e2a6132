import { canonicalJson } from '../../../src/core/canonical-json.ts'
import { isObject, type Json, type JsonObject } from '../../../src/core/json.ts'

/** What the placeholders of a script stand for on one side: its namespace, its answers so far. */
export interface Known {
  readonly namespace: string
  readonly answers: ReadonlyMap<string, JsonObject>
}

const WHOLE = /^\$\(([^()]+)\)$/
const PART = /\$\(([^()]+)\)/g

/** Fills in the placeholders of `script.ts`. A value that is not there leaves its key out. */
export function resolve(value: Json | undefined, known: Known): Json | undefined {
  if (typeof value === 'string') return resolveText(value, known)
  if (Array.isArray(value)) return value.map((item: Json) => resolve(item, known) ?? null)
  if (!isObject(value)) return value
  const label = value['$of']
  if (typeof label === 'string') {
    const changes = resolve(value['$merge'], known)
    const base = known.answers.get(filledText(label, known)) ?? {}
    return isObject(changes) ? merged(base, changes) : base
  }
  const filled: { [key: string]: Json | undefined } = {}
  for (const [key, item] of Object.entries(value)) {
    const found = resolve(item, known)
    if (found !== undefined) filled[key] = found
  }
  return filled
}

function resolveText(text: string, known: Known): Json | undefined {
  const whole = WHOLE.exec(text)?.[1]
  if (whole !== undefined) return lookUp(whole, known)
  return filledText(text, known)
}

function filledText(text: string, known: Known): string {
  return text.replaceAll(PART, (_, reference: string) => {
    const found = lookUp(reference, known)
    return typeof found === 'string' ? found : canonicalJson(found ?? null)
  })
}

function lookUp(reference: string, { namespace, answers }: Known): Json | undefined {
  if (reference === 'namespace') return namespace
  const [label = '', path = ''] = reference.split(':', 2)
  let here: Json | undefined = answers.get(label)
  for (const key of path.split('.')) here = isObject(here) ? here[key] : undefined
  return here
}

/** RFC 7386. */
function merged(base: Json, changes: JsonObject): JsonObject {
  const result: { [key: string]: Json | undefined } = { ...(isObject(base) ? base : {}) }
  for (const [key, change] of Object.entries(changes)) {
    if (change === null) delete result[key]
    else result[key] = isObject(change) ? merged(result[key] ?? null, change) : change
  }
  return result
}
