import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { configJsonSchema } from '../../src/cli/config/schema.ts'
import { allRules } from '../../src/cli/judge.ts'
import { engines } from '../../src/engines/index.ts'
import { folder, job, root, semel, type Answer } from './cli.ts'

const moving = (name: string): string => job(name).replace(/@sha256:5+/, ':latest')

async function withConfig(
  config: string,
  args = 'lint -o compact --engine kubectl',
  files: Readonly<Record<string, string>> = { 'apps/a.yaml': moving('a') },
): Promise<Answer> {
  return semel(args, { cwd: folder({ ...files, 'semel.yaml': config }) })
}

describe('a wrong semel.yaml', () => {
  const entry = (text: string): string =>
    `version: 1\nttlContract:\n  seconds: 60\n  none:\n    - ${text}\n`
  it.each<[string, string, string, string]>([
    ['an empty file', '', '1:1', 'semel.yaml is empty'],
    ['only a comment', '# nothing\n', '1:1', 'semel.yaml is empty'],
    ['a list', '- a\n', '1:1', 'semel.yaml is a list'],
    ['no YAML', 'version: [1\n', '', 'semel.yaml:'],
    ['two documents', 'version: 1\n---\nversion: 1\n', '3:1', 'more than one document'],
    ['a key twice', 'version: 1\nrules: {}\nrules: {}\n', '3:1', 'the key rules stands twice'],
    ['no version', 'rules: {}\n', '1:1', 'semel.yaml has no version'],
    ['another version', 'version: 2\n', '1:10', 'version is 2'],
    [
      'a mistyped key',
      'version: 1\nrule: {}\n',
      '2:1',
      'semel.yaml has no key rule. Did you mean rules?',
    ],
    [
      'a mistyped rule',
      'version: 1\nrules: {mutable-tags: off}\n',
      '2:9',
      'there is no rule mutable-tags. Did you mean mutable-tag?',
    ],
    [
      'a mistyped level',
      'version: 1\nrules: {mutable-tag: eror}\n',
      '2:22',
      'rules.mutable-tag is "eror". Did you mean error?',
    ],
    [
      'a level that is no text',
      'version: 1\nrules: {mutable-tag: on}\n',
      '2:22',
      'rules.mutable-tag is true',
    ],
    [
      'a mistyped engine',
      'version: 1\nscopes: [{path: a, engine: fux}]\n',
      '2:28',
      'Did you mean flux?',
    ],
    [
      'a scope without a path',
      'version: 1\nscopes: [{engine: flux}]\n',
      '2:10',
      'the entry scopes[0] has no path',
    ],
    [
      'a mistyped key in a scope',
      'version: 1\nscopes: [{path: a, engin: flux}]\n',
      '2:20',
      'scopes[0] has no key engin. Did you mean engine?',
    ],
    [
      'a pattern that leaves the folder',
      'version: 1\nignore: [../a]\n',
      '2:10',
      'ignore[0]: "../a" is no path pattern: it leaves',
    ],
    ['a pattern that is no text', 'version: 1\nignore: [7]\n', '2:10', 'put it into quotes'],
    ['a single pattern', 'version: 1\nignore: a\n', '2:9', 'it must be a list'],
    [
      'a TTL as text',
      'version: 1\nttlContract: {seconds: "60"}\n',
      '2:24',
      'it must be a whole number',
    ],
    [
      'a TTL below zero',
      'version: 1\nttlContract: {seconds: -1}\n',
      '2:24',
      'it must be 0 or more',
    ],
    [
      'no TTL',
      'version: 1\nttlContract: {none: []}\n',
      '2:1',
      'the entry ttlContract has no seconds',
    ],
    ['an entry without a file', entry('{job: a, reason: r}'), '5:7', 'has no file'],
    ['an entry without a Job', entry('{file: a.yaml, reason: r}'), '5:7', 'has no job'],
    ['an entry without a reason', entry('{file: a.yaml, job: a}'), '5:7', 'has no reason'],
    [
      'a pattern as file',
      entry('{file: "*.yaml", job: a, reason: r}'),
      '5:14',
      'patterns are not allowed',
    ],
    [
      'a Job that is a number',
      entry('{file: a.yaml, job: 7, reason: r}'),
      '5:27',
      'put it into quotes',
    ],
    [
      'an end that is no day',
      entry('{file: a.yaml, job: a, reason: r, expires: soon}'),
      '5:50',
      'is no day; write YYYY-MM-DD',
    ],
    [
      'a link that is none',
      entry('{file: a.yaml, job: a, reason: r, issue: "41"}'),
      '5:48',
      'a link that starts with',
    ],
  ])('stops the run for %s, with its position', async (_case, config, at, words) => {
    const { code, out, err } = await withConfig(config)
    expect(err).toContain(`CONFIG_INVALID  semel.yaml:${at}`)
    expect(err.replaceAll(/\s+/g, ' ')).toContain(words)
    expect(out).toBe('')
    expect(code).toBe(2)
  })

  it('says everything at once, in the order of the file', async () => {
    const { err } = await withConfig('version: 3\nignore: 7\nscope: []\n')
    const places = [...err.matchAll(/semel\.yaml:(\d+):/g)].map((match) => match[1])
    expect(places).toEqual(['1', '2', '3'])
  })

  it('is named when it was asked for and is not there', async () => {
    const { code, err } = await withConfig('version: 1\n', 'lint --config other.yaml')
    expect(err).toContain('PATH_NOT_FOUND')
    expect(err).toContain('other.yaml does not exist')
    expect(code).toBe(2)
  })
})

