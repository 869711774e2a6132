import { describe, expect, it } from 'vitest'
import { folder, job, semel } from './cli.ts'

describe('the command line', () => {
  it.each<[string, string, string]>([
    ['a mistyped command', 'chekc', 'there is no command chekc. Did you mean check?'],
    ['an unknown command', 'frobnicate', 'semel knows check, lint, explain, rules, init'],
    [
      'a mistyped option',
      'lint --fail-no error',
      "unknown option '--fail-no'. Did you mean --fail-on?",
    ],
    ['an option before the command', '--engine flux lint', "unknown option '--engine'"],
    ['an option without its value', 'lint --config', "option '--config <file>' argument missing"],
    ['an unknown choice', 'lint --fail-on fatal', 'Allowed choices are error, warning, info'],
    ['an unknown colour choice', 'lint --color blue', 'Allowed choices are auto, always, never'],
    ['a mistyped engine', 'lint --engine argo', 'there is no engine argo. Did you mean argocd?'],
    ['a mistyped format', 'lint -o jsn', 'there is no output format jsn. Did you mean json?'],
    ['a format that only lint has', 'check -o sarif', 'the formats are text, json'],
    ['an output without a file', 'lint -o json=', '-o json= names no file'],
    ['two outputs for stdout', 'lint -o json -o sarif', 'json and sarif cannot both be written'],
    ['two outputs for one file', 'lint -o json=a -o sarif=./a', 'two outputs have the same file'],
    ['no size', 'lint --max-file-size many', '--max-file-size many is no size'],
    ['a size of nothing', 'lint --max-file-size 0', 'is no size between 1 byte and 1GiB'],
    ['too many arguments', 'explain mutable-tag no-deadline', 'too many arguments'],
    ['an unknown rule', 'explain ttl-causes-rern', 'Did you mean ttl-causes-rerun?'],
    ['an unknown code', 'explain CONFIG_STAEL', 'Did you mean CONFIG_STALE?'],
  ])('refuses %s with exit code 2 and says what to do', async (_case, args, words) => {
    const { code, out, err } = await semel(args, { cwd: folder() })
    expect(err.replaceAll(/\s+/g, ' ')).toContain(words)
    expect(err).toContain('USAGE')
    expect(err).toMatch(/remedy {2}\S/)
    expect(out).toBe('')
    expect(code).toBe(2)
  })

  it.each([
    '--help',
    '-h',
    '',
    'lint --help',
    'check -h',
    'explain --help',
    'init --help',
    'rules --help',
    'completion --help',
  ])('shows help with examples for "%s"', async (args) => {
    const { code, out, err } = await semel(args)
    expect(out).toMatch(/^Usage: semel/)
    expect(out).toContain('Examples:')
    expect(err).toBe('')
    expect(code).toBe(0)
  })

  it('keeps help within the width of the terminal', async () => {
    const { out } = await semel('lint --help', { columns: 80 })
    expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80)
  })

  it('prints its version', async () => {
    expect((await semel('--version')).out).toMatch(/^\d+\.\d+\.\d+\n$/)
  })

  it.each([
    ['64', 2],
    ['1KiB', 0],
    ['0.5k', 0],
    ['1 G', 0],
  ])('takes the size %s', async (size, code) => {
    const cwd = folder({ 'job.yaml': job('one') })
    const answer = await semel(['lint', '--engine', 'kubectl', '--max-file-size', size], { cwd })
    expect(answer.code).toBe(code)
  })

  it.each([
    ['auto on a terminal', '', { isTerminal: true }, true],
    ['auto in a pipe', '', {}, false],
    ['always in a pipe', '--color always', {}, true],
    ['never on a terminal', '--color never', { isTerminal: true }, false],
    ['--no-color on a terminal', '--no-color', { isTerminal: true }, false],
    ['NO_COLOR on a terminal', '', { isTerminal: true, env: { NO_COLOR: '1' } }, false],
    ['an empty NO_COLOR', '', { isTerminal: true, env: { NO_COLOR: '' } }, true],
    ['FORCE_COLOR in a pipe', '', { env: { FORCE_COLOR: '1' } }, true],
    ['FORCE_COLOR=0 on a terminal', '', { isTerminal: true, env: { FORCE_COLOR: '0' } }, false],
    ['a dumb terminal', '', { isTerminal: true, env: { TERM: 'dumb' } }, false],
  ])('colours with %s: %s', async (_case, flag, world, isColoured) => {
    const cwd = folder({ 'job.yaml': job('one') })
    const { out } = await semel(`lint --engine kubectl ${flag}`, { cwd, ...world })
    expect(out.includes('\u001b[')).toBe(isColoured)
  })

  it('gives a bug of its own one line, and the stack with --debug', async () => {
    const broken = {
      cwd: folder(),
      now: () => {
        throw new Error('the clock stopped\nhere')
      },
    }
    const short = await semel('lint', broken)
    expect(short.err).toMatch(/^bug in semel: the clock stopped \(run again with --debug .*\)\n$/)
    expect(short.code).toBe(2)
    const long = await semel('lint --debug', broken)
    expect(long.err).toMatch(
      /^bug in semel: the clock stopped\nError: the clock stopped\nhere\n {4}at /,
    )
    expect(long.code).toBe(2)
  })

  it.each([
    ['error', 0],
    ['warning', 1],
    ['info', 1],
  ])('fails on findings from %s on when asked to', async (severity, code) => {
    const answer = await semel(`lint --engine kubectl --fail-on ${severity}`, {
      cwd: folder({ 'job.yaml': job('one').replace(/@sha256:5+/, ':latest') }),
    })
    expect(answer.out).toContain('1 warning')
    expect(answer.code).toBe(code)
  })
})
