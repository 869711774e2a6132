import {
  isList,
  isObject,
  listAt,
  stringAt,
  type Json,
  type JsonObject,
} from '../../../core/json.ts'
import type { FullParser } from '../../../core/yaml/document.ts'
import { readFile } from '../../../core/yaml/read-file.ts'
import { annotationOf } from '../../../engines/metadata.ts'
import type { Functions } from '../../go-template/exec.ts'
import { TemplateSet } from '../../go-template/exec.ts'
import { builtins } from '../../go-template/functions.ts'
import { sprig, valueOf } from '../../go-template/sprig.ts'
import { printed, type Value } from '../../go-template/value.ts'
import { GROUP } from './kinds.ts'
import { millisecondsOf, stepsOf } from './settings.ts'
import type { Failure, Input } from './state.ts'

export interface BuiltStep {
  readonly name: string
  readonly timeoutMs: number | undefined
  readonly objects: readonly JsonObject[]
}

const DELIMITERS = { open: '<<', close: '>>' }

/**
 * O-4: the objects of each step, one instance per input; of objects that come out twice the first
 * counts. An object that says `reconcile: disabled` of itself is left out.
 */
export function build(
  set: JsonObject,
  inputs: readonly Input[] | undefined,
  fullParser?: FullParser,
): readonly BuiltStep[] | Failure {
  const seen = new Set<string>()
  const isNew = (object: JsonObject): boolean => {
    const key = identityOf(object)
    return !seen.has(key) && seen.add(key) !== undefined
  }
  try {
    return stepsOf(set).map((step) => ({
      name: stringAt(step, ['name']) ?? '',
      timeoutMs: millisecondsOf(step['timeout']),
      objects: (inputs ?? [undefined])
        .flatMap((input) => instance(step, input, fullParser))
        .filter((object) => annotationOf(object, `${GROUP}/reconcile`) !== 'disabled')
        .filter(isNew),
    }))
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) }
  }
}

function identityOf(object: JsonObject): string {
  const metadata = object['metadata']
  const [namespace, name] = ['namespace', 'name'].map((key) => stringAt(metadata, [key]) ?? '')
  return `${stringAt(object, ['apiVersion']) ?? ''} ${stringAt(object, ['kind']) ?? ''} ${namespace ?? ''}/${name ?? ''}`
}

function instance(
  step: JsonObject,
  input: Input | undefined,
  fullParser: FullParser | undefined,
): readonly JsonObject[] {
  const renderer = rendererOf(input, fullParser)
  const listed = listAt(step, ['resources']).map((resource) => renderer.value(resource))
  const template = stringAt(step, ['resourcesTemplate'])
  const written = template === undefined ? [] : parse(renderer.text(template), fullParser)
  return [...listed, ...written].filter(isObject)
}

interface Renderer {
  text(template: string): string
  value(value: Json): Json
}

function rendererOf(input: Input | undefined, fullParser: FullParser | undefined): Renderer {
  let functions: Functions | undefined
  const text = (template: string): string => {
    if (!template.includes(DELIMITERS.open)) return template
    functions ??= functionsWith(input)
    const set = new TemplateSet(functions, DELIMITERS)
    set.add('resourceset', template)
    return set.run('resourceset', {})
  }
  const value = (given: Json): Json => {
    if (typeof given === 'string') {
      if (!given.includes(DELIMITERS.open)) return given
      const rendered = text(given)
      return isPlainScalar(given) ? reread(rendered, fullParser) : rendered
    }
    if (isList(given)) return given.map(value)
    if (!isObject(given)) return given
    return Object.fromEntries(
      Object.entries(given).map(([key, item]) => [
        text(key),
        item === undefined ? undefined : value(item),
      ]),
    )
  }
  return { text, value }
}

function functionsWith(input: Input | undefined): Functions {
  const data: Value = input === undefined ? {} : asInts(valueOf(plain(input)))
  return { ...builtins, ...sprig, ...OWN, inputs: () => data }
}

const OWN: Functions = {
  slugify: (value) =>
    printed(value)
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-+|-+$/g, ''),
}

/** bigint and number as JSON has them. */
function plain(input: Json): unknown {
  return JSON.parse(
    JSON.stringify(input, (_key, value: unknown) =>
      typeof value === 'bigint' ? Number(value) : value,
    ),
  ) as unknown
}

/** Numbers without a fraction print as such. */
function asInts(value: Value): Value {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value
  if (Array.isArray(value)) return value.map(asInts)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value as { readonly [key: string]: Value }).map(([key, item]) => [
      key,
      asInts(item),
    ]),
  )
}

/**
 * Resources are written as YAML before their templates run, without the quotes that were around
 * them in the source: what a plain scalar renders to is read again, so `1` is a number then (trace
 * flux-operator/046).
 */
function isPlainScalar(text: string): boolean {
  if (text.includes('\n') || text.trim() !== text) return false
  if (/^[-?:](\s|$)|^[,[\]{}#&*!|>'"%@`]/.test(text)) return false
  return !/:(\s|$)|\s#/.test(text)
}

function reread(rendered: string, fullParser: FullParser | undefined): Json {
  const [document] = parse(`value: ${rendered}\n`, fullParser)
  return isObject(document) ? (document['value'] ?? null) : rendered
}

function parse(text: string, fullParser: FullParser | undefined): readonly Json[] {
  const source = { path: 'resourcesTemplate', bytes: new TextEncoder().encode(text) }
  const reading = readFile(source, { wanted: { all: true, needles: [] }, fullParser })
  const [error] = reading.errors
  if (error !== undefined) throw new Error(`failed to read the rendered resources: ${error.what}`)
  return reading.documents.map((document) => document.value())
}
