import { isObject, type Json } from '../../core/json.ts'
import type { Miss } from './expect.ts'
import type { Expectation } from './format.ts'
import { label } from './label.ts'
import type { ScenarioRun } from './play.ts'

/**
 * How often the work itself was started (restarts of its container included), and how its Jobs
 * ended, for each variant. A result that is neither Complete nor Failed is prose for `it never ends`.
 */
export function missesOfWork(
  played: readonly ScenarioRun[],
  { executions_of_the_work: executions, job_result: result }: Expectation,
): readonly Miss[] {
  return played.flatMap((one, at) => {
    const misses: Miss[] = []
    const compare = (what: string, expected: Json | undefined, got: string): void => {
      const text = typeof expected === 'number' ? String(expected) : expected
      if (typeof text !== 'string' || text === got) return
      const where = [label(one.variant), what].filter((part) => part !== '').join(', ')
      misses.push({ where, expected: text, got })
    }
    const started = one.runs.reduce((sum, run) => sum + run.executions, 0)
    compare('executions of the work', forVariant(executions, one.variant, at), String(started))
    const wanted = forVariant(result, one.variant, at)
    const ended = typeof wanted === 'string' && !/^(?:Complete|Failed)$/.test(wanted)
    compare('result of the Job', ended ? 'no end' : wanted, resultOf(one))
    return misses
  })
}

function forVariant(expected: Json | undefined, variant: string, at: number): Json | undefined {
  if (!isObject(expected)) return expected
  return expected[variant] ?? Object.values(expected)[at]
}

function resultOf({ runs }: ScenarioRun): string {
  const outcomes = new Set(runs.map(({ outcome }) => outcome))
  if (outcomes.has('failed')) return 'Failed'
  if (outcomes.has('complete')) return 'Complete'
  return 'no end'
}
