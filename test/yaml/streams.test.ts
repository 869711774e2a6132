import { describe, expect, it } from 'vitest'
import { loadFullParser } from '../../src/adapters/full-parser.ts'
import { at, stringAt } from '../../src/core/json.ts'
import { manifestsOf } from '../../src/core/manifest.ts'
import type { FileReading } from '../../src/core/yaml/document.ts'
import { readFile } from '../../src/core/yaml/read-file.ts'
import { kubectl32Path, kubectl35Path, oraclesMissing } from '../oracles.ts'
import { kubectlReads, kustomizeReads } from './oracle.ts'

const HEAD = 'apiVersion: v1\nkind: ConfigMap\n'
const map = (name: string): string => `${HEAD}metadata: {name: ${name}}\n`
const json = (name: string): string =>
  `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"${name}"}}\n`

/** Streams, and the names that kubectl finds in them; `refused` where it refuses the file. */
const STREAMS: readonly (readonly [string, string, readonly string[] | 'refused'])[] = [
  ['two documents', `${map('a')}---\n${map('b')}`, ['a', 'b']],
  ['separators around', `---\n${map('a')}---\n---\n${map('b')}---\n`, ['a', 'b']],
  ['comments behind separators', `--- # x\n${map('a')}---   \n${map('b')}`, ['a', 'b']],
  ['a chunk of comments', `# licence\n---\n${map('a')}`, ['a']],
  ['CRLF', `${map('a')}---\n${map('b')}`.replaceAll('\n', '\r\n'), ['a', 'b']],
  ['a byte order mark', `\ufeff${map('a')}---\n${map('b')}`, ['a', 'b']],
  ['text behind a separator', `${map('a')}--- x: 1\n`, 'refused'],
  ['four dashes', `${map('a')}----\n${map('b')}`, 'refused'],
  ['a directive', `%YAML 1.1\n---\n${map('a')}`, 'refused'],
  ['text behind three dots', `${map('a')}...\n${map('b')}---\n${map('c')}`, ['a', 'c']],
  ['text below a root in braces', `${HEAD}x: 1\n---\n${json('a')}foo: bar\n`, ['a']],
  ['text left of the root', `${map('a').replaceAll(/^/gm, '  ').trimEnd()}\nfoo: bar\n`, ['a']],
  ['two JSON values', `${json('a')}${json('b')}`, ['a', 'b']],
  ['JSON on several lines', json('a').replaceAll(/([{,:])/g, '$1\n\t'), ['a']],
  ['JSON with a broken end', `${json('a').trimEnd()}}\n`, ['a']],
  ['JSON that is cut off', json('a').slice(0, -4), 'refused'],
  ['JSON in a YAML stream', `${map('a')}---\n${json('b')}`, ['a', 'b']],
  ['a comment before JSON', `# x\n${json('a')}`, ['a']],
  ['a list', `apiVersion: v1\nkind: List\nitems:\n- ${map('a').replaceAll('\n', '\n  ')}\n`, ['a']],
  ['a key twice', `${HEAD}metadata: {name: a}\nmetadata: {name: b}\n`, ['b']],
  ['tabs', `${HEAD}metadata:\n\tname: a\n`, 'refused'],
  ['an alias of another document', `x: &x a\n---\n${HEAD}metadata: {name: *x}\n`, 'refused'],
  ['a merge that comes later', `${HEAD}metadata: {name: a, <<: {name: b}}\n`, ['b']],
  ['a merge that comes first', `${HEAD}metadata: {<<: {name: b}, name: a}\n`, ['a']],
  ['an anchor twice', `${HEAD}x: &x b\ny: &x a\nmetadata: {name: *x}\n`, ['a']],
]

const LATER: ReadonlySet<string> = new Set(['JSON with a broken end', 'text left of the root'])

async function read(text: string | Uint8Array): Promise<FileReading> {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text
  const wanted = { needles: [{ kind: 'ConfigMap' }] }
  return readFile({ path: 'stream.yaml', bytes }, { wanted, fullParser: await loadFullParser() })
}

function namesIn(reading: FileReading): readonly (string | undefined)[] | 'refused' {
  if (reading.errors.length > 0) return 'refused'
  return manifestsOf(reading)
    .map(({ name }) => name)
    .filter((name) => name !== undefined)
}

describe('streams', () => {
  it.each(STREAMS.filter(([name]) => !LATER.has(name)))(
    '%s: as recorded from kubectl',
    async (_name, text, names) => {
      expect(namesIn(await read(text))).toEqual(names)
    },
  )

  it('UTF-16 with a byte order mark', async () => {
    expect(namesIn(await read(Buffer.from(`\ufeff${map('a')}`, 'utf16le')))).toEqual(['a'])
  })
})

describe.skipIf(oraclesMissing !== undefined)('streams, asked now', () => {
  it.each(STREAMS)('%s: kubectl 1.35', async (_name, text, names) => {
    expect(namesOf(await kubectlReads(await kubectl35Path(), text))).toEqual(names)
  })

  it('UTF-16 with a byte order mark: kubectl 1.32 and 1.35', async () => {
    const bytes = Buffer.from(`\ufeff${map('a')}`, 'utf16le')
    expect(namesOf(await kubectlReads(await kubectl32Path(), bytes))).toEqual(['a'])
    expect(namesOf(await kubectlReads(await kubectl35Path(), bytes))).toEqual(['a'])
  })

  it('only kubectl 1.35 takes YAML behind JSON, and braces that are no JSON', async () => {
    const mixed = `${json('a')}---\n${map('b')}`
    const braces = '{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\n'
    expect(namesOf(await kubectlReads(await kubectl32Path(), mixed))).toEqual(['a'])
    expect(namesOf(await kubectlReads(await kubectl35Path(), mixed))).toEqual(['a', 'b'])
    expect(namesOf(await kubectlReads(await kubectl32Path(), braces))).toBe('refused')
    expect(namesOf(await kubectlReads(await kubectl35Path(), braces))).toEqual(['a'])
    expect(namesIn(await read(mixed))).toEqual(['a', 'b'])
    expect(namesIn(await read(braces))).toEqual(['a'])
  })

  it('the last line end of a file is added by kubectl and not by kustomize', async () => {
    const text = `${map('a')}data:\n  x: |\n    y`
    const byKubectl: unknown = JSON.parse(await kubectlReads(await kubectl35Path(), text))
    expect(at(byKubectl as never, ['data', 'x'])).toBe('y\n')
    expect(await kustomizeReads(await kubectl35Path(), text)).toContain('x: "y"')
    const [document] = (await read(text)).documents
    expect(stringAt(document?.value(), ['data', 'x'])).toBe('y\n')
    expect(stringAt(document?.value('kustomize'), ['data', 'x'])).toBe('y')
  })

  it('kustomize refuses keys that stand twice and keys that are numbers', async () => {
    const kubectl = await kubectl35Path()
    expect(await kustomizeReads(kubectl, `${map('a')}data: {x: "1", x: "2"}\n`)).toMatch(/^error/)
    expect(await kustomizeReads(kubectl, `${map('a')}data: {1: x}\n`)).toMatch(/^error/)
  })
})

function namesOf(answer: string): readonly string[] | 'refused' {
  if (answer.includes('error: ') && !answer.includes('"name"')) return 'refused'
  return [...answer.matchAll(/^ {8,}"name": "(.*?)"/gm)].map(([, name]) => name ?? '')
}
