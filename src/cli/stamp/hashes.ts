import { coverageOf, type InputCoverage } from '../../stamp/coverage.ts'
import { diffFingerprints, type FieldDifference } from '../../stamp/diff.ts'
import { explainFingerprint, type ExplainedField } from '../../stamp/explain.ts'
import { stamp } from '../../stamp/stamp.ts'
import type { StampedObject } from '../../stamp/stamp-types.ts'
import type { Io } from '../io.ts'
import type { Problem } from '../problem.ts'
import { VERSION } from '../version.ts'
import { pad, printable } from '../words.ts'
import { readInput, withFullParser } from './input.ts'
import type { Asked } from './options.ts'
import { fingerprintText } from './report.ts'
import { objectLabel, problemsOf, Tell } from './tell.ts'

const CLEAN = 0
const FOUND = 1
const BROKEN = 2

export interface HashRequest extends Asked {
  /** Files are what the cluster will see, as what comes from a pipe always is. */
  readonly rendered: boolean
}

interface Hashed {
  readonly objects: readonly StampedObject[]
  readonly problems: readonly Problem[]
}

/** Every Job and CronJob of the input, also those that stamp would leave alone. */
async function hashed(asked: HashRequest, { io, tell }: { io: Io; tell: Tell }): Promise<Hashed> {
  const { sources, problems } = readInput(asked, io)
  if (problems.length > 0) return { objects: [], problems }
  const result = await withFullParser(
    {
      ...asked.stamp,
      cronJobs: true,
      hooks: true,
      generateNames: true,
      rendered: asked.rendered || asked.paths.includes('-'),
      inPlace: true,
    },
    (options) => stamp(sources, options),
  )
  tell.notes(result.notes.filter(({ code }) => LEFT_ALONE.has(code)))
  return { objects: result.objects, problems: problemsOf(result.faults) }
}

const LEFT_ALONE: ReadonlySet<string> = new Set([
  'embedded',
  'no-name',
  'not-rendered',
  'opted-out',
  'patch',
  'template',
])

export async function showHashes(asked: HashRequest, io: Io): Promise<number> {
  const tell = new Tell(io, asked.color)
  const { objects, problems } = await hashed(asked, { io, tell })
  tell.problems(problems)
  if (problems.length > 0) return BROKEN
  const pages = objects.map((object) => ({
    object,
    fields: explainFingerprint(object.content, {
      policy: object.fingerprint.policy,
      inputs: object.inputs,
    }).fields,
    coverage: coverageOf(object.content, object.inputs),
  }))
  if (asked.json) {
    const shown = pages.map(({ object, fields, coverage }) => ({
      ...identityOf(object),
      digests: object.fingerprint.fields,
      fields,
      coverage,
    }))
    io.stdout.write(jsonText({ version: VERSION, objects: shown }))
    return CLEAN
  }
  const texts = pages.map(({ object, fields, coverage }) =>
    [
      ...headOf(object, tell.at(object.place)),
      '',
      ...fieldRows(fields),
      '',
      ...coverageRows(coverage),
      '',
    ]
      .map((row) => row.trimEnd())
      .join('\n'),
  )
  io.stdout.write(texts.length === 0 ? 'No Job to hash.\n' : texts.join('\n'))
  return CLEAN
}

function identityOf(object: StampedObject): Readonly<Record<string, unknown>> {
  const { kind, namespace, name, newName, base, fingerprint } = object
  return { kind, namespace, name, newName, base, fingerprint: fingerprintText(fingerprint) }
}

function headOf(object: StampedObject, at: string): readonly string[] {
  return [
    `${printable(objectLabel(object))}  ${at}`,
    `  fingerprint  ${fingerprintText(object.fingerprint)}`,
    `  name         ${object.newName}`,
  ]
}

function fieldRows(fields: readonly ExplainedField[]): readonly string[] {
  const rows = fields.map(({ path, effect, digest = '', value, countsAs, why }) => {
    const counts = countsAs === undefined ? '' : ` counts as ${countsAs}`
    const because = why === '' ? '' : `  (${why})`
    return [path, effect, digest, `${shortValue(value)}${counts}${because}`]
  })
  return table([['FIELD', 'DOES', 'DIGEST', 'VALUE'], ...rows])
}

