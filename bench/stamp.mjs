import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { duration, goal, runForOutput, table, times, timeProcesses } from './measure.mjs'
import { filesBelow } from './peers/files.mjs'

const MOST_OF_COPYING = 15

/** The corpus as one stream through `semel stamp`, beside a copy of the same stream. */
export function measureStamp({ rounds = 7, corpus }) {
  const folder = mkdtempSync(path.join(tmpdir(), 'semel-bench-stamp-'))
  try {
    return measureIn(folder, rounds, corpus)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function measureIn(folder, rounds, corpus) {
  const stream = path.join(folder, 'stream.yaml')
  const input = streamOf(corpus)
  writeFileSync(stream, input)
  const files = (name) => ({ from: stream, to: path.join(folder, name) })
  const floor = {
    name: 'copy the stream',
    args: ['bench/peers/copy-stream.mjs'],
    ...files('copied.yaml'),
  }
  const candidate = {
    name: 'semel stamp -',
    args: ['dist/cli/main.js', 'stamp', '-'],
    ...files('stamped.yaml'),
  }
  const commands = [floor, candidate]
  const measured = timeProcesses(commands, rounds)
  const peaks = commands.map((command) => runForOutput(command).peakMegabytes)
  const stamped = countStamped(readFileSync(candidate.to))

  const rows = commands.map(({ name }, index) => {
    const { minMs, medianMs } = measured.get(name)
    return [
      index === 0 ? name : `\`${name}\``,
      duration(minMs),
      duration(medianMs),
      times(medianMs / measured.get(floor.name).medianMs),
      `${peaks[index].toFixed(0)} MB`,
    ]
  })
  const ratio = measured.get(candidate.name).medianMs / measured.get(floor.name).medianMs
  return [
    `A stream of ${(input.length / 1e6).toFixed(1)} MB, from a file to a file; ${stamped} Jobs get a name.`,
    '',
    table([['process', 'min', 'median', 'of copying', 'peak memory'], ...rows]),
    '',
    `${rounds} interleaved runs each, after one that warms the file cache.`,
    '',
    goal(
      `${times(ratio)} the time of a Node process that copies the stream, at most ${MOST_OF_COPYING} x`,
      ratio <= MOST_OF_COPYING,
    ),
  ].join('\n')
}

/** All YAML of the corpus as a renderer would write it: UTF-8, without byte order marks. */
function streamOf(corpus) {
  const parts = filesBelow(corpus)
    .filter((file) => /\.ya?ml$/.test(file))
    .flatMap((file) => {
      const bytes = readFileSync(file)
      if (bytes[0] >= 0xfe) return []
      const text = bytes[0] === 0xef ? bytes.subarray(3) : bytes
      return [Buffer.from('---\n'), text, Buffer.from(text.at(-1) === 10 ? '' : '\n')]
    })
  return Buffer.concat(parts)
}

/** A run that names nothing measures nothing. */
function countStamped(bytes) {
  let count = 0
  for (let at = bytes.indexOf(MARK); at >= 0; at = bytes.indexOf(MARK, at + 1)) count += 1
  if (count === 0) throw new Error('semel stamp named nothing in the generated corpus')
  return count
}

const MARK = 'semel.dev/fingerprint'
