// Runs other programs for the scripts: their output kept or shown, a signal handed on, seconds told.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../', import.meta.url))

/**
 * Runs a command from the repository's root and waits for its end.
 * `show: false` keeps the output (both streams, in order of arrival) and returns it.
 *
 * @param {string} file
 * @param {readonly string[]} args
 * @param {{ show?: boolean, env?: NodeJS.ProcessEnv, shell?: boolean }} [options]
 * @returns {Promise<{ ok: boolean, code: number, output: string }>}
 */
export function run(file, args, { show = false, env = process.env, shell = false } = {}) {
  return new Promise((resolve) => {
    const stdio = show ? 'inherit' : ['ignore', 'pipe', 'pipe']
    const child = spawn(file, args, { cwd: root, env, shell, stdio })
    children.add(child)
    const chunks = []
    child.stdout?.on('data', (chunk) => chunks.push(chunk))
    child.stderr?.on('data', (chunk) => chunks.push(chunk))
    const finish = (code, note = '') => {
      if (!children.delete(child)) return
      if (interrupted && children.size === 0) endNow('SIGKILL', 130)
      const output = Buffer.concat(chunks).toString('utf8') + note
      resolve({ ok: code === 0, code, output })
    }
    child.on('error', (error) => finish(127, `${file} could not be started: ${error.message}\n`))
    child.on('close', (code, signal) => {
      finish(code ?? 1, signal === null ? '' : `${file} was ended by ${signal}\n`)
    })
  })
}

/** Runs a program that an installed package brings: `runTool('typescript', 'tsc', ['-p', '.'])`. */
export function runTool(packageName, program, args, options) {
  const folder = path.join(root, 'node_modules', packageName)
  const { bin } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))
  const script = typeof bin === 'string' ? bin : bin[program]
  return run(process.execPath, [path.join(folder, script), ...args], options)
}

/** `1.4 s`, since the instant that `performance.now()` gave. */
export function secondsSince(startedAt) {
  return `${((performance.now() - startedAt) / 1000).toFixed(1)} s`
}

/**
 * Ctrl-C reaches the children from the terminal by themselves; this process waits until they have
 * ended, so that none writes on after the prompt is back, and then stops. A second Ctrl-C and any
 * SIGTERM are handed on and end at once.
 */
export function endWithChildren() {
  process.on('SIGINT', () => {
    if (interrupted || children.size === 0) endNow('SIGKILL', 130)
    interrupted = true
  })
  process.on('SIGTERM', () => endNow('SIGTERM', 143))
}

function endNow(signal, code) {
  for (const child of children) child.kill(signal)
  process.exit(code)
}

const children = new Set()
let interrupted = false
