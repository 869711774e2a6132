// `npm run docs`: writes anew what is made from the code: the fronts of docs/rules/*.md, the JSON
// Schemas, the transcripts in docs, and the script of the HTML report. The same tests hold them in
// `npm test`.
import { runTool } from './run.mjs'

const env = { ...process.env, UPDATE: '1' }
const tests = [
  'test/lint/page-heads.test.ts',
  'test/cli/config.test.ts',
  'test/cli/baseline.test.ts',
  'test/cli/transcripts.test.ts',
  'src/render/schema/schema.test.ts',
  'src/simulate/html/script.test.ts',
  'test/charts/made.test.ts',
  'test/render/pages.test.ts',
]
const { code } = await runTool('vitest', 'vitest', ['run', ...tests], { show: true, env })
process.exitCode = code
