import { describe, expect, it } from 'vitest'
import { outermost, positionOf, textOf, type Source } from '../source.ts'
import { bytesOf } from './bytes.ts'
import { embeddedSource } from './embedded.ts'
import { readFile } from './read-file.ts'

const OPTIONS = { wanted: { all: true, needles: [] }, fullParser: undefined }

function embedded(text: string): Source | undefined {
  const [document] = readFile({ path: 'a.yaml', bytes: bytesOf(text) }, OPTIONS).documents
  return document && embeddedSource(document, ['spec', 't'])
}

describe('text inside a document', () => {
  it.each([
    ['LF', 'spec:\n  t: |\n    kind: Job\n\n    name: ü-x\n  u: 1\n'],
    ['CRLF', 'spec:\r\n  t: |-\r\n    kind: Job\r\n\r\n    name: ü-x\r\n'],
  ])('leads its places back to the file (%s)', (_name, text) => {
    const source = embedded(text)
    if (source === undefined) throw new Error('no text')
    const [document] = readFile(source, OPTIONS).documents
    expect(document?.value()).toEqual({ kind: 'Job', name: 'ü-x' })
    const span = document?.locate(['name'])?.value ?? { start: 0, end: 0 }
    const place = outermost({ source, span })
    expect(textOf(place.source, place.span)).toBe('ü-x')
    expect(positionOf(place.source, place.span.start)).toEqual({ line: 5, column: 11 })
  })

  it('leads to the start of the scalar in other styles', () => {
    const source = embedded('spec:\n  t: "kind: Job\\nname: x\\n"\n')
    if (source === undefined) throw new Error('no text')
    const [document] = readFile(source, OPTIONS).documents
    expect(document?.value()).toEqual({ kind: 'Job', name: 'x' })
    const span = document?.locate(['name'])?.value ?? { start: 0, end: 0 }
    expect(outermost({ source, span }).span.start).toBe('spec:\n  t: '.length)
  })

  it('is none where no text stands', () => {
    expect(embedded('spec: {t: {a: 1}}\n')).toBeUndefined()
    expect(embedded('spec: {t: 1}\n')).toBeUndefined()
    expect(embedded('spec: {}\n')).toBeUndefined()
  })
})
