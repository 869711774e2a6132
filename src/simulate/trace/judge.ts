import type { Cause } from '../../cluster/actor.ts'
import { compareJobs, type Difference } from './compare.ts'
import type { Trace } from './format.ts'
import type { PlayTools, TracePlayer } from './player.ts'

/** Whether the model tells the same story as a recording. */
export interface Verdict {
  readonly id: string
  readonly title: string
  readonly agreed: boolean
  /** In the order of time; empty when agreed. */
  readonly differences: readonly Difference[]
  /** The last thing that the model did before the first difference, and by which rule. */
  readonly cause?: Cause
}

/** Plays a trace and holds the model's answer against the recorded one. */
export function judgeTrace(
  trace: Trace,
  players: readonly TracePlayer[],
  tools: PlayTools = {},
): Verdict {
  const { id, title } = trace
  const player = players.find(({ engine }) => engine === trace.engine.name)
  if (player === undefined) {
    const known = players.map(({ engine }) => engine).join(', ')
    const difference = {
      where: 'engine',
      recorded: trace.engine.name,
      model: `not modelled (known: ${known})`,
    }
    return { id, title, agreed: false, differences: [difference] }
  }
  const played = player.play(trace, tools)
  const differences: Difference[] = []
  for (const { t, what, recorded, model } of played.answers) {
    if (recorded !== model)
      differences.push({ where: `event at ${t} s, ${what}`, recorded, model, t })
  }
  differences.push(
    ...compareJobs(trace.observed.jobs, played.jobs, {
      toleranceSeconds: trace.tolerance.seconds,
      endSeconds: played.endSeconds,
    }),
  )
  if (played.error !== undefined && played.error !== trace.answer.error) {
    const model = String(played.error)
    differences.push({ where: 'error', recorded: String(trace.answer.error), model })
  }
  if (played.unplayable !== undefined) {
    differences.push({ where: 'trace', recorded: 'played', model: played.unplayable })
  }
  differences.sort((one, other) => (one.t ?? 0) - (other.t ?? 0))
  const [first] = differences
  const cause = first?.t === undefined ? undefined : lastCause(trace, played.causes, first.t)
  return {
    id,
    title,
    agreed: differences.length === 0,
    differences,
    ...(cause === undefined ? {} : { cause }),
  }
}

function lastCause(trace: Trace, causes: readonly Cause[], t: number): Cause | undefined {
  const zero = Date.parse(trace.observed.wallClockAtZero ?? '2026-01-01T00:00:00Z')
  const until = zero + (t + trace.tolerance.seconds) * 1000
  return causes.filter(({ at }) => at <= until).at(-1)
}
