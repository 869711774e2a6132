import { describe, expect, it } from 'vitest'
import { applyEdits } from '../../core/edits.ts'
import { manifestsOf } from '../../core/manifest.ts'
import { readFile } from '../../core/yaml/read-file.ts'
import { fullParser } from '../../../test/stamp/harness.ts'
import { metadataEdits, RefusedEdit } from './metadata.ts'

const HEAD = 'apiVersion: batch/v1\nkind: Job\n'

/** What is written into the text of `metadata`, without the head. */
function written(
  metadata: string,
  annotations: Readonly<Record<string, string>> = { a: 'x' },
): string {
  const bytes = new TextEncoder().encode(HEAD + metadata)
  const reading = readFile({ path: 'x', bytes }, { wanted: { all: true, needles: [] }, fullParser })
  const [manifest] = manifestsOf(reading)
  if (manifest === undefined) throw new Error(JSON.stringify(reading.errors))
  const edits = metadataEdits(manifest, {
    name: 'new',
    annotations: new Map(Object.entries(annotations)),
    labels: new Map([['l', '1']]),
  })
  return new TextDecoder()
    .decode(
      applyEdits(
        bytes,
        [...edits].sort((a, b) => a.start - b.start),
      ),
    )
    .slice(HEAD.length)
}

describe('metadata in a block', () => {
  it.each([
    [
      'nothing but a name',
      'metadata:\n  name: old\n',
      'metadata:\n  name: new\n  annotations:\n    a: x\n  labels:\n    l: "1"\n',
    ],
    [
      'a comment behind the name',
      'metadata:\n  name: old # why\n',
      'metadata:\n  name: new # why\n  annotations:\n    a: x\n  labels:\n    l: "1"\n',
    ],
    [
      'four blanks',
      'metadata:\n    name: old\n',
      'metadata:\n    name: new\n    annotations:\n        a: x\n    labels:\n        l: "1"\n',
    ],
    [
      'one blank',
      'metadata:\n name: old\n',
      'metadata:\n name: new\n annotations:\n  a: x\n labels:\n  l: "1"\n',
    ],
    [
      'no line end',
      'metadata:\n  name: old',
      'metadata:\n  name: new\n  annotations:\n    a: x\n  labels:\n    l: "1"',
    ],
    [
      'double quotes',
      'metadata:\n  "name": "old"\n  annotations: {b: c}\n  labels: {l: "0"}\n',
      'metadata:\n  "name": "new"\n  annotations: {a: "x", b: c}\n  labels: {l: "1"}\n',
    ],
    [
      'old values',
      "metadata:\n  name: 'old'\n  annotations:\n    a: 'y' # c\n  labels:\n    l:\n",
      "metadata:\n  name: 'new'\n  annotations:\n    a: 'x' # c\n  labels:\n    l: \"1\"\n",
    ],
    [
      'an old block',
      'metadata:\n  name: old\n  annotations:\n    a: |-\n      y\n    b: c\n  labels: {l: 1}\n',
      'metadata:\n  name: new\n  annotations:\n    a: x\n    b: c\n  labels: {l: "1"}\n',
    ],
    [
      'comments before the first entry',
      'metadata:\n  name: old\n  annotations: # one\n    # two\n    b: c\n  labels: {l: "1"}\n',
      'metadata:\n  name: new\n  annotations: # one\n    a: x\n    # two\n    b: c\n  labels: {l: "1"}\n',
    ],
    [
      'empty mappings',
      'metadata:\n  labels: {} # none\n  annotations:\n  name: old\n',
      'metadata:\n  labels: # none\n    l: "1"\n  annotations:\n    a: x\n  name: new\n',
    ],
    [
      'a merge key alone',
      'x: &x {b: c}\nmetadata:\n  name: old\n  annotations:\n    <<: *x\n  labels: {l: "1"}\n',
      'x: &x {b: c}\nmetadata:\n  name: new\n  annotations:\n    a: x\n    <<: *x\n  labels: {l: "1"}\n',
    ],
    [
      'an anchor that nobody repeats',
      'metadata: &m\n  name: &n old\n  annotations: &a\n    b: c\n  labels: {l: "1"}\n',
      'metadata: &m\n  name: &n new\n  annotations: &a\n    a: x\n    b: c\n  labels: {l: "1"}\n',
    ],
    [
      'a tag',
      'metadata:\n  name: !!str old\n  annotations: !!map\n    b: c\n  labels: {l: "1"}\n',
      'metadata:\n  name: !!str new\n  annotations: !!map\n    a: x\n    b: c\n  labels: {l: "1"}\n',
    ],
    [
      'a name on a line of its own',
      'metadata:\n  name:\n    old\n  annotations: {b: c}\n  labels: {l: "1"}\n',
      'metadata:\n  name:\n    new\n  annotations: {a: "x", b: c}\n  labels: {l: "1"}\n',
    ],
    [
      'generateName',
      'metadata:\n  generateName: old-\n',
      'metadata:\n  name: new\n  annotations:\n    a: x\n  labels:\n    l: "1"\n',
    ],
  ])('takes the place of what is there: %s', (_, before, after) => {
    expect(written(before)).toBe(after)
  })

  it('quotes what would not be text', () => {
    const values = { a: 'true', b: '12', c: '', d: 'a: b', e: 'x\ny', f: '- z', g: "it's" }
    const text = written('metadata:\n  name: old\n', values)
    for (const value of ['"true"', '"12"', '""', '"a: b"', '"x\\ny"', '"- z"', '"it\'s"']) {
      expect(text).toContain(`: ${value}\n`)
    }
  })

  it('keeps Windows line ends', () => {
    const text = written('metadata:\r\n  name: old\r\n  annotations:\r\n    b: c\r\n')
    expect(text.replaceAll('\r\n', '')).not.toContain('\n')
  })
})

