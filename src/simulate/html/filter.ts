import type { History, Lane } from '../history/history.ts'
import { countsOf } from './groups.ts'

/**
 * Whether a lane answers to what somebody typed: every word must be found in its name, kind or
 * engine, or be one of `failed`, `again`, `unknown`, `never`.
 */
export function matches(lane: Lane, history: Pick<History, 'end'>, query: string): boolean {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  if (words.length === 0) return true
  const { failed, isRepeated, runs } = countsOf(lane, history)
  const states = [
    failed > 0 ? 'failed' : '',
    isRepeated ? 'again' : '',
    lane.unknown === undefined ? '' : 'unknown',
    runs === 0 ? 'never' : '',
  ]
  const text = `${lane.kind} ${lane.name} ${lane.appliedBy ?? ''}`.toLowerCase()
  return words.every((word) => states.includes(word) || text.includes(word))
}
