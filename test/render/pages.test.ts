import { spawnSync } from 'node:child_process'
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { copyOf, semel } from '../cli/cli.ts'

/**
 * The pages of render show what it does. `yaml values` is the values.yaml of the `console render`
 * blocks after it (before any, that of examples/job-groups); a pipe behind semel is run by bash.
 * `file:` and `problem:` comments are followed by what the file or the fixture holds. UPDATE=1
 * writes what is shown.
 */
const FOLDER = 'docs/render'
const BLOCK = /```(?:yaml values|console render)\n[\s\S]*?\n```/g

async function said(command: string, cwd: string): Promise<{ text: string; code: number }> {
  const [own = '', ...rest] = command.split(' | ')
  const { code, out, err } = await semel(own.split(' ').slice(1), { cwd, columns: 100 })
  if (rest.length === 0) return { text: err + out, code }
  const piped = spawnSync('bash', ['-c', rest.join(' | ')], { input: out, encoding: 'utf8' })
  return { text: code === 0 ? piped.stdout : err, code }
}

async function played(page: string): Promise<string> {
  const cwd = copyOf('examples/job-groups')
  let made = page
  for (const [block] of page.matchAll(BLOCK)) {
    if (block.startsWith('```yaml')) {
      writeFileSync(path.join(cwd, 'values.yaml'), block.split('\n').slice(1, -1).join('\n'))
      continue
    }
    const rows: string[] = []
    let code = 0
    for (const line of block.split('\n').filter((row) => row.startsWith('$ '))) {
      const command = line.slice('$ '.length)
      const answer = command === 'echo $?' ? { text: `${code}\n`, code } : await said(command, cwd)
      code = answer.code
      rows.push(`${line}\n${answer.text}`)
    }
    made = made.replace(block, () => `\`\`\`console render\n${rows.join('')}\`\`\``)
  }
  return made
}

function filled(page: string): string {
  return page
    .replaceAll(
      /(<!-- file: (\S+) -->\n\n)(?:```yaml\n[\s\S]*?\n```\n\n)?/g,
      (_all, head, name) => {
        return `${head}\`\`\`yaml\n${readFileSync(name, 'utf8')}\`\`\`\n\n`
      },
    )
    .replaceAll(
      /(<!-- problem: (JG\d+) -->\n\n)(?:```yaml\n[\s\S]*?\n```\n\n```console\n[\s\S]*?\n```\n\n)?/g,
      (_all, head, code) => {
        const read = (file: string): string =>
          readFileSync(`fixtures/render-problems/${code}/${file}`, 'utf8')
        const [values, output] = [read('values.yaml'), read('expected.txt')]
        return `${head}\`\`\`yaml\n${values}\`\`\`\n\n\`\`\`console\n${output}\`\`\`\n\n`
      },
    )
}

describe.each(readdirSync(FOLDER).filter((name) => name.endsWith('.md')))(
  'docs/render/%s',
  (name) => {
    it('shows what render does', async () => {
      const file = path.join(FOLDER, name)
      const page = readFileSync(file, 'utf8')
      const made = filled(await played(page))
      if (process.env['UPDATE'] === '1') writeFileSync(file, made)
      expect(readFileSync(file, 'utf8')).toBe(made)
    })

    it('links to pages and headings that are there', () => {
      const page = readFileSync(path.join(FOLDER, name), 'utf8')
      for (const [, target = ''] of page.matchAll(/\]\((?!https?:)([^)#]+)/g)) {
        expect(() => readFileSync(path.join(FOLDER, target))).not.toThrow()
      }
    })
  },
)
