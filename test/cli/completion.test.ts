import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { commandTree } from '../../src/cli/completion/tree.ts'
import { folder, root, semel } from './cli.ts'

/** The scripts are asked in the shells themselves: what would stand below the cursor? */
type Shell = 'bash' | 'zsh' | 'fish'

const has = (shell: Shell): boolean => spawnSync(shell, ['-c', 'true']).status === 0
const missing = (shell: Shell): string =>
  has(shell) ? '' : ` (not run: ${shell} is not installed)`

async function scriptOf(shell: Shell): Promise<string> {
  const { code, out } = await semel(`completion ${shell}`)
  expect(code).toBe(0)
  const file = path.join(folder(), `semel.${shell}`)
  writeFileSync(file, out)
  return file
}

function run(shell: Shell, code: string): readonly string[] {
  const cwd = folder({ 'some-file.yaml': '' })
  const options = { cwd, encoding: 'utf8', timeout: 30_000 } as const
  const args = shell === 'fish' ? ['--no-config', '-c', code] : ['-f', '-c', code]
  const { stdout, stderr, status } = spawnSync(shell, args, options)
  if (status !== 0) throw new Error(`${shell} ended with ${status}: ${stderr}`)
  return stdout.split(/\r?\n/).filter((line) => line !== '')
}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

const ask: Readonly<Record<Shell, (file: string, line: string) => readonly string[]>> = {
  bash: (file, line) => {
    // As readline cuts the line: = is a word of its own.
    const words = line.split(/ +|(?==)|(?<==)/).map(quoted)
    const code = `source ${quoted(file)}
COMP_WORDS=(${words.join(' ')})
COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
_semel
printf '%s\\n' "\${COMPREPLY[@]}"`
    return run('bash', code)
  },
  fish: (file, line) =>
    run('fish', `source ${quoted(file)}; complete -C ${quoted(line)}`).map(
      (row) => row.split('\t')[0] ?? '',
    ),
  zsh: (file, line) =>
    run('zsh', zshSession(file, line)).flatMap((row) => /HIT:(\S+)/.exec(row)?.[1] ?? []),
}

/** Completion works only in an interactive zsh, so one is started on a terminal of its own. */
function zshSession(file: string, line: string): string {
  const setup = `
PS1=; autoload -Uz compinit; compinit -u -D
source ${file}
compadd() {
  if [[ \${@[1,(i)(-|--)]} == *-(O|A|D)\\ * ]]; then builtin compadd "$@"; return; fi
  local -a hits
  builtin compadd -A hits "$@"
  (( $#hits )) && print -rl -- HIT:$^hits
}
finish() { print 'THE''END' }
comppostfuncs=(finish)
bindkey '^I' complete-word
print 'REA''DY'`
  return `zmodload zsh/zpty
read_until() { local out='' part; while [[ $out != *$1* ]]; do zpty -r z part '*'$'\\n' || break; out+=$part; done; print -r -- "$out" }
zpty z zsh -f -i
zpty -w z ${quoted(setup)}
read_until READY >/dev/null
zpty -n -w z ${quoted(line)}$'\\t'
read_until THEEND
zpty -d z`
}

const CASES: readonly (readonly [string, string, readonly string[], readonly string[]])[] = [
  ['the commands', 'semel ', ['check', 'lint', 'rules', 'completion'], ['--fix']],
  [
    'the options of a command',
    'semel lint --',
    ['--fix', '--baseline', '--output', '--debug'],
    ['lint'],
  ],
  ['those of another command', 'semel init --', ['--force', '--help'], ['--fix']],
  ['what begins like the word', 'semel lint --base', ['--baseline'], ['--fix']],
  ['the engines', 'semel check --engine ', ['argocd', 'flux', 'helm-controller'], ['--fix']],
  ['the formats', 'semel lint -o ', ['text', 'sarif', 'junit', 'rdjson'], ['argocd']],
  ['choices', 'semel lint --fail-on ', ['error', 'warning', 'info'], ['text']],
  ['a value behind =', 'semel lint --color=al', ['always'], ['auto']],
  [
    'rules and problems',
    'semel explain ttl-',
    ['ttl-causes-rerun', 'ttl-contract'],
    ['no-deadline'],
  ],
  ['shells', 'semel completion ', ['bash', 'zsh', 'fish'], ['lint']],
]

describe.each<Shell>(['bash', 'zsh', 'fish'])('%s completes', (shell) => {
  const last = (word: string): string => word.replace(/^--?\w+=/, '')

  it.skipIf(!has(shell)).each(CASES)(
    `%s${missing(shell)}`,
    async (_case, line, wanted, unwanted) => {
      const offered = ask[shell](await scriptOf(shell), line).map(last)
      const words = new Set(offered.map((word) => word.replace(/=$/, '')))
      expect([...words], line).toEqual(expect.arrayContaining([...wanted]))
      for (const word of unwanted) expect([...words], line).not.toContain(word)
    },
  )

  it.skipIf(!has(shell))(`files where a path is meant${missing(shell)}`, async () => {
    const file = await scriptOf(shell)
    for (const line of ['semel lint some', 'semel lint --config some']) {
      const offered = ask[shell](file, line)
      // bash itself adds the files when the function has nothing to say.
      if (shell === 'bash') expect(offered).toEqual([])
      else expect(offered).toContain('some-file.yaml')
    }
  })
})

describe('semel completion', () => {
  it('knows every command and every option with its values', async () => {
    const tree = await commandTree()
    for (const { name, options } of tree) {
      const command = (await import(`../../src/cli/commands/${name}.ts`))[name]
      for (const { long, values } of options) {
        if (values !== 'files') continue
        expect(command.values?.[long], `semel ${name} ${long}`).toBe('files')
      }
    }
    const { out } = await semel('lint --help')
    const shown = [...out.matchAll(/(?<=^ {2}(?:-\w, )?)--[\w-]+/gm)].map(([option]) => option)
    const known = tree.find(({ name }) => name === 'lint')?.options.map(({ long }) => long)
    expect(known?.toSorted()).toEqual(shown.toSorted())
  })

  it('names the shells that it knows', async () => {
    const { code, err } = await semel('completion fishy')
    expect(err).toContain('Did you mean fish?')
    expect(code).toBe(2)
    expect((await semel('completion')).err).toContain("missing required argument 'shell'")
  })

  it('writes nothing that a shell would run by itself', async () => {
    for (const shell of ['bash', 'zsh', 'fish'] as const) {
      const { out } = await semel(`completion ${shell}`)
      expect(out, root).not.toMatch(/\$\(semel|`semel/)
    }
  })
})
