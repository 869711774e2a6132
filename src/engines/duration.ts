import { goDurationSeconds } from '../core/go-duration.ts'
import type { Json } from '../core/json.ts'

export { goDurationSeconds }

/** What the Flux CRDs accept: no days, no sign, no digit left out. */
const API_DURATION = /^([0-9]+(\.[0-9]+)?(ms|s|m|h))+$/

/**
 * A duration in a field of a Flux object, in seconds. Undefined for what the API server refuses
 * (`1d`, `-5m`, `.5h`, a number) and for text that only rendering can turn into a value.
 */
export function apiDurationSeconds(value: Json | undefined): number | undefined {
  return typeof value === 'string' && API_DURATION.test(value)
    ? goDurationSeconds(value)
    : undefined
}

/** `1h30m`, `5m`, `45s`, `0s`: the short form that Go reads back. Whole seconds from zero on. */
export function durationText(seconds: number): string {
  const whole = Math.round(seconds)
  const parts = [
    [Math.floor(whole / 3600), 'h'],
    [Math.floor((whole % 3600) / 60), 'm'],
    [whole % 60, 's'],
  ] as const
  const text = parts.map(([count, unit]) => (count === 0 ? '' : `${count}${unit}`)).join('')
  return text === '' ? '0s' : text
}

/** An interval of zero or less never comes, so it says nothing about a period. */
export function positiveSeconds(seconds: number | undefined): number | undefined {
  return seconds !== undefined && seconds > 0 ? seconds : undefined
}
