import { readFileSync, readdirSync } from 'node:fs'
import * as fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { loadFullParser } from '../../src/adapters/full-parser.ts'
import { at, isList, isObject, type Json, type Path } from '../../src/core/json.ts'
import { positionOf, type Span } from '../../src/core/source.ts'
import type { FileReading, FullParser, YamlDocument } from '../../src/core/yaml/document.ts'
import { openPaths } from '../../src/core/yaml/open.ts'
import { readFile, type ReadOptions } from '../../src/core/yaml/read-file.ts'
import { resolveKey, resolvePlain } from '../../src/core/yaml/resolve.ts'
import { mutate, randomFrom } from './mutate.ts'

let fullParser: FullParser
beforeAll(async () => {
  fullParser = await loadFullParser()
})

const CORPUS = new URL('../../fixtures/yaml/corpus/', import.meta.url)
const TEMPLATES = new URL('../../fixtures/yaml/templates/', import.meta.url)
const ALL = { all: true, needles: [] }

function filesIn(folder: URL): readonly Buffer[] {
  const names = readdirSync(folder).toSorted()
  return names.map((name) => readFileSync(new URL(name, folder)))
}

function read(bytes: Uint8Array, options: Partial<ReadOptions> = {}): FileReading {
  return readFile({ path: 'a.yaml', bytes }, { wanted: ALL, fullParser, ...options })
}

/** Text that was made by changing good text a few times. */
function mutations(originals: readonly Buffer[], most: number): fc.Arbitrary<Buffer> {
  return fc
    .record({ seed: fc.nat(), times: fc.integer({ min: 1, max: most }) })
    .map(({ seed, times }) => {
      const random = randomFrom(seed)
      let text = originals[Math.floor(random() * originals.length)] ?? Buffer.alloc(0)
      for (let count = 0; count < times; count += 1) text = mutate(text, random)
      return text
    })
}

describe('reading never throws, and stays inside the file', () => {
  it.each<[string, fc.Arbitrary<Uint8Array>]>([
    ['bytes', fc.uint8Array({ maxLength: 200 })],
    ['text', fc.string({ unit: 'grapheme', maxLength: 200 }).map((text) => Buffer.from(text))],
    [
      'YAML signs',
      fc
        .string({
          unit: fc.constantFrom(...Array.from(' \n-:#[]{}"\'|>&*!?,ab1\\\t<%~.')),
          maxLength: 60,
        })
        .map((text) => Buffer.from(text)),
    ],
    [
      'JSON signs',
      fc
        .string({ unit: fc.constantFrom(...Array.from('{}[]",:\\u1e-. \nnull')), maxLength: 60 })
        .map((text) => Buffer.from(`{${text}`)),
    ],
    ['changed manifests', mutations(filesIn(CORPUS), 20)],
    ['changed templates', mutations(filesIn(TEMPLATES), 20)],
  ])('%s', (_name, bytes) => {
    fc.assert(
      fc.property(bytes, (given) => {
        look(read(given))
        look(read(given, { template: 'helm' }))
        look(read(given, { template: 'resourceset', fullParser: undefined }))
        look(read(given, { wanted: { needles: [{ kind: 'Job' }, { group: 'batch' }] } }))
      }),
      { numRuns: 300 },
    )
  })
})

/** Asks a reading for everything it can be asked for. */
function look(reading: FileReading): void {
  const { source, errors, unreadTemplate = [], droppedText, openPlaces = [] } = reading
  const isInside = (span: Span): boolean =>
    span.start >= 0 && span.start <= span.end && span.end <= source.bytes.length
  for (const { span, what } of [...errors, ...unreadTemplate]) {
    expect(isInside(span), what).toBe(true)
    expect(positionOf(source, span.start).line).toBeGreaterThan(0)
  }
  expect(droppedText.every(isInside)).toBe(true)
  expect(reading.documents.length).toBeLessThanOrEqual(reading.documentsSeen)
  for (const document of reading.documents) {
    document.value('kustomize')
    const { duplicateKeys } = document
    expect(duplicateKeys.every(({ first, again }) => isInside(first) && isInside(again))).toBe(true)
    expect(document.ambiguousScalars().every(({ span }) => isInside(span))).toBe(true)
    expect(openPaths(document, openPlaces).every((path) => path.length <= 250)).toBe(true)
    for (const path of pathsOf(document.value(), [])) {
      const found = document.locate(path)
      expect(found !== undefined && isInside(found.value), path.join('/')).toBe(true)
    }
  }
}

