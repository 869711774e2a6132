// Times whole processes, one beside the other in the same run: on a shared machine a ratio says
// more than a number of milliseconds.
import { spawnSync } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../', import.meta.url))
const REPORT_MEMORY = new URL('./peers/report-memory.mjs', import.meta.url).href
const nowhere = openSync('/dev/null', 'r+')

/** Certificates of the machine would be read at each start of Node 20 and hide what is measured. */
const environment = { ...process.env, NO_COLOR: '1' }
delete environment.NODE_EXTRA_CA_CERTS
delete environment.NODE_OPTIONS
delete environment.FORCE_COLOR

/**
 * Runs each command once a round, so that a slow moment of the machine hits all of them.
 *
 * @param {{ name: string, args: string[], okCodes?: number[], from?: string, to?: string }[]} commands
 *   arguments for node, and files for the standard input and output
 * @param {number} rounds
 * @returns {Map<string, { minMs: number, medianMs: number, runs: number }>}
 */
export function timeProcesses(commands, rounds) {
  const times = new Map(commands.map(({ name }) => [name, []]))
  for (const command of commands) runOnce(command)
  for (let round = 0; round < rounds; round += 1) {
    for (const command of commands) times.get(command.name).push(runOnce(command))
  }
  return new Map([...times].map(([name, list]) => [name, summary(list)]))
}

/** Least, middle and number of some times in milliseconds. */
export function summary(times) {
  const sorted = [...times].sort((one, other) => one - other)
  const middle = sorted.length / 2
  const medianMs = (sorted[Math.ceil(middle) - 1] + sorted[Math.floor(middle)]) / 2
  return { minMs: sorted[0], medianMs, runs: sorted.length }
}

function runOnce({ name, args, okCodes = [0], from, to }) {
  const [input, output] = [from && openSync(from, 'r'), to && openSync(to, 'w')]
  const startedAt = performance.now()
  const { status, stderr, error } = spawnSync(process.execPath, args, {
    cwd: root,
    env: environment,
    stdio: [input ?? nowhere, output ?? nowhere, 'pipe'],
    maxBuffer: 1 << 30,
  })
  const elapsed = performance.now() - startedAt
  for (const file of [input, output]) if (file !== undefined) closeSync(file)
  if (!okCodes.includes(status)) {
    const words = (error?.message ?? stderr.toString()).trim().split('\n').slice(0, 5).join('\n')
    throw new Error(`${name}: \`node ${args.join(' ')}\` ended with code ${status}\n${words}`)
  }
  return elapsed
}

/**
 * What a command prints and how much memory it held at most. Not timed: a small module is loaded
 * before it that reports the memory at the end.
 */
export function runForOutput({ name, args, okCodes = [0], from, to }) {
  const [input, output] = [from && openSync(from, 'r'), to && openSync(to, 'w')]
  const {
    status,
    stdout,
    stderr,
    output: outputs,
  } = spawnSync(process.execPath, ['--import', REPORT_MEMORY, ...args], {
    cwd: root,
    env: environment,
    stdio: [input ?? nowhere, output ?? 'pipe', 'pipe', 'pipe'],
    maxBuffer: 1 << 30,
  })
  for (const file of [input, output]) if (file !== undefined) closeSync(file)
  if (!okCodes.includes(status)) {
    throw new Error(`${name} ended with code ${status}\n${stderr.toString().slice(0, 500)}`)
  }
  return { stdout: stdout?.toString() ?? '', peakMegabytes: Number(outputs[3].toString()) / 1000 }
}

/** `123 ms`, `4.56 s`. */
export function duration(ms) {
  if (ms >= 1000) return `${(ms / 1000).toFixed(2)} s`
  return ms >= 10 ? `${ms.toFixed(0)} ms` : `${ms.toFixed(1)} ms`
}

export function times(ratio) {
  return `${ratio >= 100 ? ratio.toFixed(0) : ratio.toPrecision(3)} x`
}

/** @param {string[][]} rows the first one is the head */
export function table(rows) {
  const [head, ...body] = rows
  return [head, head.map((_cell, column) => (column === 0 ? '---' : '---:')), ...body]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}

/** A line that says whether a goal is met. */
export function goal(text, isMet) {
  return `- ${isMet ? 'met' : '**missed**'}: ${text}`
}
