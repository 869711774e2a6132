import { duration, goal, table, times, timeProcesses } from './measure.mjs'

export const STARTUP_LIMIT = 1.3

const LEAST_ROUNDS = 20
const FLOOR = 'node -e 0'
const VERSION = 'semel --version'
const commands = [
  { name: FLOOR, args: ['-e', '0'] },
  { name: VERSION, args: ['dist/cli/main.js', '--version'] },
  { name: 'semel --help', args: ['dist/cli/main.js', '--help'] },
]

/** How much longer than Node itself `semel --version` takes, by the least and the middle time. */
export function startupRatios(rounds) {
  const measured = timeProcesses(commands.slice(0, 2), rounds)
  const [floor, version] = [measured.get(FLOOR), measured.get(VERSION)]
  return { min: version.minMs / floor.minMs, median: version.medianMs / floor.medianMs }
}

export function measureStartup({ rounds: wished = 30 }) {
  const rounds = Math.max(LEAST_ROUNDS, wished)
  const measured = timeProcesses(commands, rounds)
  const floor = measured.get(FLOOR)
  const rows = commands.map(({ name }) => {
    const { minMs, medianMs } = measured.get(name)
    return [
      `\`${name}\``,
      duration(minMs),
      duration(medianMs),
      times(minMs / floor.minMs),
      times(medianMs / floor.medianMs),
    ]
  })
  const ratio = measured.get(VERSION).medianMs / floor.medianMs
  return [
    table([['command', 'min', 'median', 'min ratio', 'median ratio'], ...rows]),
    '',
    `${rounds} interleaved runs each.`,
    '',
    goal(
      `\`${VERSION}\` takes ${times(ratio)} the time of \`${FLOOR}\`, at most ${STARTUP_LIMIT} x`,
      ratio <= STARTUP_LIMIT,
    ),
  ].join('\n')
}
