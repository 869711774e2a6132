import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { pageScriptModule } from '../../../scripts/page-script.mjs'

const file = new URL('script.generated.ts', import.meta.url)

test('the script in the page is what page/*.ts makes (`npm run docs` writes it anew)', async () => {
  const made = await pageScriptModule()
  if (process.env['UPDATE'] !== undefined) writeFileSync(file, made)
  expect(readFileSync(file, 'utf8') === made).toBe(true)
})
