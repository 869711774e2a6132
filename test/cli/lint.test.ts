import { mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { folder, job, semel } from './cli.ts'
import { golden, shop } from './golden.ts'

const moving = (name: string): string => job(name).replace(/@sha256:5+/, ':latest')

describe('semel lint', () => {
  it.each(['text', 'compact', 'json', 'sarif', 'github'])('says %s', async (format) => {
    await golden(`lint-${format}`, `lint -o ${format}`, { cwd: shop })
  })

  it('shows a broken repository as it is read on a terminal', async () => {
    const cwd = folder({
      'apps/broken.yaml': 'kind: Job\napiVersion: batch/v1\nmetadata:\n  name: [one\n',
      'apps/fine.yaml': moving('fine'),
      'semel.yaml':
        'version: 1\nttlContract:\n  seconds: 60\n  none:\n    - {file: apps/gone.yaml, job: gone, reason: r}\n',
    })
    const world = { cwd, columns: 80, isTerminal: true, env: { NO_COLOR: '1' } }
    await golden('lint-broken', 'lint --engine kubectl', world)
  })

  it('counts what is suppressed, and tells machines by what', async () => {
    const text = moving('a').replace(
      'spec:',
      '# semel-ignore mutable-tag: a nightly build until 2027-01-01\nspec:',
    )
    const cwd = folder({ 'a.yaml': text })
    const { code, out } = await semel('lint --engine kubectl', { cwd })
    expect(out).toBe('No findings: 1 Job in 1 document, 1 file; 1 suppressed\n')
    expect(code).toBe(0)
    const report = JSON.parse((await semel('lint -o json --engine kubectl', { cwd })).out)
    expect(report.suppressed).toMatchObject([
      {
        rule: 'mutable-tag',
        suppression: { reason: 'a nightly build', until: '2027-01-01', line: 6 },
      },
    ])
    const sarif = JSON.parse((await semel('lint -o sarif --engine kubectl', { cwd })).out)
    expect(sarif.runs[0].results[0].suppressions).toEqual([
      { kind: 'inSource', justification: 'a nightly build' },
    ])
  })

  it('writes several outputs in one run, and nothing of them to stderr', async () => {
    const cwd = folder({ 'a.yaml': moving('a') })
    const args = 'lint --engine kubectl -o json=out/report.json -o sarif=out/s.sarif -o compact'
    const { code, out, err } = await semel(args, { cwd, isTerminal: true })
    expect(code).toBe(1)
    expect(err).toBe('')
    expect(out).toContain('mutable-tag')
    const report = JSON.parse(readFileSync(path.join(cwd, 'out/report.json'), 'utf8'))
    expect(report.findings).toHaveLength(1)
    expect(JSON.parse(readFileSync(path.join(cwd, 'out/s.sarif'), 'utf8')).version).toBe('2.1.0')
    const again = await semel('lint --engine kubectl -o text=out/text', { cwd, isTerminal: true })
    expect(again.out).toBe('')
    expect(readFileSync(path.join(cwd, 'out/text'), 'utf8')).not.toContain('\u001b')
  })

  it('says which output could not be written, and writes the others', async () => {
    const cwd = folder({ 'a.yaml': moving('a') })
    mkdirSync(path.join(cwd, 'taken'))
    const { code, out, err } = await semel('lint --engine kubectl -o json=taken -o compact', {
      cwd,
    })
    expect(err).toContain('OUTPUT_UNWRITABLE')
    expect(out).toContain('mutable-tag')
    expect(code).toBe(2)
  })

  it('keeps machine output apart from problems', async () => {
    const cwd = folder({
      'a.yaml': moving('a'),
      'b.yaml': 'kind: Job\napiVersion: batch/v1\na: [\n',
    })
    for (const format of ['json', 'sarif']) {
      const { code, out, err } = await semel(`lint --engine kubectl -o ${format}`, { cwd })
      expect(() => JSON.parse(out)).not.toThrow()
      expect(err).toContain('YAML_INVALID')
      expect(code).toBe(2)
    }
    const { out } = await semel('lint --engine kubectl -o json', { cwd })
    expect(JSON.parse(out).problems).toMatchObject([{ code: 'YAML_INVALID', path: 'b.yaml' }])
    const sarif = JSON.parse((await semel('lint --engine kubectl -o sarif', { cwd })).out)
    const [invocation] = sarif.runs[0].invocations
    expect(invocation.executionSuccessful).toBe(false)
    expect(invocation.toolExecutionNotifications[0].descriptor.id).toBe('YAML_INVALID')
  })
})

describe('the SARIF output', () => {
  const results = async (files: Readonly<Record<string, string>>) => {
    const { out } = await semel('lint -o sarif --engine kubectl', { cwd: folder(files) })
    return JSON.parse(out).runs[0] as {
      results: {
        ruleId: string
        ruleIndex: number
        partialFingerprints: Record<string, string>
        locations: { physicalLocation: { artifactLocation: { uri: string } } }[]
      }[]
      tool: { driver: { rules: { id: string }[] } }
    }
  }

  it('has what code scanning asks for', async () => {
    const { out } = await semel('lint -o sarif', { cwd: shop })
    const log = JSON.parse(out)
    expect(Object.keys(log).sort()).toEqual(['$schema', 'runs', 'version'])
    const [run] = log.runs
    expect(run.columnKind).toBe('utf16CodeUnits')
    for (const result of run.results) {
      expect(run.tool.driver.rules[result.ruleIndex].id).toBe(result.ruleId)
      expect(['error', 'warning', 'note']).toContain(result.level)
      expect(result.message.text).not.toBe('')
      const { region } = result.locations[0].physicalLocation
      expect(region.startLine).toBeGreaterThan(0)
      expect(region.endLine).toBeGreaterThanOrEqual(region.startLine)
      if (region.endLine === region.startLine) {
        expect(region.endColumn).toBeGreaterThan(region.startColumn)
      }
      expect(result.partialFingerprints['semelFinding/v1']).toMatch(/^[0-9a-f]{32}$/)
    }
    for (const rule of run.tool.driver.rules) {
      expect(rule.helpUri).toBe(`docs/rules/${rule.id}.md`)
      expect(rule.help.text).not.toBe('')
      expect(rule.shortDescription.text).not.toBe('')
    }
  })

  it('knows a finding again when lines move, and equal ones apart', async () => {
    const [before] = (await results({ 'a.yaml': moving('a') })).results
    const [after] = (await results({ 'a.yaml': `# moved\n# down\n${moving('a')}` })).results
    expect(after?.partialFingerprints).toEqual(before?.partialFingerprints)
    const twice = (await results({ 'a.yaml': `${moving('a')}---\n${moving('a')}` })).results
    expect(new Set(twice.map((one) => JSON.stringify(one.partialFingerprints))).size).toBe(
      twice.length,
    )
  })

  it('writes paths as URIs', async () => {
    const [found] = (await results({ 'a b/ä#.yaml': moving('a') })).results
    expect(found?.locations[0]?.physicalLocation.artifactLocation.uri).toBe('a%20b/%C3%A4%23.yaml')
  })
})

describe('the GitHub output', () => {
  it('escapes what would end a command early', async () => {
    const cwd = folder({ 'a,b:c%.yaml': moving('a') })
    const { out } = await semel('lint -o github --engine kubectl', { cwd })
    expect(out).toContain('::warning file=a%2Cb%3Ac%25.yaml,line=14,col=18,')
    expect(out).toContain('%0Awhy: ')
  })

  it('shows ten of each kind and lists the others in the log', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 13 }, (_, at) => [`a${at}.yaml`, moving(`a${at}`)]),
    )
    const { out } = await semel('lint -o github --engine kubectl', { cwd: folder(files) })
    expect(out.match(/^::warning /gm)).toHaveLength(10)
    expect(out.match(/^a\d+\.yaml:14:18: warning mutable-tag/gm)).toHaveLength(3)
    expect(out).toMatch(/^::notice title=semel::13 warnings; 3 of them stand only in the log/m)
  })

  it('shows problems beside their lines as well', async () => {
    const cwd = folder({
      'a.yaml': moving('a'),
      'b.yaml': 'kind: Job\napiVersion: batch/v1\na: [\n',
    })
    const { out } = await semel('lint -o github --engine kubectl', { cwd })
    expect(out).toMatch(/^::error file=b\.yaml,line=\d+,col=\d+,title=YAML_INVALID::/m)
  })
})
