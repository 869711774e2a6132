import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { stampText } from './harness.ts'

/**
 * In the pages of stamp each block `yaml before` is followed by one `yaml after`, which is what
 * stamp makes of it; the field digests are shortened there. UPDATE=1 writes them.
 */
const FOLDER = 'docs/stamp'
const PAIR = /```yaml before( in-place)?\n([\s\S]*?)```\n\n```yaml after\n([\s\S]*?)```/g

describe.each(readdirSync(FOLDER).filter((name) => name.endsWith('.md')))(
  'docs/stamp/%s',
  (name) => {
    const file = path.join(FOLDER, name)
    const page = readFileSync(file, 'utf8')

    it('shows what stamp does', () => {
      const made = page.replaceAll(PAIR, (_, inPlace: string | undefined, before: string) => {
        const { output, faults } = stampText(before, { inPlace: inPlace !== undefined })
        expect(faults).toEqual([])
        const after = output.replaceAll(/(semel\.dev\/fields: "?kind=[0-9a-f]{8},).*/g, '$1...')
        return `\`\`\`yaml before${inPlace ?? ''}\n${before}\`\`\`\n\n\`\`\`yaml after\n${after}\`\`\``
      })
      if (process.env['UPDATE'] === '1') writeFileSync(file, made)
      expect(made).toBe(page)
    })
  },
)
