// `npm start`: prepares the checkout, then shows Semel at work on examples/shop.
// `npm start -- lint path/to/repository` runs any other command in the same way.
import path from 'node:path'
import { prepare } from './prepare.mjs'
import { endWithChildren, root, run } from './run.mjs'

const DEMO = ['check', 'examples/shop']
const FOUND_SOMETHING = 1

const given = process.argv.slice(2)
endWithChildren()
const problem = await prepare()
if (problem !== undefined) {
  process.stderr.write(`${problem}\n`)
  process.exitCode = 1
} else {
  const args = given.length === 0 ? DEMO : given
  process.stdout.write(`\n$ semel ${args.join(' ')}\n`)
  const { code } = await run(process.execPath, [path.join(root, 'dist/cli/main.js'), ...args], {
    show: true,
  })
  // The example has mistakes in it on purpose: that Semel finds them is no failure of the demo.
  const isDemo = given.length === 0 && code === FOUND_SOMETHING
  process.exitCode = isDemo ? 0 : code
}
