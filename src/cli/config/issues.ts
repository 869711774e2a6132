import type * as z from 'zod'
import { at, fieldPath, isList, isObject, type Json, type Path } from '../../core/json.ts'
import type { FaultCode } from '../../core/faults.ts'
import type { Place } from '../../core/source.ts'
import type { YamlDocument } from '../../core/yaml/document.ts'
import { didYouMean } from '../../lint/nearest.ts'
import { problemAt, type Problem } from '../problem.ts'

type Issue = z.core.$ZodIssue

/** Whose schema it is: the code of its problems, the name of the file, and words for its keys. */
export interface Wording {
  readonly code: FaultCode
  readonly name: string
  /** Why a key that is not there is a must. */
  readonly missing: Readonly<Record<string, string>>
  /** What to write behind it. */
  readonly examples: Readonly<Record<string, string>>
}

/** What the schema refuses, with its position. */
export function schemaProblems(
  issues: readonly Issue[],
  document: YamlDocument,
  schema: z.ZodType,
  wording: Wording = SEMEL_YAML,
): readonly Problem[] {
  const value = document.value()
  return issues
    .flatMap((issue) => problemsOf(issue, { document, value, schema, wording }))
    .sort((one, other) => (one.place?.span.start ?? 0) - (other.place?.span.start ?? 0))
}

interface Context {
  readonly document: YamlDocument
  readonly value: Json
  readonly schema: z.ZodType
  readonly wording: Wording
}

function problemsOf(issue: Issue, context: Context): readonly Problem[] {
  const { code, name } = context.wording
  const path = issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step))
  if (issue.code !== 'unrecognized_keys') return [problem(issue, path, context)]
  const known = keysAt(context.schema, path)
  const owner = path.length === 0 ? name : fieldPath(path)
  return issue.keys.map((key) =>
    problemAt(code, placeIn(context.document, [...path, key], 'key'), {
      what: unknownKey(path, key, owner) + didYouMean(key, known),
      why: 'an unknown key has no effect, which is seldom what was meant',
      remedy:
        path.at(-1) === 'rules'
          ? 'correct the rule id; `semel explain` lists all of them'
          : `use one of ${known.join(', ')}`,
    }),
  )
}

function unknownKey(path: Path, key: string, owner: string): string {
  return path.at(-1) === 'rules' ? `there is no rule ${key}.` : `${owner} has no key ${key}.`
}

function problem(issue: Issue, path: Path, { document, value, wording }: Context): Problem {
  const { code, name } = wording
  const written = at(value, path)
  const isMissing = written === undefined && path.length > 0
  const place = placeIn(document, path, 'value')
  const field = fieldPath(path)
  if (isMissing) {
    const key = String(path.at(-1))
    const owner = fieldPath(path.slice(0, -1))
    return problemAt(code, place, {
      what: `${owner === '' ? name : `the entry ${owner}`} has no ${key}`,
      why: wording.missing[key] ?? 'it is a must',
      remedy: `add ${key}: ${wording.examples[key] ?? wantedBy(issue)}`,
    })
  }
  const short = shortOf(written)
  if (issue.code === 'custom') {
    return problemAt(code, place, {
      what: `${field}: ${short} ${issue.message}`,
      why: 'so nobody can tell what it stands for',
      remedy: 'correct it',
    })
  }
  const hint =
    issue.code === 'invalid_value' && typeof written === 'string'
      ? `.${didYouMean(written, issue.values.map(String))}`
      : ''
  return problemAt(code, place, {
    what: `${field === '' ? name : field} is ${short}${hint}`,
    why: `it must be ${wantedBy(issue)}`,
    remedy:
      typeof written !== 'string' && issue.code === 'invalid_type' && issue.expected === 'string'
        ? 'put it into quotes if it is meant as text'
        : 'correct it',
  })
}

const SEMEL_YAML: Wording = {
  code: 'CONFIG_INVALID',
  name: 'semel.yaml',
  missing: {
    version:
      'it tells which format the file has, so that later versions of semel can still read it',
    reason: 'without a reason nobody can tell later whether the exception still holds',
  },
  examples: {
    version: '1',
    reason: 'and say why this Job is an exception',
    file: 'with the path from the folder of semel.yaml',
    job: 'with the name as it is written in the file',
    path: 'with a folder or a pattern, for example apps/**',
    seconds: '86400, or whatever was agreed',
  },
}

/** Only the ways in which our own schema can refuse something. */
function wantedBy(issue: Issue): string {
  if (issue.code === 'invalid_value') {
    const values = issue.values.map(String)
    return values.length === 1 ? values.join('') : `one of ${values.join(', ')}`
  }
  if (issue.code === 'invalid_type') return KINDS[issue.expected] ?? issue.expected
  if (issue.code === 'too_small') {
    return issue.origin === 'string' ? 'text that is not empty' : `${issue.minimum} or more`
  }
  if (issue.code === 'too_big') return `${issue.maximum} or less`
  if (issue.code === 'invalid_format' && issue.format === 'url') {
    return 'a link that starts with https:// or http://'
  }
  if (issue.code === 'invalid_union') return 'of another form, as the reference page has it'
  return 'text that is not empty'
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a whole number',
  int: 'a whole number',
  array: 'a list',
  object: 'a mapping of keys to values',
}

/** A value for a sentence: itself when it is short, else what it is. */
function shortOf(value: Json | undefined): string {
  if (isList(value)) return 'a list'
  if (isObject(value)) return 'a mapping'
  if (value === null || value === undefined) return 'empty'
  if (typeof value !== 'string') return String(value)
  return value.length > 60 ? 'a long text' : JSON.stringify(value)
}

/** The keys that the schema knows at a path. */
function keysAt(schema: z.ZodType, path: Path): readonly string[] {
  let here: Shape | undefined = schema as unknown as Shape
  for (const step of path) {
    here = open(here)
    here = typeof step === 'number' ? here?.def.element : here?.def.shape?.[step]
  }
  return Object.keys(open(here)?.def.shape ?? {})
}

/** The part of a zod schema that is needed to walk it. */
interface Shape {
  readonly def: {
    readonly innerType?: Shape
    readonly element?: Shape
    readonly shape?: Readonly<Record<string, Shape>>
  }
}

function open(schema: Shape | undefined): Shape | undefined {
  let here = schema
  while (here?.def.innerType !== undefined) here = here.def.innerType
  return here
}

/** Of the value or key at `path`, or of the nearest thing around it. */
export function placeIn(document: YamlDocument, path: Path, which: 'key' | 'value'): Place {
  for (let length = path.length; length >= 0; length -= 1) {
    const found = document.locate(path.slice(0, length))
    if (found === undefined) continue
    const wanted = which === 'key' || length < path.length ? found.key : undefined
    const span = wanted ?? (length < path.length ? firstOf(found.value) : found.value)
    return { source: document.source, span }
  }
  return { source: document.source, span: firstOf(document.span) }
}

/** A list item or a document has no key: its first sign is enough to show it. */
function firstOf({ start, end }: { start: number; end: number }): { start: number; end: number } {
  return { start, end: Math.min(end, start + 1) }
}
