import type { Difference } from './compare.ts'
import { randomSteps } from './random.ts'
import type { Play, Played } from './run.ts'
import type { Step } from './script.ts'

export interface Failure {
  readonly seed: number
  /** Which step of its sequence, from 0. */
  readonly index: number
  readonly played: Played
  readonly differences: readonly Difference[]
  /** The shortest steps found that end in the same difference. */
  readonly shortest: readonly Step[]
}

export interface RandomRun {
  readonly steps: number
  /** Steps with a difference that is known. */
  readonly known: number
  readonly failures: readonly Failure[]
}

export interface RandomSettings {
  readonly seed: number
  readonly steps: number
  readonly start: () => Promise<Play>
  /** Those differences of a step that are not known. */
  readonly unknown: (played: Played) => readonly Difference[]
  /** Shrinking costs time; a run that finds more than this says so and ends. */
  readonly mostFailures: number
}

/**
 * Plays random sequences until so many steps have been compared. A sequence ends at its first
 * unknown difference, because what follows would only repeat it.
 */
export async function runRandom(settings: RandomSettings): Promise<RandomRun> {
  const failures: Failure[] = []
  let steps = 0
  let known = 0
  for (let number = 0; steps < settings.steps; number += 1) {
    const seed = settings.seed * 10_000 + number
    const play = await settings.start()
    const sequence = randomSteps(seed)
    for (const [index, step] of sequence.entries()) {
      const played = await play.step(step)
      steps += 1
      if (played.differences.length === 0) continue
      const differences = settings.unknown(played)
      if (differences.length === 0) {
        known += 1
        continue
      }
      const failing = sequence.slice(0, index + 1)
      const shortest = await shrink(failing, differences, settings)
      // Times that fell into different seconds differ once, and not again.
      if (shortest === undefined && play.crossedSeconds) break
      failures.push({ seed, index, played, differences, shortest: shortest ?? failing })
      break
    }
    if (failures.length >= settings.mostFailures) break
  }
  return { steps, known, failures }
}

/** Undefined when it cannot be shown again. First only the steps about the same object, then without each of those that are not needed. */
async function shrink(
  steps: readonly Step[],
  differences: readonly Difference[],
  settings: RandomSettings,
): Promise<readonly Step[] | undefined> {
  const last = steps.at(-1)
  if (last === undefined) return undefined
  const places = new Set(differences.map(({ at }) => at))
  const stillFails = async (tried: readonly Step[]): Promise<boolean> => {
    const play = await settings.start()
    for (const step of tried.slice(0, -1)) await play.step(step)
    const found = settings.unknown(await play.step(last))
    return found.some(({ at }) => places.has(at))
  }
  let shortest = steps
  const about = steps.filter((step) => concerns(step, last))
  if (await stillFails(about)) shortest = about
  else if (!(await stillFails(steps))) return undefined
  for (let index = shortest.length - 2; index >= 0; index -= 1) {
    const tried = shortest.toSpliced(index, 1)
    if (await stillFails(tried)) shortest = tried
  }
  return shortest
}

function concerns({ request: one }: Step, { request: last }: Step): boolean {
  if (one.resource.resource !== last.resource.resource) return false
  const names = [one, last].map((request) => {
    const body = request.body as { readonly metadata?: { readonly name?: string } } | undefined
    return request.name ?? body?.metadata?.name
  })
  return names.includes(undefined) || names[0] === names[1]
}
