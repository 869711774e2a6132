// Bundles the script of the HTML report (src/simulate/html/page) into the text that the page carries.
// src/simulate/html/script.test.ts holds the committed text to it; `npm run docs` writes it anew.
import path from 'node:path'
import { rolldown } from 'rolldown'
import { root } from './run.mjs'

/**
 * The module script.generated.ts as it should be.
 *
 * @returns {Promise<string>}
 */
export async function pageScriptModule() {
  const input = path.join(root, 'src/simulate/html/page/main.ts')
  const bundle = await rolldown({ input, platform: 'browser', logLevel: 'silent' })
  const { output } = await bundle.generate({ format: 'iife', minify: true })
  await bundle.close()
  const code = output[0].code.trim()
  if (/<\/script|<!--/i.test(code)) throw new Error('the script would close its own element')
  const comment = '// Made by `npm run docs` from page/*.ts, bundled. Do not edit.'
  return `${comment}\nexport const pageScript: string =\n  ${JSON.stringify(code)}\n`
}
