import { goDurationSeconds } from '../../core/go-duration.ts'
import type { Instant } from '../../cluster/time.ts'
import type { Scenario } from './format.ts'

/** Seconds of a span of a scenario: `168h`, `49h30m`, `0.75s`, `7d`, `1d12h`; undefined for anything else. */
export function spanSeconds(text: string): number | undefined {
  const [, days = '0', rest = ''] = /^(\d+)d(.*)$/.exec(text) ?? ['', '0', text]
  if (rest === '' && days !== '0') return Number(days) * 86_400
  const seconds = goDurationSeconds(rest)
  return seconds === undefined || seconds < 0 ? undefined : Number(days) * 86_400 + seconds
}

/** The wall clock of 0h: a Monday where the scenario says nothing. */
export function startOf({ start }: Scenario): Instant {
  return Date.parse(start ?? '2026-01-05T00:00:00Z')
}
