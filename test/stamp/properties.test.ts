import fc from 'fast-check'
import { expect, it } from 'vitest'
import { stringify } from 'yaml'
import { isList, isObject, type Json, type JsonObject, type Path } from '../../src/core/json.ts'
import { explainFingerprint } from '../../src/stamp/explain.ts'
import { onlyStamped } from '../../src/stamp/only-stamped.ts'
import { withValue } from '../../src/stamp/values.ts'
import { arbitraryJob, respell } from '../core/arbitrary-jobs.ts'
import { fullParser, stampText } from './harness.ts'

/** The first container has an image, or the Job would be taken for a patch. */
const jobs = arbitraryJob().map((job) => {
  const path = ['spec', 'template', 'spec', 'containers']
  const found = valueAt(job, path)
  const containers = isList(found) && found.length > 0 ? found : [{}]
  const [first, ...rest] = containers
  const given = isObject(first) ? first : {}
  const { image } = given
  const made = { ...given, image: typeof image === 'string' && image !== '' ? image : 'a:1' }
  return withValue(job, path, [made, ...rest]) as JsonObject
})

const layouts = fc.record({
  indent: fc.constantFrom(2, 4),
  defaultStringType: fc.constantFrom('PLAIN', 'QUOTE_DOUBLE', 'QUOTE_SINGLE'),
  defaultKeyType: fc.constantFrom('PLAIN', 'QUOTE_DOUBLE'),
  collectionStyle: fc.constantFrom('any', 'block', 'flow'),
  isJson: fc.boolean(),
  isDos: fc.boolean(),
  isClosed: fc.boolean(),
} as const)
type Layout = typeof layouts extends fc.Arbitrary<infer T> ? T : never

/** Metadata of every form that stamp has to write into. */
const metadata = fc.record(
  {
    annotations: fc.option(
      fc.dictionary(fc.constantFrom('a', 'b/c'), fc.constantFrom('x', 'y: z')),
    ),
    labels: fc.option(fc.dictionary(fc.constantFrom('a', 'b/c'), fc.constantFrom('x', '1'))),
    namespace: fc.constantFrom('shop', 'prod'),
  },
  { requiredKeys: [] },
)

function textOf(value: JsonObject, layout: Layout): string {
  const { isJson, isDos, isClosed, ...style } = layout
  const made = isJson
    ? JSON.stringify(value, null, style.indent)
    : stringify(value, { version: '1.1', lineWidth: 0, ...style })
  const closed = isClosed ? made.replace(/\n*$/, '\n') : made.replace(/\n+$/, '')
  return isDos ? closed.replaceAll('\n', '\r\n') : closed
}

function named(job: JsonObject, more: JsonObject): JsonObject {
  return { ...job, metadata: { name: 'migrate', ...more } }
}

function nameOf(text: string): string | undefined {
  const { objects, faults } = stampText(text)
  expect(faults).toEqual([])
  return objects[0]?.newName
}

it('writes only names, annotations and labels, whatever the layout, and nothing twice', () => {
  fc.assert(
    fc.property(jobs, metadata, layouts, (job, more, layout) => {
      const text = textOf(named(job, more), layout)
      const { output, faults, objects } = stampText(text)
      expect(faults).toEqual([])
      expect(objects[0]?.state).toBe('unstamped')
      const bytes = new TextEncoder()
      expect(onlyStamped(bytes.encode(text), bytes.encode(output), { fullParser })).toEqual([])
      const again = stampText(output)
      expect(again.output).toBe(output)
      expect(again.objects[0]?.state).toBe('current')
      expect(output.includes('\r')).toBe(text.includes('\r'))
      expect(/[\r\n]$/.test(output)).toBe(/[\r\n]$/.test(text))
      if (layout.isJson) expect(() => JSON.parse(output) as unknown).not.toThrow()
    }),
    { numRuns: 150 },
  )
})

