import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { stringAt } from '../../../src/core/json.ts'
import type { Difference } from './compare.ts'
import { real } from '../rig/real.ts'
import { startControlPlane, type ControlPlane } from '../rig/control-plane.ts'
import { knownAs, knownDifferences, MOST_KNOWN } from './known.ts'
import { runRandom, type Failure } from './random-run.ts'
import { Play, type Played } from './run.ts'
import type { Script } from './script.ts'
import { scripts } from './scripts/index.ts'
import { tell } from './tell.ts'

/**
 * The cluster model against the real API server of the same version, step by step: code, message,
 * reason, causes, warnings and the object with its managedFields. No controllers on either side.
 */
const { binaries } = real()
const minor = Number(binaries.version.split('.')[1])

let plane: ControlPlane
beforeAll(async () => {
  plane = await startControlPlane(binaries, { label: 'differential', controllerManager: false })
})
afterAll(() => plane.stop())

const seen = new Map<string, number>()
const counts = { steps: 0, agreed: 0 }
let plays = 0

function start(): Promise<Play> {
  plays += 1
  return Play.start({ client: plane.client, namespace: `play-${plays}`, minor })
}

/** The differences of a step that are not known; those that are known are counted. */
function unknown({ request, differences }: Played): readonly Difference[] {
  counts.steps += 1
  if (differences.length === 0) counts.agreed += 1
  return differences.filter((difference) => {
    const known = knownAs(request, difference)
    if (known !== undefined) seen.set(known.id, (seen.get(known.id) ?? 0) + 1)
    return known === undefined
  })
}

describe.each(Object.entries(scripts))('%s', (_file, list) => {
  it.each(list.map((script): [string, Script] => [script.title, script]))(
    '%s',
    async (_title, script) => {
      if (minor < (script.since ?? 0)) return
      let [complaints, mayBeClock] = await playScript(script)
      if (complaints.length > 0 && mayBeClock) [complaints, mayBeClock] = await playScript(script)
      expect(complaints.join('\n')).toBe('')
    },
  )
})

/** What is to be complained of, and whether a clock that went on in between may be the reason. */
async function playScript(script: Script): Promise<readonly [readonly string[], boolean]> {
  const play = await start()
  const complaints: string[] = []
  for (const step of script.steps) {
    const played = await play.step(step)
    const differences = unknown(played)
    if (differences.length > 0) complaints.push(tell(played, differences))
    if (step.code !== undefined && step.code !== played.real.code) {
      const message = stringAt(played.real.body, ['message']) ?? ''
      complaints.push(`the script says ${step.code}: ${tell(played, [])} ${message}`)
    }
  }
  return [complaints, play.crossedSeconds]
}

const STEPS = Number(process.env['SEMEL_DIFFERENTIAL_STEPS'] ?? 2000)
const FIXED_SEED = 1
const extraSeed = process.env['SEMEL_DIFFERENTIAL_SEED']

describe('random requests', () => {
  const seeds = [FIXED_SEED, ...(extraSeed === undefined ? [] : [Number(extraSeed)])]
  it.each(seeds)('from seed %i are answered alike', async (seed) => {
    const unknown = ({ request, differences }: Played): readonly Difference[] =>
      differences.filter((difference) => knownAs(request, difference) === undefined)
    const run = await runRandom({ seed, steps: STEPS, start, unknown, mostFailures: 10 })
    const share = ((run.known / run.steps) * 100).toFixed(2)
    say(`${run.steps} random steps from seed ${seed}: ${share} % differ in a known way`)
    expect(run.failures.map(failureText).join('\n\n')).toBe('')
    expect(run.known / run.steps).toBeLessThanOrEqual(MOST_KNOWN)
  })
})

function failureText({ seed, index, played, differences, shortest }: Failure): string {
  const steps = shortest.map(({ request }) => `  ${JSON.stringify(request)}`).join('\n')
  return `seed ${seed}, step ${index}: ${tell(played, differences)}\n shortest:\n${steps}`
}

function say(line: string): void {
  process.stdout.write(`differential: ${line}\n`)
}

describe('known differences', () => {
  it('are still there, each in a script', () => {
    say(`${counts.steps} steps of scripts: ${counts.agreed} agree, the rest differ in a known way`)
    const gone = knownDifferences.filter(
      ({ id, until = Infinity }) => minor < until && !seen.has(id),
    )
    expect(gone.map(({ id }) => id)).toEqual([])
  })
})
