import { duration, goal, runForOutput, table, times, timeProcesses } from './measure.mjs'

const MOST_OF_READING = 10
const LEAST_BELOW_PEER = 10
const MOST_MEGABYTES = 300
/** 1: there are findings, and there must be. */
const LINT_CODES = [0, 1]

/** The whole command on the generated corpus, between reading its bytes and parsing all of them. */
export function measureLint({ rounds = 5, corpus }) {
  const floor = { name: 'list and read the files', args: ['bench/peers/read-files.mjs', corpus] }
  const candidate = {
    name: 'semel lint -o json',
    args: ['dist/cli/main.js', 'lint', corpus, '-o', 'json'],
    okCodes: LINT_CODES,
  }
  const peers = ['js-yaml', 'js-yaml-4'].map((name) => ({
    name: `${name === 'js-yaml' ? 'js-yaml 5' : 'js-yaml 4'}, parse only`,
    args: ['bench/peers/parse-js-yaml.mjs', name, corpus],
  }))
  const commands = [{ name: 'node -e 0', args: ['-e', '0'] }, floor, candidate, ...peers]

  const measured = timeProcesses(commands, rounds)
  const outputs = new Map(commands.map((command) => [command.name, runForOutput(command)]))
  const reading = JSON.parse(outputs.get(floor.name).stdout)
  const pureReads = []
  for (let n = 0; n < rounds; n += 1) {
    pureReads.push(JSON.parse(runForOutput(floor).stdout).readMs)
  }
  const pureReadMs = Math.min(...pureReads)

  const medianOf = (name) => measured.get(name).medianMs
  const rows = commands.map(({ name }) => [
    name.startsWith('semel') || name.startsWith('node') ? `\`${name}\`` : name,
    duration(measured.get(name).minMs),
    duration(medianOf(name)),
    times(medianOf(name) / medianOf(floor.name)),
    `${outputs.get(name).peakMegabytes.toFixed(0)} MB`,
  ])
  const ofReading = medianOf(candidate.name) / medianOf(floor.name)
  const belowPeers = peers.map((peer) => medianOf(peer.name) / medianOf(candidate.name))
  const { peakMegabytes, stdout } = outputs.get(candidate.name)
  return [
    `${reading.files} files, ${(reading.bytes / 1e6).toFixed(1)} MB; ${countFindings(stdout)} findings. Inside the process that only reads, listing takes ${duration(reading.listMs)} and reading ${duration(pureReadMs)} (the least of ${rounds}); \`semel lint\` takes ${times(medianOf(candidate.name) / pureReadMs)} the latter, with Node's start.`,
    '',
    table([['process', 'min', 'median', 'of reading', 'peak memory'], ...rows]),
    '',
    `${rounds} interleaved runs each, after one that warms the file cache.`,
    '',
    goal(
      `${times(ofReading)} the time of a Node process that reads the files once, at most ${MOST_OF_READING} x`,
      ofReading <= MOST_OF_READING,
    ),
    goal(
      `${times(belowPeers[0])} faster than js-yaml 5 only parses, at least ${LEAST_BELOW_PEER} x`,
      belowPeers[0] >= LEAST_BELOW_PEER,
    ),
    `- for comparison: ${times(belowPeers[1])} faster than the older js-yaml 4`,
    goal(
      `peak memory ${peakMegabytes.toFixed(0)} MB, below ${MOST_MEGABYTES} MB`,
      peakMegabytes < MOST_MEGABYTES,
    ),
  ].join('\n')
}

/** A run without findings measures nothing: the corpus is full of mistakes. */
function countFindings(stdout) {
  const count = JSON.parse(stdout).findings?.length ?? 0
  if (count === 0) throw new Error('semel lint found nothing in the generated corpus')
  return count
}
