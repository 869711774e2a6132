#!/usr/bin/env node
import { VERSION } from './version.ts'

// Scripts ask for the version, so nothing else is loaded for it.
const args = process.argv.slice(2)
if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
  process.stdout.write(`${VERSION}\n`)
} else {
  // No `await` here: the bundle is CommonJS, which starts faster on Node 20.
  void start()
}

async function start(): Promise<void> {
  await optimiseLater()
  const [run, io] = await Promise.all([import('./run.ts'), import('./io.ts')])
  process.exitCode = await run.runCli(args, io.processIo())
}

/**
 * A run over a large repository lasts about a second, and much of the code in it runs a few
 * thousand times only. By default Node 20 spends a quarter of its processor time on making that
 * code fast, which never pays. Other versions may not know the flag, and would complain.
 */
async function optimiseLater(): Promise<void> {
  if (!process.versions.node.startsWith('20.')) return
  const { setFlagsFromString } = await import('node:v8')
  setFlagsFromString('--interrupt-budget=200000')
}
