import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { checkTree, problemsOf, rooms } from './check-imports.mjs'

const messages = (file: string, text: string): string[] =>
  problemsOf(file, text).map(({ line, column, message }) => `${line}:${column} ${message}`)

describe('the direction of imports', () => {
  it.each([
    ['src/core/a.ts', `import { rules } from '../lint/rules/index.ts'`, 'core may not import lint'],
    ['src/core/a.ts', `import type { Rule } from '../lint/rule.ts'`, 'core may not import lint'],
    ['src/core/yaml/a.ts', `import '../../engines/flux.ts'`, 'core may not import engines'],
    ['src/core/a.ts', `export * from '../engines/index.ts'`, 'core may not import engines'],
    ['src/core/a.ts', `export type { E } from '../engines/engine.ts'`, 'may not import engines'],
    ['src/core/a.ts', `type R = import('../lint/rule.ts').Rule`, 'core may not import lint'],
    ['src/core/a.ts', `const x = await import('../cli/main.ts')`, 'core may not import cli'],
    ['src/core/a.ts', 'await import(`../cli/main.ts`)', 'core may not import cli'],
    ['src/core/a.ts', `import {\n  a, // one\n  b,\n} from '../lint/rule.ts'`, 'not import lint'],
    ['src/core/a.ts', `import/* x */{a}from'../lint/rule.ts'`, 'core may not import lint'],
    ['src/core/a.ts', `import x, * as y from "../lint/rule.ts"`, 'core may not import lint'],
    ['src/core/a.ts', `import yaml from 'yaml'`, 'core is pure and may not import yaml'],
    ['src/core/a.ts', `await import(name)`, 'imports something that is computed'],
    ['src/engines/flux.ts', `import { x } from '../ownership/x.ts'`, 'only core'],
    ['src/ownership/a.ts', `import { x } from '../lint/rule.ts'`, 'only core, engines'],
    ['src/lint/a.ts', `import { x } from '../adapters/files.ts'`, 'may not import adapters'],
    ['src/lint/a.ts', `import { createHash } from 'node:crypto'`, 'may not import node:crypto'],
    ['src/adapters/a.ts', `import { x } from '../ownership/x.ts'`, 'only core, controller'],
    ['src/adapters/a.ts', `import { x } from '../engines/engine.ts'`, 'only core, controller'],
    ['src/adapters/a.ts', `import { x } from '../cli/main.ts'`, 'may not import cli'],
    ['src/index.ts', `export { main } from './cli/main.ts'`, 'src/index.ts may not import cli'],
    ['src/lint/a.ts', `import { x } from '../index.ts'`, 'only users of the package'],
    ['src/lint/a.ts', `import { x } from './a.test.ts'`, 'may not import the test'],
    ['src/cli/a.ts', `import { x } from '../../test/oracles.ts'`, 'may not import test/oracles.ts'],
    ['src/core/a.test.ts', `import { x } from '../cli/main.ts'`, 'core may not import cli'],
    ['src/newroom/a.ts', '', 'no part of the table'],
  ])('%s: %s', (file, text, message) => {
    const found = messages(file, text)
    expect(found).toHaveLength(1)
    expect(found[0]).toContain(message)
  })

  it.each([
    ['src/core/a.ts', `import { createHash } from 'node:crypto'`],
    ['src/core/yaml/a.ts', `import type { Json } from '../json.ts'`],
    ['src/lint/rules/a.ts', `import type { Rule } from '../rule.ts'`],
    ['src/lint/a.ts', `import type { Subject } from '../ownership/subject.ts'`],
    ['src/adapters/a.ts', `import { parseDocument } from 'yaml'\nimport fs from 'node:fs'`],
    ['src/cli/a.ts', `const { x } = await import('../lint/run.ts')\nawait import(name)`],
    ['src/cli/a.ts', `import manifest from '../../package.json' with { type: 'json' }`],
    ['src/index.ts', `export * from './core/index.ts'\nexport * from './lint/index.ts'`],
    ['src/lint/a.test.ts', `import { it } from 'vitest'\nimport { h } from '../../test/h.ts'`],
    ['src/lint/a.test.ts', `import { flux } from '../engines/flux.ts'`],
    ['src/core/a.ts', `// import { x } from '../cli/main.ts'\nconst a = "from '../cli/main.ts'"`],
    ['src/core/a.ts', 'const a = `import { x } from "../cli/main.ts"`'],
    ['src/core/a.ts', 'const from = 1\nconst a = [from, "../cli/main.ts"]'],
    ['src/core/a.ts', `const r = /import 'x' from "[/'"]/.test(a) // '`],
    ['test/cli/a.test.ts', `import { main } from '../../src/cli/main.ts'`],
  ])('allows in %s: %s', (file, text) => {
    expect(messages(file, text)).toEqual([])
  })
})