describe('semel.yaml', () => {
  it.each([
    ['switches a rule off', 'rules: {mutable-tag: off}', 0, 'No findings'],
    ['switches a rule off with a quoted word', 'rules: {mutable-tag: "off"}', 0, 'No findings'],
    ['raises a rule', 'rules: {mutable-tag: error}', 1, '1 error in'],
    ['lowers a rule below what fails', 'rules: {mutable-tag: info}', 0, '1 info in'],
    ['leaves parts out that have nothing in them', 'rules:\nscopes:\nignore:', 1, '1 warning in'],
    [
      'decides by the last scope',
      'scopes: [{path: apps, rules: {mutable-tag: off}}, {path: "**", rules: {mutable-tag: error}}]',
      1,
      '1 error in',
    ],
    [
      'decides only where its scope reaches',
      'scopes: [{path: other, rules: {mutable-tag: off}}]',
      1,
      '1 warning in',
    ],
  ])('%s', async (_case, config, code, words) => {
    const answer = await withConfig(`version: 1\n${config}\n`)
    expect(answer.err).toBe('')
    expect(answer.out).toContain(words)
    expect(answer.code).toBe(code)
  })

  it('leaves files out', async () => {
    const files = { 'apps/a.yaml': moving('a'), 'vendor/b.yaml': moving('b') }
    const { out } = await withConfig('version: 1\nignore: [vendor]\n', undefined, files)
    expect(out).not.toContain('vendor/b.yaml')
    expect(out).toContain('apps/a.yaml')
  })

  it('says which engine applies files, unless the command line does', async () => {
    const config = 'version: 1\nscopes: [{path: apps, engine: argocd}]\n'
    const given = await withConfig(config, 'check -o json')
    expect(JSON.parse(given.out)).toMatchObject({ jobs: [{ engine: 'argocd', engineIs: 'given' }] })
    const other = await withConfig(config, 'check -o json --engine flux')
    expect(JSON.parse(other.out)).toMatchObject({ jobs: [{ engine: 'flux', engineIs: 'given' }] })
  })

  it('holds from the folder of a path up to the top of the git working tree', async () => {
    const files = {
      '.git/HEAD': '',
      'apps/one/a.yaml': moving('a'),
      'semel.yaml':
        'version: 1\nrules: {mutable-tag: error}\nscopes: [{path: apps/one/a.yaml, engine: kubectl}]\n',
    }
    const cwd = folder(files)
    const below = await semel('lint -o compact', { cwd: path.join(cwd, 'apps/one') })
    expect(below.out).toContain('a.yaml:14:18: error mutable-tag')
    const named = await semel('lint -o compact apps/one/a.yaml', { cwd })
    expect(named.out).toContain('apps/one/a.yaml:14:18: error mutable-tag')
    const nearer = {
      ...files,
      'apps/semel.yaml': 'version: 1\nscopes: [{path: ., engine: kubectl}]\n',
    }
    const inner = await semel('lint -o compact apps/one', { cwd: folder(nearer) })
    expect(inner.out).toContain('warning mutable-tag')
  })

  it('has a JSON Schema for editors that is up to date', () => {
    const file = path.join(root, 'schema/semel.schema.json')
    const known = { rules: allRules, engines: engines.map(({ id }) => id) }
    const current = configJsonSchema(known)
    if (process.env['UPDATE'] === '1') writeFileSync(file, current)
    expect(readFileSync(file, 'utf8')).toBe(current)
  })

  it('never brings semel down, whatever stands in it', { timeout: 120_000 }, async () => {
    const key = fc.constantFrom(...KEYS)
    const leaf = fc.oneof(
      fc.constantFrom(1, 0, -1, 60, null, true, 'off', 'error', 'flux', 'apps/a.yaml', 'a', ''),
      fc.string(),
      fc.double(),
    )
    const value = fc.letrec((tie) => ({
      any: fc.oneof({ depthSize: 'small' }, leaf, tie('list'), tie('map')),
      list: fc.array(tie('any'), { maxLength: 3 }),
      map: fc.dictionary(key, tie('any'), { maxKeys: 4 }),
    })).any
    const known = fc.record(
      { rules: value, scopes: value, ignore: value, ttlContract: value },
      { requiredKeys: [] },
    )
    const text = fc.oneof(
      value.map((one) => JSON.stringify(one)),
      known.map((one) => JSON.stringify({ version: 1, ...one })),
      fc.string({ unit: fc.constantFrom(...SIGNS) }),
    )
    const cwd = folder({ 'apps/a.yaml': moving('a') })
    await fc.assert(
      fc.asyncProperty(text, async (config) => {
        writeFileSync(path.join(cwd, 'semel.yaml'), config)
        const { code, err } = await semel('lint -o compact --engine kubectl', { cwd })
        expect(err).not.toContain('bug in semel')
        if (code === 2)
          expect(err).toMatch(
            /(?:CONFIG_INVALID {2}semel\.yaml:\d+:\d+|CONFIG_STALE|NO_INPUT|NO_JOBS)/,
          )
      }),
      { numRuns: 300 },
    )
  })
})

const KEYS =
  'version rules scopes path engine ttlContract seconds none value file job reason expires issue ignore mutable-tag __proto__ x'.split(
    ' ',
  )
const SIGNS = Array.from('version: 1\nrules[]{}"\'-&*!|>#%@`,?\t')
