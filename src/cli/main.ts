#!/usr/bin/env node
import { VERSION } from './version.ts'

// Scripts ask for the version, so nothing else is loaded for it.
const args = process.argv.slice(2)
if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
  process.stdout.write(`${VERSION}\n`)
} else {
  // No `await` here: the bundle is CommonJS, which starts faster on Node 20.
  void Promise.all([import('./run.ts'), import('./io.ts')]).then(async ([run, io]) => {
    process.exitCode = await run.runCli(args, io.processIo())
  })
}
