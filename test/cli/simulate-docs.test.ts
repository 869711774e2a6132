import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { secondActors } from '../../src/simulate/actors/index.ts'
import { drillKinds } from '../../src/simulate/drill/drill.ts'
import { scenarioEngines } from '../../src/simulate/scenario/stages/index.ts'
import { known } from '../traces/known.ts'
import { folder, root, semel } from './cli.ts'
import { gitEnv } from './git.ts'

/**
 * The pages of simulate show what it does. `file: NAME` comments give files to the scenarios behind
 * them; a scenario, or a part of one, has to be valid and has to play, and to come out as it expects.
 * A page with a comment `simulate: FOLDER` has a copy of that folder for its `console` blocks; a pipe
 * behind semel is run by bash. UPDATE=1 writes what is shown.
 */
const PAGES = ['docs/reference/job-scenario.md', ...pagesOf('docs/simulate')]

function pagesOf(at: string): readonly string[] {
  return readdirSync(path.join(root, at))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${at}/${name}`)
}

const read = (name: string): string => readFileSync(path.join(root, name), 'utf8')

const PARTS = ['engine', 'actors', 'workloads', 'variants', 'events', 'expect']

interface Shown {
  readonly scenario: string
  /** Those that the page has shown until then. */
  readonly files: Readonly<Record<string, string>>
}

/** The scenarios of a page, parts of one completed. */
function scenariosOf(page: string): readonly Shown[] {
  const files: { [name: string]: string } = {}
  const found: Shown[] = []
  const blocks = /(?:<!-- file: (\S+) -->\n\n)?```yaml\n([\s\S]*?\n)```/g
  for (const [, name, text = ''] of page.matchAll(blocks)) {
    if (name !== undefined) {
      files[name] = text
      continue
    }
    const isWhole = text.startsWith('format: job-scenario/1')
    const isPart = PARTS.some((part) => text.startsWith(`${part}:`))
    if (!isWhole && !isPart) continue
    const kept = { ...files }
    if (isWhole) found.push({ scenario: text, files: kept })
    else {
      const engine = /^engine:/m.test(text) ? '' : 'engine: {kind: kubernetes}\n'
      const scenario = `format: job-scenario/1\nhorizon: 48h\n${engine}${text}`
      found.push({ scenario, files: kept })
    }
  }
  return found
}

describe.each(PAGES)('%s', (name) => {
  const page = read(name)

  const shown = scenariosOf(page).map(
    ({ scenario, files }, nth) => [nth + 1, scenario, files] as const,
  )
  it.runIf(shown.length > 0).each(shown)(
    'has a scenario %i that plays',
    async (_nth, scenario, files) => {
      const below = Object.entries(files).map(([file, text]) => [`case/${file}`, text])
      const cwd = folder({ ...Object.fromEntries(below), 'case/scenario.yaml': scenario })
      const { code, out, err } = await semel('simulate --case case', { cwd })
      expect(`${err}${/^differs[\s\S]*/m.exec(out)?.[0] ?? ''}`).toBe('')
      expect(code).toBe(0)
    },
  )

  it('links to pages and headings that are there', () => {
    for (const [, target = ''] of page.matchAll(/\]\((?!https?:)([^)]+)\)/g)) {
      const [file = '', heading] = target.split('#')
      const linked = file === '' ? name : path.join(path.dirname(name), file)
      expect(existsSync(path.join(root, linked)), target).toBe(true)
      if (heading !== undefined) expect(anchorsOf(read(linked)), target).toContain(heading)
    }
  })

  const source = /^<!-- simulate: (\S+) -->$/m.exec(page)?.[1]
  // Pages without such a mark show nothing that was printed.
  if (source === undefined) return
  it('shows what is printed', { timeout: 120_000 }, async () => {
    const now = await played(page, source)
    if (process.env['UPDATE'] === '1') writeFileSync(path.join(root, name), now)
    expect(read(name)).toBe(now)
  })
})

function anchorsOf(page: string): readonly string[] {
  const headings = [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  )
  const named = [...page.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id)
  return [...headings, ...named]
}

async function played(page: string, source: string): Promise<string> {
  const cwd = folder()
  cpSync(path.join(root, source), cwd, { recursive: true })
  shell('git init --quiet --initial-branch=main && git add --all && git commit -qm shop', {
    cwd,
    date: '2026-03-02T00:00:00Z',
  })
  let made = page
  const blocks = /(?:<!-- file: (\S+) -->\n\n)?```(yaml|diff|console)\n([\s\S]*?\n)```/g
  for (const [block, file, kind, text = ''] of page.matchAll(blocks)) {
    if (kind !== 'console') {
      if (file === undefined) continue
      mkdirSync(path.dirname(path.join(cwd, file)), { recursive: true })
      writeFileSync(path.join(cwd, file), text)
      continue
    }
    const rows: string[] = []
    let code = 0
    for (const line of text.split('\n').filter((row) => row.startsWith('$ '))) {
      const said = await say(line.slice('$ '.length), { cwd, code })
      ;({ code } = said)
      rows.push(`${line}\n${said.text}`)
    }
    made = made.replace(block, () => `\`\`\`console\n${rows.join('')}\`\`\``)
  }
  return made
}

