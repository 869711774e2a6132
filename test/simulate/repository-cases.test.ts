import { readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { judgeCase, loadCase, type LoadedCase } from '../../src/cli/simulate/run-cases.ts'
import { isList } from '../../src/core/json.ts'
import type { Workload } from '../../src/cluster/kubelet/scenario-script.ts'
import { played, snapshotIn } from './repository.ts'
import { spanSeconds } from '../../src/simulate/scenario/span.ts'

const FOLDER = path.resolve(import.meta.dirname, '../../fixtures/cases')

/** Cases of one commit and one variant whose engine stands in the folder itself. */
const cases = readdirSync(FOLDER, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .flatMap(({ name }) => {
    const loaded = loadFolder(name)
    if (loaded === undefined || !isPlain(loaded)) return []
    // A day shows as much as a week.
    return [{ name, loaded: { ...loaded, scenario: { ...loaded.scenario, horizon: '30h' } } }]
  })

function loadFolder(name: string): LoadedCase | undefined {
  const folder = path.join(FOLDER, name)
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const absolute = path.join(entry.parentPath, entry.name)
      return { path: path.relative(folder, absolute), absolute, isNamed: false }
    })
  if (!entries.some((entry) => entry.path === 'scenario.yaml')) return undefined
  const loaded = loadCase(name, entries)
  return 'scenario' in loaded ? loaded : undefined
}

function isPlain({ scenario, files }: LoadedCase): boolean {
  const { engine, variants, events = [] } = scenario
  const known = new Set(['at', 'apply', 'commit', 'note'])
  const isOneCommit = events.every(
    (event) => event.at === '0h' && Object.keys(event).every((key) => known.has(key)),
  )
  const isWhole = !Object.keys(files).some((file) => file.startsWith('commits/'))
  const isOne = variants === undefined && !Object.values(engine).some(isList)
  return isOneCommit && isWhole && isOne && events.length <= 1
}

function workloadsOf({ scenario: { workloads = [] } }: LoadedCase): readonly Workload[] {
  return workloads.map(({ job, cronjob, duration, exits }) => {
    const seconds = duration === undefined ? undefined : spanSeconds(duration)
    return {
      name: job ?? cronjob ?? '',
      ...(seconds === undefined ? {} : { durationMs: seconds * 1000 }),
      ...(exits === 'fail' || exits === 'ok' ? { exits } : {}),
    }
  })
}

test('there are such cases', () => {
  expect(cases.length).toBeGreaterThan(7)
})

test.each(cases)('$name runs as often from its folder as from its scenario', ({ name, loaded }) => {
  const { files } = loaded
  const folder = Object.fromEntries(
    Object.entries(files).filter(([file]) => !/^(?:scenario\.yaml|expected\.md)$/.test(file)),
  )
  const lines = played(snapshotIn(folder), { workloads: workloadsOf(loaded), days: 1.25 })
  const counts = Object.fromEntries(
    lines.flatMap((line) => {
      const [lane = '', hours = ''] = line.split(': ')
      return hours === '' ? [] : [[lane, hours.split(' ').length]]
    }),
  )
  const wanted: { [lane: string]: number } = {}
  for (const { namespace, job, cronjob } of judgeCase(name, loaded).played[0]?.runs ?? []) {
    const lane = `${namespace}/${cronjob ?? job.replace(/^.*\//, '')}`
    wanted[lane] = (wanted[lane] ?? 0) + 1
  }
  expect(counts).toEqual(wanted)
})
