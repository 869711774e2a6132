import { goDurationSeconds } from '../../core/go-duration.ts'

/** Seconds of a span of a scenario: `168h`, `49h30m`, `0.75s`; undefined for anything else. */
export function spanSeconds(text: string): number | undefined {
  const seconds = goDurationSeconds(text)
  return seconds === undefined || seconds < 0 ? undefined : seconds
}