interface Session {
  readonly cwd: string
  readonly code: number
}

interface Said {
  readonly text: string
  readonly code: number
}

async function say(command: string, { cwd, code: before }: Session): Promise<Said> {
  if (command === 'echo $?') return { text: `${before}\n`, code: 0 }
  if (!command.startsWith('semel ')) {
    const { status, stdout, stderr } = shell(command, { cwd, date: '2026-03-02T08:00:00Z' })
    return { text: stdout + stderr, code: status ?? 1 }
  }
  const [own = '', ...rest] = command.split(' | ')
  const world = { cwd, columns: 100, today: '2026-03-02', env: gitEnv() }
  const { code, out, err } = await semel(own.slice('semel '.length), world)
  if (rest.length === 0) return { text: err + out, code }
  return { text: err + shell(rest.join(' | '), { cwd, input: out }).stdout, code }
}

interface Shell {
  readonly cwd: string
  readonly input?: string
  /** Of what it commits. */
  readonly date?: string
}

function shell(command: string, { cwd, input = '', date = '' }: Shell) {
  const env = { ...gitEnv(), GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date }
  return spawnSync('bash', ['-c', command], { cwd, input, env, encoding: 'utf8' })
}

describe('README.md', () => {
  it('shows how often each Job runs', async () => {
    const { out } = await semel('simulate examples/shop')
    const [, sentences = ''] = out.split('\n\n')
    const block = /(```console\n\$ npm start -- simulate examples\/shop\n)[\s\S]*?(```\n)/
    const now = read('README.md').replace(
      block,
      (_, open: string, close: string) => `${open}${sentences}\n${close}`,
    )
    if (process.env['UPDATE'] === '1') writeFileSync(path.join(root, 'README.md'), now)
    expect(read('README.md')).toBe(now)
  })
})

describe('the pages of simulate name', () => {
  it('every engine and second actor', () => {
    const page = read('docs/reference/job-scenario.md')
    const kinds = [...scenarioEngines, ...secondActors].flatMap((one) => one.kinds)
    expect(kinds.filter((kind) => !page.includes(`\`${kind}\``))).toEqual([])
  })

  it('every key of a scenario', () => {
    const page = read('docs/reference/job-scenario.md')
    const schema = read('schema/job-scenario.schema.json')
    expect(keysOf(JSON.parse(schema)).filter((key) => !page.includes(key))).toEqual([])
  })

  it('every drill', () => {
    const page = read('docs/simulate/drills.md')
    expect(drillKinds.filter(({ name }) => !page.includes(`\`${name}`))).toEqual([])
  })
})

describe('docs/simulate/accuracy.md', () => {
  const at = path.join(root, 'fixtures/traces')
  const files = readdirSync(at).flatMap((engine) =>
    readdirSync(path.join(at, engine))
      .filter((name) => name.endsWith('.json'))
      .map((name) => path.join(engine, name)),
  )
  const page = read('docs/simulate/accuracy.md')

  it('counts the traces that there are', () => {
    const agreed = files.length - Object.keys(known).length
    expect(page).toContain(`\`traces: ${agreed} of ${files.length}\``)
  })

  it.each(readdirSync(at))('counts those of %s, with the versions that were recorded', (engine) => {
    const own = files.filter((name) => path.dirname(name) === engine)
    const agreed = own.filter((name) => known[name.replace(/\.json$/, '')] === undefined).length
    const versions = own.map((name) => {
      const trace = JSON.parse(readFileSync(path.join(at, name), 'utf8')) as Recorded
      return trace.engine.version
    })
    const numbers = [...new Set(versions)].sort().join(', ')
    expect(page).toContain(`| ${numbers} | ${agreed} of ${own.length} |`)
  })
})

interface Recorded {
  readonly engine: { readonly version: string }
}

/** All names of properties of a JSON Schema. */
function keysOf(schema: unknown): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([key, value]) => [
    ...(key === 'properties' ? Object.keys(value as object) : []),
    ...keysOf(value),
  ])
}
