import { describe, expect, it } from 'vitest'
import { positionOf } from '../../core/source.ts'
import type { YamlDocument } from '../../core/yaml/document.ts'
import { readFile } from '../../core/yaml/read-file.ts'
import { SetFault, type SetExpression } from './set.ts'
import { Values } from './values.ts'

function documentOf(path: string, text: string): YamlDocument {
  const source = { path, bytes: new TextEncoder().encode(text) }
  const wanted = { all: true, needles: [] }
  const [document] = readFile(source, { wanted, fullParser: undefined }).documents
  if (document === undefined) throw new Error('no document')
  return document
}

function valuesOf(files: Readonly<Record<string, string>>, ...sets: SetExpression[]): Values {
  let values = Values.none()
  for (const [path, text] of Object.entries(files))
    values = values.withDocument(documentOf(path, text))
  for (const set of sets) values = values.withSet(set, (file) => `text of ${file}`)
  return values
}

/** `file:line:column`, or the words of the command line. */
function where(values: Values, path: string, on: 'key' | 'value' = 'value'): string {
  const steps =
    path === '' ? [] : path.split('.').map((step) => (/^\d+$/.test(step) ? Number(step) : step))
  const origin = values.originOf(steps, on)
  if (origin.kind === 'words') return origin.words
  if (origin.kind === 'nowhere') return 'nowhere'
  const { source, span } = origin.place
  const { line, column } = positionOf(source, span.start)
  return `${source.path}:${line}:${column}`
}

describe('values of several files know where they come from', () => {
  const values = valuesOf(
    {
      'a.yaml': 'image:\n  tag: v1\n  repository: a\nlist: [1, 2, 3]\ngone: {x: 1}\n',
      'b.yaml': '# more\nimage: {tag: v2}\nlist:\n- 4\ngone: null\n',
    },
    { flag: 'set', text: 'image.digest=sha256:1,deep.er[1].x=5' },
    { flag: 'set-file', text: 'script=run.sh' },
  )

  it('merges as Helm does', () => {
    expect(values.value).toEqual({
      image: { tag: 'v2', repository: 'a', digest: 'sha256:1' },
      list: [4],
      gone: null,
      deep: { er: [null, { x: 5 }] },
      script: 'text of run.sh',
    })
  })

  it.each<[string, 'key' | 'value', string]>([
    ['image.tag', 'value', 'b.yaml:2:14'],
    ['image.tag', 'key', 'b.yaml:2:9'],
    ['image.repository', 'value', 'a.yaml:3:15'],
    ['image', 'key', 'b.yaml:2:1'],
    ['list.0', 'value', 'b.yaml:4:3'],
    ['gone', 'value', 'b.yaml:5:7'],
    ['image.digest', 'value', '--set image.digest=sha256:1,deep.er[1].x=5'],
    ['deep.er.1.x', 'value', '--set image.digest=sha256:1,deep.er[1].x=5'],
    ['script', 'value', '--set-file script=run.sh'],
    ['image.pullPolicy', 'value', 'b.yaml:2:1'],
    ['nothing.at.all', 'value', 'a.yaml:1:1'],
    ['', 'value', 'a.yaml:1:1'],
  ])('%s, its %s: %s', (path, on, place) => {
    expect(where(values, path, on)).toBe(place)
  })

  it('a value below one that was set comes from there as well', () => {
    const set = valuesOf({ 'a.yaml': 'a: {b: 1}\n' }, { flag: 'set', text: 'a.c={x,y}' })
    expect(where(set, 'a.c.1')).toBe('--set a.c={x,y}')
    expect(where(set, 'a.b')).toBe('a.yaml:1:8')
  })

  it('says nothing of a place where no values were given', () => {
    expect(where(Values.none(), 'a')).toBe('nowhere')
    expect(where(valuesOf({}, { flag: 'set', text: 'a=1' }), 'b')).toBe('--set a=1')
  })

  it('takes a document that is no mapping for no values', () => {
    expect(valuesOf({ 'a.yaml': 'a: 1\n', 'b.yaml': '- a\n' }).value).toEqual({ a: 1 })
  })

  it('passes on what Helm refuses as a fault', () => {
    expect(() => valuesOf({}, { flag: 'set', text: 'a' })).toThrow(SetFault)
  })
})
