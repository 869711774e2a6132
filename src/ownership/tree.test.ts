import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { FileReading } from '../core/yaml/document.ts'
import { buildTree, parent, pathsBelow, resolvePath } from './tree.ts'

describe('where a reference leads', () => {
  test.each([
    ['from the root', '', 'apps', 'apps'],
    ['a leading ./ means nothing', '', './apps', 'apps'],
    ['neither does a trailing slash', '', 'apps/', 'apps'],
    ['nor a doubled one', '', 'apps//shop', 'apps/shop'],
    ['nothing is the root', '', '', ''],
    ['a dot is the root', '', '.', ''],
    ['a leading slash starts at the root', 'a/b', '/apps', 'apps'],
    ['from a folder', 'a/b', 'c', 'a/b/c'],
    ['one up', 'a/b', '../c', 'a/c'],
    ['up to the root', 'a/b', '../..', ''],
    ['a step inside the reference', 'a', 'b/../c', 'a/c'],
    ['hidden folders are folders', 'a', '.b/c', 'a/.b/c'],
    ['three dots are a name', 'a', '...', 'a/...'],
  ])('%s', (_, folder, reference, expected) => {
    expect(resolvePath(folder, reference)).toBe(expected)
  })

  test.each([
    ['', '..'],
    ['a', '../..'],
    ['a', 'b/../../../c'],
  ])('out of the root: %s and %s', (folder, reference) => {
    expect(resolvePath(folder, reference)).toBeUndefined()
  })
})

const steps = fc.array(fc.constantFrom('a', 'b', 'a-b', 'a.b', '0'), { minLength: 1, maxLength: 4 })
const paths = fc.uniqueArray(
  steps.map((names) => names.join('/')),
  { maxLength: 30 },
)

test('the paths below a folder are those that start with it, in order', () => {
  fc.assert(
    fc.property(paths, steps, (some, names) => {
      const sorted = some.toSorted()
      const folder = names.join('/')
      const expected = sorted.filter((path) => path.startsWith(`${folder}/`))
      expect(pathsBelow(sorted)(folder)).toEqual(expected)
      expect(pathsBelow(sorted)('')).toEqual(sorted)
    }),
  )
})

describe('the tree', () => {
  const reading = (path: string): FileReading => ({
    source: { path, bytes: new Uint8Array() },
    documentsSeen: 0,
    documents: [],
    droppedText: [],
    errors: [],
  })
  const tree = buildTree(
    [reading('infra/apps/a.yaml')],
    ['apps/a.yaml', 'apps/deep/b.yaml', 'fleet.yaml', 'apps/fleet.yaml'],
    'infra',
  )

  test('names files below the root of the run', () => {
    expect(tree.reading('apps/a.yaml')).toBeDefined()
    expect(tree.shown('apps/a.yaml')).toBe('infra/apps/a.yaml')
    expect(tree.shown('')).toBe('infra')
  })

  test('knows files, folders and neither', () => {
    expect(tree.isFile('apps/deep/b.yaml')).toBe(true)
    expect(tree.isFolder('apps/deep')).toBe(true)
    expect(tree.isFolder('')).toBe(true)
    expect(tree.isFolder('apps/a.yaml')).toBe(false)
    expect(tree.isFile('apps')).toBe(false)
  })

  test('lists folders and files by name', () => {
    expect(tree.folders).toEqual(['apps', 'apps/deep'])
    expect(tree.named('fleet.yaml')).toEqual(['apps/fleet.yaml', 'fleet.yaml'])
    expect(tree.named('Chart.yaml')).toEqual([])
  })

  test('a run over a part knows what stands above it', () => {
    expect(buildTree([], [], './a/b/').foldersAbove).toEqual(['a/b', 'b'])
    expect(buildTree([], [], '.').foldersAbove).toEqual([])
    expect(buildTree([], [], '../x').foldersAbove).toEqual(['x'])
  })

  test('a standard input beside files is a file of the tree', () => {
    expect(buildTree([reading('<stdin>')], [], '').isFile('<stdin>')).toBe(true)
  })
})

test('the parent of a name without a folder is the root', () => {
  expect(parent('a')).toBe('')
  expect(parent('a/b/c')).toBe('a/b')
})
