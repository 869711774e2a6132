import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../core/json.ts'
import { build } from './build.ts'
import { isSatisfied, newestFirst } from './semver.ts'

function render(value: Json, input: JsonObject = {}): unknown {
  const spec = { resources: [{ apiVersion: 'v1', kind: 'Any', metadata: { name: 'a' }, value }] }
  const built = build({ spec }, [input])
  return 'fault' in built ? built : built[0]?.objects[0]?.['value']
}

const TEMPLATES: [template: Json, input: JsonObject, expected: unknown][] = [
  ['<< inputs.tag >>', { tag: '1' }, 1],
  ['<< inputs.tag >>', { tag: '1.10.0' }, '1.10.0'],
  ['<< inputs.tag | quote >>', { tag: '1' }, '1'],
  ['a: << inputs.tag >>', { tag: '1' }, 'a: 1'],
  ['v-<< inputs.tag | replace "." "-" >>', { tag: '1.0' }, 'v-1-0'],
  ['<< inputs.count >>', { count: 3 }, 3],
  ['<< inputs.a.b >>', { a: { b: 'x' } }, 'x'],
  ['<< inputs.name | slugify >>', { name: 'Feature/One ' }, 'feature-one'],
  ['two\nlines << inputs.tag >>\n', { tag: '1' }, 'two\nlines 1\n'],
  ['plain', {}, 'plain'],
]

describe('templates of a set (O-4)', () => {
  it.each(TEMPLATES)('%j with %j is %j', (template, input, expected) => {
    expect(render(template, input)).toEqual(expected)
  })

  it('reads resourcesTemplate as a whole, so that one input may make many objects', () => {
    const resourcesTemplate = [
      '<<- range $name := inputs.names >>',
      '---',
      'apiVersion: v1',
      'kind: ConfigMap',
      'metadata:',
      '  name: << $name >>',
      '<<- end >>',
    ].join('\n')
    const built = build({ spec: { resourcesTemplate } }, [{ names: ['a', 'b'] }])
    expect(built).toMatchObject([
      { name: '', objects: [{ metadata: { name: 'a' } }, { metadata: { name: 'b' } }] },
    ])
  })

  it('keeps the first of objects that come out twice', () => {
    const object = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a' },
      data: { v: '<< inputs.v >>x' },
    }
    const built = build({ spec: { resources: [object] } }, [{ v: 'p' }, { v: 'q' }])
    expect(built).toMatchObject([{ objects: [{ data: { v: 'px' } }] }])
  })

  it('says what a template cannot do', () => {
    expect(render('<< nothing >>')).toEqual({ fault: expect.stringContaining('nothing') as string })
  })
})

const RANGES: [tag: string, range: string, isIn: boolean][] = [
  ['1.2.3', '>=1.0.0', true],
  ['0.9.0', '>=1.0.0', false],
  ['1.2.3', '1.x', true],
  ['2.0.0', '1.x', false],
  ['1.2.9', '~1.2.3', true],
  ['1.3.0', '~1.2.3', false],
  ['1.9.0', '^1.2.3', true],
  ['0.3.0', '^0.2.3', false],
  ['1.5.0', '>=1.0.0 <2.0.0', true],
  ['2.0.0', '>=1.0.0, <2.0.0', false],
  ['3.0.0', '1.x || 3.x', true],
  ['1.5.0', '1.0.0 - 2.0.0', true],
  ['1.0.0-rc.1', '>=1.0.0', false],
  ['1.0.0-rc.1', '>=1.0.0-0', true],
  ['latest', '*', false],
  ['v1.2.3', '*', true],
]

describe('tags', () => {
  it.each(RANGES)('%s in %s: %s', (tag, range, isIn) => {
    expect(isSatisfied(tag, range)).toBe(isIn)
  })

  it('come in the order of their versions, the newest first', () => {
    expect(newestFirst(['1.0.5', 'latest', '1.10.0', '1.9.0'])).toEqual([
      '1.10.0',
      '1.9.0',
      '1.0.5',
      'latest',
    ])
  })
})