describe('purity', () => {
  it.each([
    [`import { readFileSync } from 'node:fs'`, 'may not import node:fs'],
    [`import net from 'net'`, 'may not import net'],
    [`const now = Date.now()`, 'reads the clock (Date.now)'],
    [`const now = Date?.now()`, 'reads the clock (Date.now)'],
    [`const now = Date['now']()`, 'reads the clock (Date.now)'],
    [`const now = new Date()`, 'reads the clock (new Date())'],
    [`const now = new Date`, 'reads the clock (new Date())'],
    [`const now = Date()`, 'reads the clock (Date())'],
    [`const { now } = Date`, 'reads the clock (Date)'],
    [`const x = Math.random()`, 'Math.random'],
    [`const { random } = Math`, 'Math.random'],
    [`const home = process.env.HOME`, 'uses process'],
    [`const on = x ? process : y`, 'uses process'],
    [`console.log('x')`, 'uses console'],
    [`await fetch(url)`, 'uses fetch'],
    [`setTimeout(run, 5)`, 'uses setTimeout'],
    [`performance.now()`, 'uses performance'],
    ['const a = `at ${Date.now()}`', 'reads the clock (Date.now)'],
    ['const a = `${`${process.pid}`}`', 'uses process'],
    [`globalThis.process.exit()`, 'uses globalThis'],
    [`const id = crypto.randomUUID()`, 'uses chance (randomUUID)'],
    [`const u = import.meta.url`, 'import.meta'],
    [`const half = a / 2; process.exit() // b / c`, 'uses process'],
  ])('reports %s', (text, message) => {
    const found = messages('src/lint/a.ts', text)
    expect(found).toHaveLength(1)
    expect(found[0]).toContain(message)
  })

  it.each([
    `const at = new Date(seconds * 1000).toISOString()`,
    `const at = Date.parse(text) + Date.UTC(2026, 1)`,
    `function f(at: Date): boolean { return at instanceof Date }`,
    `const x = Math.max(1, 2)`,
    `// process.env and Date.now() are not for us\n/* console.log() */`,
    `const text = 'process.exit()' + "Date.now()" + \`console\``,
    `const x = { process: 1, fetch: 2 }\nreturn x.process + x.fetch`,
    `interface A { readonly process?: string; console: boolean }`,
    `const r = /process/g`,
    `const global = at(value) === true\nreturn generated(global)`,
    `const r = /[/'"\`]process/u.test(a) ? 1 : 2`,
  ])('is silent about %s', (text) => {
    expect(messages('src/lint/a.ts', text)).toEqual([])
  })

  it.each(['adapters', 'server', 'cli'])('lets %s use the world', (room) => {
    const text = `import fs from 'node:fs'\nconst now = Date.now() + process.pid`
    expect(messages(`src/${room}/a.ts`, text)).toEqual([])
  })

  it('leaves tests free to use the world', () => {
    expect(messages('src/core/a.test.ts', `import fs from 'node:fs'\nprocess.pid`)).toEqual([])
  })
})

it('says where: line and column', () => {
  const text = `import { a } from './a.ts'\n\n  import { b } from '../lint/b.ts'`
  expect(messages('src/core/x.ts', text)[0]).toMatch(/^3:21 /)
})

it('has no circle in the table', () => {
  const reaches = (from: string, seen: readonly string[]): boolean =>
    (rooms[from]?.may ?? []).some((next) => seen.includes(next) || reaches(next, [...seen, next]))
  expect(Object.keys(rooms).filter((name) => reaches(name, [name]))).toEqual([])
})

it('holds for this repository', () => {
  expect(checkTree(fileURLToPath(new URL('../', import.meta.url)))).toEqual([])
})
