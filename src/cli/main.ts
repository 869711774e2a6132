#!/usr/bin/env node
import { VERSION } from './version.ts'

// The version is asked for by scripts, so nothing else is loaded for it.
const args = process.argv.slice(2)
if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
  process.stdout.write(`${VERSION}\n`)
} else {
  void start()
}

/** The build is CommonJS, which starts faster and knows no `await` outside of a function. */
async function start(): Promise<void> {
  const [{ runCli }, { processIo }] = await Promise.all([import('./run.ts'), import('./io.ts')])
  process.exitCode = await runCli(args, processIo())
}
