import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { element } from '../../src/cli/formats/xml.ts'
import { formats } from '../../src/cli/formats/index.ts'
import { folder, job, semel, type Answer } from './cli.ts'
import { golden, shop } from './golden.ts'
import { parseXml, type XmlElement } from './xml.ts'

const moving = (name: string): string => job(name).replace(/@sha256:5+/, ':latest')
const broken = 'kind: Job\napiVersion: batch/v1\na: [\n'
/** A name that means something to every format that text can stand in. */
const NASTY = String.raw`a"b'c<d>&e|f*g_h\`i\`@team #12 [x](http://evil.test) ]]> \u0001 %0A::error::x`
const nasty = moving('one').replace(
  'name: one',
  `name: "${NASTY.replaceAll('"', String.raw`\"`).replaceAll(/\\(?=`)/g, '')}"`,
)

const run = (format: string, files: Readonly<Record<string, string>>, more = ''): Promise<Answer> =>
  semel(`lint --engine kubectl -o ${format} ${more}`, { cwd: folder(files) })

const all = (tree: XmlElement, name: string): readonly XmlElement[] => [
  ...(tree.name === name ? [tree] : []),
  ...tree.children.flatMap((child) => all(child, name)),
]

describe('every output', () => {
  it.each(['gitlab', 'junit', 'checkstyle', 'rdjson', 'markdown'])(
    '%s of the shop',
    async (format) => {
      await golden(`lint-${format}`, `lint -o ${format}`, { cwd: shop })
    },
  )

  it('can be written in one run', async () => {
    const cwd = folder({ 'a.yaml': moving('a') })
    const outputs = Object.keys(formats).map((format) => `-o ${format}=out/${format}`)
    const { code, out, err } = await semel(`lint --engine kubectl ${outputs.join(' ')}`, { cwd })
    expect({ code, out, err }).toEqual({ code: 1, out: '', err: '' })
    for (const format of Object.keys(formats)) {
      const text = readFileSync(path.join(cwd, 'out', format), 'utf8')
      expect(text, format).toContain('mutable-tag')
      expect(text.endsWith('\n'), format).toBe(true)
      expect(text, format).not.toContain('\u001b')
    }
  })

  it.each(['junit', 'checkstyle'])('%s is XML whatever stands in a name', async (format) => {
    const { out } = await run(format, { 'a&<b>".yaml': nasty, 'c.yaml': broken })
    const text = JSON.stringify(parseXml(out))
    expect(text).toContain(`a\\"b'c<d>&e|f`)
    expect(text).toContain('a&<b>\\".yaml')
    expect(out).not.toContain('\u0001')
  })

  it.each(['gitlab', 'rdjson', 'sarif', 'json'])(
    '%s is JSON whatever stands in a name',
    async (format) => {
      const { out } = await run(format, { 'a.yaml': nasty, 'c.yaml': broken })
      expect(JSON.stringify(JSON.parse(out))).toContain("b'c<d>")
    },
  )

  it.each(Object.keys(formats))('%s can say that there is nothing', async (format) => {
    const { code, out } = await run(format, { 'a.yaml': job('a') })
    expect(code).toBe(0)
    expect(out).not.toContain('undefined')
  })
})

describe('junit', () => {
  const suites = async (files: Readonly<Record<string, string>>, more = '') => {
    const { out } = await run('junit', files, more)
    const tree = parseXml(out)
    expect(tree.name).toBe('testsuites')
    for (const suite of [tree, ...all(tree, 'testsuite')]) {
      const count = (name: string): string => String(all(suite, name).length)
      expect(suite.attributes).toMatchObject({
        tests: count('testcase'),
        failures: count('failure'),
        errors: count('error'),
        skipped: count('skipped'),
      })
    }
    return tree
  }

  it('has a test for each finding and for each Job without one, and counts them', async () => {
    const suppressed = `# semel-ignore mutable-tag: nightly\n${moving('c')}`
    const files = {
      'a.yaml': moving('a'),
      'b.yaml': job('b'),
      'c.yaml': suppressed,
      'd.yaml': broken,
    }
    const tree = await suites(files)
    expect(tree.attributes).toMatchObject({ failures: '1', errors: '1', skipped: '1' })
    expect(all(tree, 'testsuite').map(({ attributes }) => attributes['name'])).toEqual([
      'a.yaml',
      'b.yaml',
      'c.yaml',
      'd.yaml',
    ])
    const [failure] = all(tree, 'failure')
    expect(failure?.attributes['type']).toBe('warning')
    expect(failure?.text).toContain('a.yaml:14:18')
    expect(all(tree, 'testcase').map(({ attributes }) => attributes['name'])).toContain(
      'Job shop/b',
    )
  })

  it('fails no test for what does not fail the run', async () => {
    const tree = await suites({ 'a.yaml': moving('a') }, '--fail-on error')
    expect(tree.attributes).toMatchObject({ tests: '1', failures: '0' })
    expect(all(tree, 'system-out')[0]?.text).toContain('warning: a.yaml:14:18')
  })
})

