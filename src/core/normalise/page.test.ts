import { readFileSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { fingerprintTables } from './page.ts'

const PAGE = 'docs/reference/fingerprint.md'

it('has its tables on the page, as they are in the code', () => {
  const page = readFileSync(PAGE, 'utf8')
  let current = page
  for (const [name, text] of Object.entries(fingerprintTables())) {
    const place = new RegExp(`(<!-- ${name} -->\\n)[\\s\\S]*?(\\n<!-- end -->)`)
    expect(current).toMatch(place)
    current = current.replace(place, (_all, before, after) => `${before}${text}${after}`)
  }
  if (process.env['UPDATE'] === '1') writeFileSync(PAGE, current)
  else expect(page).toBe(current)
})