function pathsOf(value: Json, path: Path): readonly Path[] {
  if (isList(value))
    return [path, ...value.flatMap((item, index) => pathsOf(item, [...path, index]))]
  if (!isObject(value)) return [path]
  const below = Object.entries(value).flatMap(([key, item]) =>
    pathsOf(item ?? null, [...path, key]),
  )
  return [path, ...below]
}

describe('places', () => {
  it('hold the text of their values', () => {
    fc.assert(
      fc.property(mutations(filesIn(CORPUS), 2), (bytes) => {
        for (const document of read(bytes).documents) {
          for (const path of pathsOf(document.value(), [])) expectTextOf(document, path)
        }
      }),
      { numRuns: 200 },
    )
  })

  function expectTextOf(document: YamlDocument, path: Path): void {
    const found = document.locate(path)
    if (found === undefined) throw new Error(`nothing at ${path.join('/')}`)
    const { bytes } = document.source
    const slice = Buffer.from(bytes.subarray(found.value.start, found.value.end))
    // Block scalars and block collections mean something only where they stand; with a tag or a
    // merge key there is more to a value than its text.
    const isWhole = slice.length > 0 && !slice.includes(10) && !/[|>&*!<]/.test(slice.toString())
    const value = at(document.value(), path)
    const isPair = (isObject(value) || isList(value)) && slice[0] !== 0x5b && slice[0] !== 0x7b
    const isTagged = bytes.subarray(document.span.start, found.value.start).includes(0x21)
    if (!isWhole || isTagged || isPair) return
    const again = read(Buffer.concat([Buffer.from('- '), slice, Buffer.from('\n')])).documents[0]
    expect(at(again?.value(), [0]), slice.toString()).toEqual(value)
  }
})

describe('values', () => {
  const object = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 6 }), { maxKeys: 5 })

  it('come back from block YAML with quoted scalars', () => {
    fc.assert(
      fc.property(object, fc.boolean(), (value, hasCrLf) => {
        const plain = JSON.parse(JSON.stringify(value)) as Json
        const text = blockYaml(plain, 0).replaceAll('\n', hasCrLf ? '\r\n' : '\n')
        const [document] = read(Buffer.from(`--- # made\n${text}\n`)).documents
        expect(document && asNumbers(document.value())).toEqual(asNumbers(plain))
      }),
    )
  })
})

/** Collections as blocks, scalars as JSON writes them. */
function blockYaml(value: Json, depth: number): string {
  const indent = '\n'.padEnd(depth * 2 + 1)
  if (isList(value) && value.length > 0) {
    return value.map((item) => `${indent}- ${blockYaml(item, depth + 1)}`).join('')
  }
  if (isObject(value) && Object.keys(value).length > 0) {
    return Object.entries(value)
      .map(([key, item]) => `${indent}${quote(key)}: ${blockYaml(item ?? null, depth + 1)}`)
      .join('')
  }
  return typeof value === 'string' ? quote(value) : JSON.stringify(value)
}

/** With escapes that YAML knows too, for all that no YAML text may hold. */
function quote(text: string): string {
  const escaped = text.replaceAll(/["\\]|[^ -~]/g, (letter) => {
    if (letter === '"' || letter === '\\') return `\\${letter}`
    return `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
  return `"${escaped}"`
}

function asNumbers(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, item: unknown) =>
      typeof item === 'bigint' ? Number(item) : item === 0 ? 0 : item,
    ),
  )
}

describe('the resolver', () => {
  const word = fc.string({ unit: fc.constantFrom(...Array.from('0123456789abefinoxyNYT+-._:~ ')) })

  it('makes of any word text, or something that is no text', () => {
    fc.assert(
      fc.property(word, (text) => {
        for (const reading of ['kubernetes', 'kustomize'] as const) {
          const value = resolvePlain(text, reading)
          const isDate = reading === 'kustomize' && /^\d{4}-/.test(text)
          if (typeof value === 'string' && !isDate) expect(value).toBe(text)
          if (typeof value === 'number') expect(Number.isFinite(value)).toBe(true)
          const key = resolveKey(text, undefined, true, reading)
          expect(key === undefined || typeof key === 'string').toBe(true)
        }
      }),
      { numRuns: 2_000 },
    )
  })

  it('reads numbers as they were written', () => {
    fc.assert(
      fc.property(
        fc.maxSafeInteger(),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        (whole, float) => {
          expect(resolvePlain(String(whole), 'kubernetes')).toBe(whole + 0)
          const text = JSON.stringify(float)
          expect(Number(resolvePlain(text, 'kubernetes'))).toBe(float + 0)
        },
      ),
    )
  })
})
