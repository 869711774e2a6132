import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isList, isObject, type Json, type JsonObject } from '../../src/core/json.ts'
import { applySet, SetFault, type SetExpression } from '../../src/render/values/set.ts'
import { mergeValues } from '../../src/render/values/values.ts'
import { helm3Path, helm4Path, oraclesMissing, runOracle } from '../oracles.ts'

/**
 * The real Helm binaries are asked what values a chart would see. A null is left out on both
 * sides: Helm takes it for "not there", and so do we, later.
 */
describe.skipIf(oraclesMissing !== undefined)(
  `values as Helm merges them${oraclesMissing === undefined ? '' : ` (${oraclesMissing})`}`,
  () => {
    let folder = ''
    let helms: readonly string[] = []
    const file = (): string => path.join(folder, 'text.txt')
    beforeAll(async () => {
      folder = mkdtempSync(path.join(tmpdir(), 'semel-helm-values-'))
      writeFileSync(
        path.join(folder, 'Chart.yaml'),
        'apiVersion: v2\nname: probe\nversion: 0.1.0\n',
      )
      mkdirSync(path.join(folder, 'templates'))
      const template = 'values: {{ omit .Values "global" | toJson | quote }}\n'
      writeFileSync(path.join(folder, 'templates/values.yaml'), template)
      writeFileSync(path.join(folder, 'text.txt'), 'one\ntwo, {three}\n')
      helms = [await helm3Path(), await helm4Path()]
    })
    afterAll(() => rmSync(folder, { recursive: true, force: true }))

    /** The values that a Helm makes; undefined where it refuses. */
    async function helmSays(
      helm: string,
      files: readonly JsonObject[],
      sets: readonly SetExpression[],
    ): Promise<Json | undefined> {
      const args = files.flatMap((file, index) => {
        const name = path.join(folder, `values-${index}.yaml`)
        writeFileSync(name, JSON.stringify(file))
        return ['-f', name]
      })
      const flags = sets.flatMap(({ flag, text }) => [`--${flag}`, text])
      try {
        const { stdout } = await runOracle(helm, ['template', 'probe', folder, ...args, ...flags])
        const line = stdout.split('\n').find((row) => row.startsWith('values: ')) ?? ''
        return JSON.parse(JSON.parse(line.slice('values: '.length)) as string) as Json
      } catch {
        return undefined
      }
    }

    function weSay(files: readonly JsonObject[], sets: readonly SetExpression[]): Json | undefined {
      const start = files.reduce(mergeValues, {})
      try {
        const made = ['set', 'set-string', 'set-file']
          .flatMap((flag) => sets.filter((one) => one.flag === flag))
          .reduce((values, one) => applySet(values, one, () => 'one\ntwo, {three}\n').values, start)
        return JSON.parse(
          JSON.stringify(made, (_, value: unknown) =>
            typeof value === 'bigint' ? Number(value) : value,
          ),
        ) as Json
      } catch (error) {
        if (error instanceof SetFault) return undefined
        throw error
      }
    }

    /** We may refuse an unfinished expression of which Helm makes nothing without a word. */
    async function agree(
      files: readonly JsonObject[],
      sets: readonly SetExpression[],
      asked: readonly string[] = helms,
    ): Promise<void> {
      const ours = withoutNulls(weSay(files, sets))
      const said = await Promise.all(asked.map((helm) => helmSays(helm, files, sets)))
      const theirs = said.map(withoutNulls)
      if (ours === undefined && theirs.every((one) => one !== undefined)) {
        expect(
          sets.some(({ text }) => UNFINISHED.test(text)),
          JSON.stringify(sets),
        ).toBe(true)
        return
      }
      expect({ files, sets, says: theirs }).toEqual({ files, sets, says: asked.map(() => ours) })
    }

    it.each<[string, ...JsonObject[]]>([
      ['mappings merge deeply', { a: { b: 1, c: { d: 1 } } }, { a: { c: { e: 2 } } }],
      ['lists are replaced', { a: [1, 2, 3] }, { a: [4] }],
      ['null takes away', { a: { b: 1, c: 2 } }, { a: { b: null } }],
      ['null takes a mapping away', { a: { b: 1 } }, { a: null }],
      ['what was taken away comes back', { a: { b: 1 } }, { a: null }, { a: { c: 1 } }],
      ['a mapping replaces text', { a: 'x' }, { a: { b: 1 } }],
      ['text replaces a mapping', { a: { b: 1 } }, { a: 'x' }],
      [
        'falsy values override',
        { a: 1, b: true, c: 'x', d: { e: 1 } },
        { a: 0, b: false, c: '', d: {} },
      ],
    ])('%s', async (_case, ...files) => {
      await agree(files, [])
    })

    it.each<string>([
      'a=1',
      'a.b=1',
      'a.b.c=x,a.b.d=y',
      'a=',
      'a=,b=1',
      'a=true,b=False,c=NULL',
      'a=0,b=00,c=007',
      'a=-5,b=+5,c=1.5,d=1e3',
      'a=9007199254740993',
      'a=99999999999999999999',
      'a={x,y}',
      'a={}',
      'a={x}',
      'a={1,true,null}',
      'a={x,y},b=2',
      'a={x',
      'a[0]=x',
      'a[0]=x,a[1]=y',
      'a[2]=x',
      'a[0].b=x,a[0].c=y',
      'a[0][1]=x',
      'a[-1]=x',
      'a[x]=1',
      'a[0]',
      'a[0]x=1',
      'a',
      'a,b=1',
      'a.',
      'a.=1',
      '.a=1',
      '=1',
      String.raw`a\.b=1`,
      String.raw`a.b\.c/d=x`,
      String.raw`a=x\,y`,
      String.raw`a\=b=1`,
      String.raw`a=x\\y`,
      String.raw`a=x\ny`,
      String.raw`a={x\,y,z}`,
      'a=x=y',
      'a=x y',
      ' a=1',
      'a =1',
      'a= 1',
      'a=1,',
      'a=1,,b=2',
      'a=[x]',
      'a=x{y,z}',
      'list[1]=new',
      'list[0].x=1',
      'map.key=2',
      'map.key.deep=2',
      'map=null',
      'map.key=null',
      'map.other={a,b}',
      'list=null',
      'text.key=1',
      'text[0]=1',
      'map[0]=1',
      'a[65537]=1',
      'ä.ö=ü',
      'a={x,y}z',
      'a={x}{y}',
      'a[0]={x,y}',
      'a[0]=',
      'nested[0][0].k=v',
      'nested[1].k=v',
      String.raw`a=\{x\,y\}`,
      "a='x'",
      'a="x"',
      'a={{x}',
      'maps[0].k=v',
      'maps[1].k=v',
      'maps[3].k=v',
      '__proto__.x=1',
      'constructor=1',
      'a.b[0].c[1].d=x',
    ])('--set %s', async (text) => {
      const file = {
        list: ['x', 'y'],
        map: { key: 1, other: 'o' },
        text: 't',
        nested: [['a', 'b'], 'c'],
        maps: [{ k: 'a', l: 1 }, null],
      }
      await Promise.all([
        agree([file], [{ flag: 'set', text }], helms.slice(1)),
        agree([], [{ flag: 'set-string', text }], helms.slice(0, 1)),
      ])
    })

    it.each<string>([
      'a=text.txt',
      'a.b[1]=text.txt',
      'a={text.txt,text.txt}',
      'a=text.txt,b=text.txt',
    ])('--set-file %s', async (text) => {
      await agree([], [{ flag: 'set-file', text: text.replaceAll('text.txt', file()) }])
    })

    it('the order of the flags is Helm’s own, whatever stands first', async () => {
      await agree(
        [{ a: 'file' }],
        [
          { flag: 'set-file', text: `b=${file()}` },
          { flag: 'set-string', text: 'a=2,b=2,c=2' },
          { flag: 'set', text: 'a=1,c=1,d=1' },
        ],
      )
    })

    it(
      'holds for values and expressions that nobody thought of',
      { timeout: 300_000 },
      async () => {
        const key = fc.constantFrom('a', 'b', 'c')
        const { value } = fc.letrec<{ value: Json; map: JsonObject }>((tie) => ({
          value: fc.oneof(
            { depthSize: 'small' },
            fc.constantFrom<Json>(null, 0, 1, true, false, '', 'x'),
            fc.array(tie('value'), { maxLength: 2 }),
            tie('map'),
          ),
          map: fc.dictionary(key, tie('value'), { maxKeys: 3 }),
        }))
        const file = fc.dictionary(key, value, { maxKeys: 3 })
        const text = fc
          .array(
            fc.constantFrom(
              'a',
              'b',
              '.',
              '=',
              ',',
              '[0]',
              '[1]',
              '{',
              '}',
              '1',
              'x',
              'null',
              '\\',
            ),
            { minLength: 2, maxLength: 9 },
          )
          .map((parts) => `a${parts.join('')}`)
        const set = fc.record({
          flag: fc.constantFrom('set' as const, 'set-string' as const),
          text,
        })
        await fc.assert(
          fc.asyncProperty(
            fc.array(file, { maxLength: 3 }),
            fc.array(set, { maxLength: 2 }),
            (files, sets) => agree(files, sets),
          ),
          { numRuns: Number(process.env['RUNS'] ?? 8), seed: 7 },
        )
      },
    )
  },
)

/** Nothing is set by what stands behind the last comma, or by an empty key. */
const UNFINISHED = /[.\]]$|\.[,[]|\\$|\.$|^a[^=]*$/

function withoutNulls(value: Json | undefined): Json | undefined {
  if (isList(value)) return value.map((item) => withoutNulls(item) ?? null)
  if (!isObject(value)) return value ?? undefined
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) =>
      item === null ? [] : [[key, withoutNulls(item)]],
    ),
  )
}
