import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { root, semel } from './cli.ts'

const CUT = '…'

/** The table, the first finding and the closing lines of what `npm start` prints. */
function excerpt(output: string): string {
  const lines = output.split('\n')
  const second = lines.findIndex((line, index) => index > 12 && /^ {2}examples\//.test(line))
  const closing = lines.findIndex((line) => /^\d+ errors?, /.test(line))
  return [...lines.slice(0, second), CUT, '', ...lines.slice(closing)].join('\n').trimEnd()
}

describe('README.md', () => {
  it('shows what the first command really prints', async () => {
    const { out, code } = await semel('check examples/shop')
    expect(code).toBe(1)
    const shown = excerpt(out)
    const file = path.join(root, 'README.md')
    const readme = readFileSync(file, 'utf8')
    const block = /(```console\n)[\s\S]*?(\n```)/
    if (process.env['UPDATE'] === '1') {
      writeFileSync(
        file,
        readme.replace(block, (_, open: string, close: string) => open + shown + close),
      )
      return
    }
    expect(block.exec(readme)?.[0]).toBe(`\`\`\`console\n${shown}\n\`\`\``)
  })
})