describe('metadata in braces', () => {
  it.each([
    [
      'on one line',
      'metadata: {name: old}\n',
      'metadata: {name: new, annotations: {a: "x"}, labels: {l: "1"}}\n',
    ],
    [
      'with empty mappings',
      'metadata: {labels: {}, annotations: null, name: old}\n',
      'metadata: {labels: {l: "1"}, annotations: {a: "x"}, name: new}\n',
    ],
    [
      'over lines',
      'metadata: {\n  name: old,\n  annotations: {\n    b: c\n  }\n}\n',
      'metadata: {\n  name: new,\n  labels: {\n    l: "1"\n  },\n  annotations: {\n    a: "x",\n    b: c\n  }\n}\n',
    ],
  ])('is filled: %s', (_, before, after) => {
    expect(written(before)).toBe(after)
  })
})

describe('metadata that must not be written to', () => {
  it.each([
    ['a name that an alias repeats', 'metadata:\n  name: &n old\nspec: {a: *n}\n'],
    ['a name that an alias brings', 'x: &n old\nmetadata:\n  name: *n\n'],
    [
      'annotations that a merge key repeats',
      'metadata:\n  name: old\n  annotations: &a {b: c}\nspec: {<<: *a}\n',
    ],
    [
      'annotations that an alias brings',
      'x: &a {b: c}\nmetadata:\n  name: old\n  annotations: *a\n',
    ],
    [
      'an empty mapping that an alias repeats',
      'metadata:\n  name: old\n  annotations: &a {}\nspec: *a\n',
    ],
    ['metadata that an alias repeats', 'metadata: &m\n  name: old\nspec: *m\n'],
    [
      'a value that a merge key brings',
      'x: &x {a: y}\nmetadata:\n  name: old\n  annotations: {<<: *x}\n',
    ],
    ['a name that stands twice', 'metadata:\n  name: old\n  name: older\n'],
    ['metadata that stands twice', 'metadata: {name: old}\nmetadata: {name: older}\n'],
    ['annotations that are no mapping', 'metadata:\n  name: old\n  annotations: [a]\n'],
    ['annotations that are text', 'metadata:\n  name: old\n  annotations: a\n'],
    ['a list in place of a value', 'metadata:\n  name: old\n  annotations: {a: [x]}\n'],
  ])('is refused: %s', (_, metadata) => {
    expect(() => written(metadata)).toThrow(RefusedEdit)
  })
})