describe('checkstyle', () => {
  it('has the findings of each file with line, column, severity and rule', async () => {
    const { out } = await run('checkstyle', { 'a.yaml': moving('a'), 'd.yaml': broken })
    const tree = parseXml(out)
    expect(tree).toMatchObject({ name: 'checkstyle', attributes: { version: '8.0' } })
    const errors = all(tree, 'file').flatMap((file) =>
      file.children.map(({ attributes }) => ({ ...attributes, file: file.attributes['name'] })),
    )
    expect(errors).toMatchObject([
      { file: 'd.yaml', severity: 'error', source: 'semel.YAML_INVALID' },
      {
        file: 'a.yaml',
        line: '14',
        column: '18',
        severity: 'warning',
        source: 'semel.mutable-tag',
      },
    ])
    expect(all(tree, 'error')[1]?.attributes['message']).toContain('\nwhy: ')
  })
})

describe('gitlab', () => {
  it('has what the code quality report asks for', async () => {
    const twice = `${moving('a')}---\n${moving('a')}`
    const { out } = await run('gitlab', { 'a.yaml': twice, 'd.yaml': broken })
    const entries = JSON.parse(out)
    for (const entry of entries) {
      expect(Object.keys(entry).toSorted()).toEqual([
        'check_name',
        'description',
        'fingerprint',
        'location',
        'severity',
      ])
      expect(['info', 'minor', 'major', 'critical', 'blocker']).toContain(entry.severity)
      expect(entry.location.lines.begin).toBeGreaterThan(0)
      expect(entry.location.path).not.toMatch(/^\.?\//)
    }
    const prints = entries.map(({ fingerprint }: { fingerprint: string }) => fingerprint)
    expect(new Set(prints).size).toBe(entries.length)
  })
})

describe('rdjson', () => {
  interface Point {
    readonly line: number
    readonly column: number
  }

  it('counts columns in bytes, and suggests the fixes', async () => {
    const text = job('a').replace(
      '  backoffLimit: 0\n',
      '  backoffLimit: 3 # ä\n  backoffLimit: 0\n',
    )
    const { out } = await run('rdjson', { 'a.yaml': text.replace('image: ', 'image:   ') })
    const { source, diagnostics } = JSON.parse(out)
    expect(source).toEqual({ name: 'semel' })
    const [found] = diagnostics
    expect(found).toMatchObject({
      severity: 'ERROR',
      code: { value: 'duplicate-key' },
      location: { path: 'a.yaml', range: { start: { line: 8, column: 3 } } },
      relatedLocations: [{ location: { range: { start: { line: 7, column: 3 } } } }],
    })
    expect(found.suggestions).toEqual([
      { range: { start: { line: 7, column: 1 }, end: { line: 8, column: 1 } }, text: '' },
    ])
  })

  it('leads to the very bytes', async () => {
    const text = moving('a').replace(
      '- name: run',
      '- {name: "äöü€😀", image: registry.example.test/x:latest}\n        - name: run',
    )
    const { out } = await run('rdjson', { 'a.yaml': text })
    const lines = text.split('\n').map((line) => Buffer.from(line))
    const shown = JSON.parse(out).diagnostics.map(
      ({ location }: { location: { range: { start: Point; end: Point } } }) => {
        const { start, end } = location.range
        return lines[start.line - 1]?.subarray(start.column - 1, end.column - 1).toString()
      },
    )
    expect(shown).toContain('registry.example.test/x:latest')
  })
})

describe('sarif', () => {
  it('offers the fixes', async () => {
    const text = job('a').replace('  backoffLimit: 0\n', '  backoffLimit: 3\n  backoffLimit: 0\n')
    const { out } = await run('sarif', { 'a.yaml': text })
    expect(JSON.parse(out).runs[0].results[0].fixes).toEqual([
      {
        description: { text: 'remove the first backoffLimit, which is lost' },
        artifactChanges: [
          {
            artifactLocation: { uri: 'a.yaml', uriBaseId: '%SRCROOT%' },
            replacements: [
              {
                deletedRegion: { startLine: 7, startColumn: 1, endLine: 8, endColumn: 1 },
                insertedContent: { text: '' },
              },
            ],
          },
        ],
      },
    ])
  })
})

describe('github', () => {
  const many = (number: number, text: (name: string) => string): Record<string, string> =>
    Object.fromEntries(
      Array.from({ length: number }, (_, at) => [`a${at + 10}.yaml`, text(`a${at}`)]),
    )

  it('keeps problems and errors within ten, and says what was left out', async () => {
    const files = {
      ...many(8, (name) => job(name).replace('Never', 'Always')),
      ...Object.fromEntries(['x', 'y', 'z'].map((name) => [`${name}.yaml`, broken])),
    }
    const { out } = await run('github', files)
    expect(out.match(/^::error /gm)).toHaveLength(10)
    expect(out.match(/^::error file=[xyz]/gm)).toHaveLength(3)
    expect(out.match(/^a17\.yaml:\d+:\d+: error restart-policy-invalid/gm)).toHaveLength(1)
    const notices = out.match(/^::notice .*/gm)
    expect(notices).toEqual([
      '::notice title=semel::8 errors and 3 problems with the input; 1 of them stand only in the log of this step, as GitHub shows 10 of a kind',
    ])
  })

  it('lets no text of a manifest give a command', async () => {
    const name = '"x%0A::stop-commands::y\\n::error::z"'
    const files = many(12, () => moving('one').replace('name: one', `name: ${name}`))
    const { out } = await run('github', files)
    for (const line of out.split('\n').filter((one) => one.startsWith('::'))) {
      expect(line).toMatch(/^::(?:(?:error|warning) file=a\d+\.yaml,|notice title=semel::)/)
    }
  })
})

describe('markdown', () => {
  it('fits in a comment, the worst first, and says what was left out', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 300 }, (_, at) => [
        `folder/of/some/length/job-${at}.yaml`,
        at % 3 === 0 ? job('a').replace('Never', 'Always') : moving('a'),
      ]),
    )
    const { out } = await run('markdown', files)
    expect(out.length).toBeLessThanOrEqual(65_536)
    expect(out.length).toBeGreaterThan(55_000)
    const rows = out.match(/^\| `.*$/gm) ?? []
    const firstWarning = rows.findIndex((row) => row.includes('| warning |'))
    expect(rows.slice(0, firstWarning).every((row) => row.includes('| error |'))).toBe(true)
    expect(out).toContain('### semel: 100 errors, 200 warnings (300 Jobs)')
    const details = out.match(/^- `/gm)?.length ?? 0
    expect(out).toContain(
      `**${300 - rows.length} findings are not listed here**: a comment may have 65,536 characters.`,
    )
    expect(out).toContain(`**${rows.length - details} findings are listed without their reasons**`)
    expect(out.match(/<details>/g)?.length).toBe(out.match(/<\/details>/g)?.length)
  })

  it('fits with any number of problems and names of any length', async () => {
    const long = '<&|'.repeat(3000)
    const files = Object.fromEntries(
      Array.from({ length: 400 }, (_, at) => [
        `f${at}.yaml`,
        at % 2 === 0 ? broken : moving('a').replace('name: a', `name: "${long}"`),
      ]),
    )
    const { out } = await run('markdown', files)
    expect(out.length).toBeLessThanOrEqual(65_536)
    expect(out).toContain('more problem')
  })

  it('marks nothing up, calls nobody and leads nowhere', async () => {
    const { out } = await run('markdown', { 'a.yaml': nasty })
    const [row = ''] = out.match(/^\| `a\.yaml.*$/m) ?? []
    expect(row).not.toMatch(/@team|<d>|\]\(http:\/\/|#12/)
    expect(row).toContain(String.raw`f\*g\_h`)
    expect(row.replaceAll(String.raw`\|`, '').split('|')).toHaveLength(6)
  })

  it('tells what could not be judged', async () => {
    const { out } = await run('markdown', { 'a.yaml': job('a'), 'b.yaml': broken })
    expect(out).toContain('Not everything could be judged:\n\n- `b.yaml:')
    expect(out).toContain('`YAML\\_INVALID`'.replace('\\', ''))
  })
})

describe('an XML element', () => {
  it('escapes text and attributes, and has no sign that XML forbids', () => {
    expect(element('a', { b: '<"&\n\t>', c: undefined }, 'x < y & \u0000\ud800z ]]>')).toBe(
      '<a b="&lt;&quot;&amp;&#10;&#9;&gt;">x &lt; y &amp; \ufffd\ufffdz ]]&gt;</a>',
    )
    expect(element('a', {}, [element('b', {}, 'l\nm')])).toBe('<a>\n  <b>l\nm</b>\n</a>')
  })
})
