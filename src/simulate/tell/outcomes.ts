import type { Outcome, Run } from '../history/history.ts'
import { grouped, listed } from './spans.ts'

export function outcomeCounts(
  runs: readonly { readonly outcome: Outcome }[],
): Readonly<Record<Outcome, number>> {
  const counts = { complete: 0, failed: 0, running: 0, gone: 0, waiting: 0 }
  for (const { outcome } of runs) counts[outcome] += 1
  return counts
}

/** For a cell of a table: `5 complete, 2 failed`; a dash for no run. */
export function outcomeCell(runs: readonly Run[]): string {
  const counts = outcomeCounts(runs)
  const parts = ORDER.filter((outcome) => counts[outcome] > 0).map(
    (outcome) => `${grouped(counts[outcome])} ${outcome}`,
  )
  return parts.length === 0 ? '-' : parts.join(', ')
}

const ORDER: readonly Outcome[] = ['complete', 'failed', 'running', 'gone', 'waiting']

/** ` (2 failed)`: only what is not as it should be. */
export function outcomeWords(runs: readonly Run[]): string {
  const counts = outcomeCounts(runs)
  if (runs.length > 1 && counts.failed === runs.length) return ', all of them failed'
  const isOne = runs.length === 1
  const parts = ODD.flatMap(({ outcome, words }) => {
    const count = counts[outcome]
    if (count === 0) return []
    return [isOne ? words(count) : `${grouped(count)} ${words(count)}`]
  })
  return parts.length === 0 ? '' : ` (${listed(parts)})`
}

const ODD: readonly { readonly outcome: Outcome; readonly words: (count: number) => string }[] = [
  { outcome: 'failed', words: () => 'failed' },
  { outcome: 'gone', words: () => 'deleted before the end' },
  { outcome: 'running', words: (count) => (count === 1 ? 'still runs' : 'still run') },
]