function coverageRows(coverage: readonly InputCoverage[]): readonly string[] {
  const rows = coverage.map(({ input, covered, why, remedy }) => [
    input,
    covered,
    remedy === undefined ? why : `${why}; ${remedy}`,
  ])
  return table([['INPUT', 'COVERED', 'WHY'], ...rows])
}

function table(rows: readonly (readonly string[])[]): readonly string[] {
  const shown = rows.map((row) => row.map((cell) => printable(cell)))
  const widths = (shown[0] ?? []).map((_, column) =>
    Math.max(...shown.map((row) => (row[column] ?? '').length)),
  )
  return shown.map(
    (row) => `  ${row.map((cell, column) => pad(cell, widths[column] ?? 0)).join('  ')}`,
  )
}

function shortValue(value: unknown): string {
  const text = JSON.stringify(value) ?? ''
  return text.length > 60 ? `${text.slice(0, 59)}…` : text
}

interface Pair {
  readonly label: string
  readonly before: StampedObject | undefined
  readonly after: StampedObject | undefined
}

/** Which fields make the fingerprints of two inputs differ. */
export async function diffHashes(
  paths: readonly [string, string],
  asked: HashRequest,
  io: Io,
): Promise<number> {
  const tell = new Tell(io, asked.color)
  const before = await hashed({ ...asked, paths: [paths[0]] }, { io, tell })
  const after = await hashed({ ...asked, paths: [paths[1]] }, { io, tell })
  const problems = [...before.problems, ...after.problems]
  tell.problems(problems)
  if (problems.length > 0) return BROKEN
  const compared = pairsOf(before.objects, after.objects).map((pair) => ({
    pair,
    differences: differencesOf(pair),
  }))
  const isEqual = compared.every(
    ({ pair, differences }) =>
      pair.before !== undefined && pair.after !== undefined && differences.length === 0,
  )
  if (asked.json) {
    const objects = compared.map(({ pair, differences }) => ({
      object: pair.label,
      before: pair.before && identityOf(pair.before),
      after: pair.after && identityOf(pair.after),
      differences,
    }))
    io.stdout.write(jsonText({ version: VERSION, equal: isEqual, objects }))
  } else {
    const rows = compared.flatMap(({ pair, differences }) => diffRows(pair, differences, paths))
    io.stdout.write(`${rows.length === 0 ? 'No Job to compare.' : rows.join('\n')}\n`)
  }
  return isEqual ? CLEAN : FOUND
}

/** One Job each: these two are meant, whatever their names. Else by kind, namespace and base. */
function pairsOf(
  before: readonly StampedObject[],
  after: readonly StampedObject[],
): readonly Pair[] {
  const [one] = before
  const [other] = after
  if (before.length === 1 && after.length === 1 && one !== undefined && other !== undefined) {
    return [{ label: baseLabel(one), before: one, after: other }]
  }
  const pairs = new Map<string, Pair>()
  for (const object of before) {
    const label = baseLabel(object)
    pairs.set(label, { label, before: object, after: undefined })
  }
  for (const object of after) {
    const label = baseLabel(object)
    pairs.set(label, { label, before: pairs.get(label)?.before, after: object })
  }
  return [...pairs.values()]
}

function baseLabel({ kind, namespace, base }: StampedObject): string {
  return objectLabel({ kind, namespace, name: base })
}

function differencesOf({ before, after }: Pair): readonly FieldDifference[] {
  if (before === undefined || after === undefined) return []
  return diffFingerprints(before.fingerprint, after.fingerprint)
}

function diffRows(
  { label, before, after }: Pair,
  differences: readonly FieldDifference[],
  [first, second]: readonly [string, string],
): readonly string[] {
  const name = printable(label)
  if (before === undefined) return [`${name}: only in ${second}`]
  if (after === undefined) return [`${name}: only in ${first}`]
  const [was, is] = [before.fingerprint.digest.slice(0, 8), after.fingerprint.digest.slice(0, 8)]
  if (differences.length === 0) return [`${name}: equal, ${was}`]
  return [
    `${name}: ${was} became ${is}`,
    ...differences.flatMap(({ path, change, before: from, after: to }) => [
      `  ${path}  ${change}`,
      ...(from === undefined ? [] : [`    - ${printable(from)}`]),
      ...(to === undefined ? [] : [`    + ${printable(to)}`]),
    ]),
  ]
}

function jsonText(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`
}