it('gives one name to every spelling of a Job', () => {
  fc.assert(
    fc.property(jobs, layouts, layouts, fc.gen(), (job, one, other, gen) => {
      const other2 = respell(job, (options) => gen(fc.nat, { max: options - 1 }))
      expect(nameOf(textOf(named(other2, {}), other))).toBe(nameOf(textOf(named(job, {}), one)))
    }),
    { numRuns: 100 },
  )
})

it('gives another name when a field that counts changes, and the same when another does', () => {
  fc.assert(
    fc.property(jobs, fc.gen(), (job, gen) => {
      const { fields } = explainFingerprint(job)
      const inSpec = fields.filter(({ path }) => path.startsWith('spec'))
      if (inSpec.length === 0) return
      const field = inSpec[gen(fc.nat, { max: inSpec.length - 1 })]
      if (field === undefined) return
      const layout = { ...PLAIN }
      const path = pathOf(job, field.path)
      const before = nameOf(textOf(named(job, {}), layout))
      if (field.effect === 'counts') {
        const changed = withValue(job, path, another(field.value)) as JsonObject
        expect(nameOf(textOf(named(changed, {}), layout)), field.path).not.toBe(before)
      } else if (field.effect === 'left-out') {
        const changed = withValue(job, path, null) as JsonObject
        expect(nameOf(textOf(named(changed, {}), layout)), field.path).toBe(before)
      }
    }),
    { numRuns: 150 },
  )
})

it('keeps every comment and every line that it does not write', () => {
  fc.assert(
    fc.property(jobs, metadata, fc.gen(), (job, more, gen) => {
      const lines = textOf(named(job, more), { ...PLAIN }).split('\n')
      const commented = lines.flatMap((line, index) =>
        gen(fc.boolean) && !/[|>]/.test(line) && line !== ''
          ? [`# above ${index}`, `${line} # at ${index}`]
          : [line],
      )
      const text = commented.join('\n')
      const { output, faults } = stampText(text)
      expect(faults).toEqual([])
      const kept = output.split('\n')
      let at = 0
      for (const line of commented) {
        const isWritten = /^ *(?:\{\}|name: migrate|annotations:|labels:)/.test(line)
        const found = kept.findIndex(
          (other, index) =>
            index >= at && (other === line || (isWritten && commentOf(other) === commentOf(line))),
        )
        expect(found, `${line}\n---\n${output}`).toBeGreaterThanOrEqual(0)
        at = found + 1
      }
    }),
    { numRuns: 100 },
  )
})

const PLAIN: Layout = {
  indent: 2,
  defaultStringType: 'PLAIN',
  defaultKeyType: 'PLAIN',
  collectionStyle: 'block',
  isJson: false,
  isDos: false,
  isClosed: true,
}

function commentOf(line: string): string {
  return / #.*$/.exec(line)?.[0] ?? ''
}

/** A value that is certainly another one, also by value. */
function another(value: Json): Json {
  if (typeof value === 'number') return value + 17
  if (typeof value === 'boolean') return !value
  if (typeof value === 'string') return /^[0-9]/.test(value) ? '123457' : `${value}-other`
  if (isList(value)) return [...value, 'one-more']
  return { 'one-more': 'x' }
}

function valueAt(value: Json | undefined, path: Path): Json | undefined {
  let here = value
  for (const step of path) {
    if (isList(here)) here = typeof step === 'number' ? here[step] : undefined
    else here = isObject(here) ? here[step] : undefined
  }
  return here
}

/** The path whose text is the field's, found by walking along the object. */
function pathOf(object: JsonObject, text: string): Path {
  const path: (string | number)[] = []
  let rest = text
  let here: Json | undefined = object
  while (rest !== '') {
    const match = /^(?:\.?([A-Za-z0-9_-]+)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\])/.exec(rest)
    if (match === null) throw new Error(`no path: ${rest}`)
    const [whole, word, index, quoted] = match
    const step: string | number =
      index !== undefined ? Number(index) : (word ?? (JSON.parse(quoted ?? '""') as string))
    path.push(step)
    here = valueAt(here, [step])
    rest = rest.slice(whole.length)
  }
  return path
}
