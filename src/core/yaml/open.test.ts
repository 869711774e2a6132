import { describe, expect, it } from 'vitest'
import type { Path } from '../json.ts'
import { bytesOf } from './bytes.ts'
import { openAt, openPaths } from './open.ts'
import { readFile } from './read-file.ts'

function open(text: string): { paths: readonly Path[]; isOpen: (path: Path) => boolean } {
  const { documents, openPlaces = [] } = readFile(
    { path: 'a.yaml', bytes: bytesOf(text) },
    { wanted: { all: true, needles: [] }, fullParser: undefined, template: 'helm' },
  )
  const [document] = documents
  if (document === undefined) throw new Error('no document')
  return { paths: openPaths(document, openPlaces), isOpen: openAt(document, openPlaces) }
}

describe('where rendering may add entries', () => {
  it.each<[string, string, Path[]]>([
    ['nowhere', 'a: {{ .x }}b\nc: 1\n', [['a']]],
    ['in a mapping', 'a:\n  b: 1\n  {{- toYaml .x | nindent 2 }}\n', [['a']]],
    ['in a missing value', 'a:\n  {{- toYaml .x | nindent 2 }}\nb: 1\n', [['a']]],
    ['behind a key', 'a: {{- toYaml .x | nindent 2 }}\nb: 1\n', [['a']]],
    ['at the root', 'a:\n  b: 1\n{{ include "x" . }}\n', [[]]],
    [
      'at the depth it is printed',
      'a:\n  b:\n    c: 1\n{{ toYaml .x | indent 4 }}\n',
      [['a', 'b']],
    ],
    ['in a list', 'a:\n  - b: 1\n  {{- range .x }}\n  {{ . }}\n  {{- end }}\n', [['a']]],
    ['in an item', 'a:\n  - b: 1\n    {{- toYaml .x | nindent 4 }}\n', [['a', 0]]],
    ['in the item above it', 'a:\n- b: 1\n- c: 2\n  {{- toYaml .x | nindent 2 }}\n', [['a', 1]]],
    ['below a value that is an action', 'a: {{ toJson .x }}\nb: "{{ .y }}"\n', [['a']]],
    ['in no document but its own', 'a: 1\n---\nb: 1\n{{ toYaml .x }}\n', []],
  ])('%s', (_name, text, paths) => {
    expect(open(text).paths).toEqual(paths)
  })

  it('a path is open when its nearest part that stands there is', () => {
    const { isOpen } = open('a:\n  b: {c: 1}\n  {{- toYaml .x | nindent 2 }}\nd: 1\n')
    expect(isOpen(['a'])).toBe(true)
    expect(isOpen(['a', 'new', 'deeper'])).toBe(true)
    expect(isOpen(['a', 'b'])).toBe(false)
    expect(isOpen(['a', 'b', 'new'])).toBe(false)
    expect(isOpen(['d'])).toBe(false)
    expect(isOpen([])).toBe(false)
  })

  it('nothing is open without open places', () => {
    expect(open('a: 1\n').isOpen(['a'])).toBe(false)
  })
})
