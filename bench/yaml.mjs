import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { build } from 'tsdown'
import { duration, root, runForOutput, summary, table, times } from './measure.mjs'

/** The reader alone, warm and inside one process, over the corpus in memory. */
export async function measureYaml({ rounds = 7, corpus }) {
  const folder = path.join(root, 'node_modules/.cache/semel-bench')
  mkdirSync(folder, { recursive: true })
  await build({
    cwd: root,
    config: false,
    entry: { 'read-file': 'src/core/yaml/read-file.ts' },
    outDir: folder,
    format: 'esm',
    platform: 'node',
    dts: false,
    fixedExtension: false,
    hash: false,
    logLevel: 'error',
    report: false,
  })
  const reader = path.join(folder, 'read-file.js')
  const { stdout } = runForOutput({
    name: 'reader',
    args: ['bench/peers/read-yaml.mjs', reader, corpus, String(rounds)],
  })
  const { steps, corpusBytes, sampleBytes } = JSON.parse(stdout)
  const floorRate = rateOf(steps[0])
  const rows = steps.map((step) => {
    const { minMs, medianMs } = summary(step.times)
    return [
      step.name,
      `${(step.bytes / 1e6).toFixed(1)} MB`,
      duration(step.coldMs),
      duration(minMs),
      duration(medianMs),
      `${rateOf(step).toFixed(0)} MB/s`,
      times(floorRate / rateOf(step)),
    ]
  })
  return [
    `The corpus of ${(corpusBytes / 1e6).toFixed(1)} MB in memory; the last rows parse every document of the same ${(sampleBytes / 1e6).toFixed(1)} MB.`,
    '',
    table([['step', 'bytes', 'first', 'min', 'median', 'rate', 'time a byte'], ...rows]),
    '',
    `${rounds} runs after the first, which includes the warming up of the machine code. The rate is that of the median, "time a byte" compares it with the first row.`,
  ].join('\n')
}

function rateOf(step) {
  return step.bytes / 1e6 / (summary(step.times).medianMs / 1000)
}
