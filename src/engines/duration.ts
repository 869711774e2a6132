import type { Json } from '../core/json.ts'

const UNIT_SECONDS: Readonly<Record<string, number>> = {
  ns: 1e-9,
  us: 1e-6,
  µs: 1e-6,
  μs: 1e-6,
  ms: 1e-3,
  s: 1,
  m: 60,
  h: 3600,
}

/** Go keeps nanoseconds in 64 bits. */
const LONGEST_SECONDS = 9_223_372_036.854_776

/** What the Flux CRDs accept: no days, no sign, no digit left out. */
const API_DURATION = /^([0-9]+(\.[0-9]+)?(ms|s|m|h))+$/

/**
 * A duration as Go reads it in annotations and flags (`1h30m`, `1.5h`, `-30s`, `0`), in seconds.
 * Undefined for everything that Go refuses, days included.
 */
export function goDurationSeconds(text: string): number | undefined {
  const [, sign, body] = /^([-+]?)(.+)$/.exec(text) ?? []
  if (body === undefined) return undefined
  if (body === '0') return 0
  let seconds = 0
  const part = /(\d*)(?:\.(\d*))?(ns|us|µs|μs|ms|s|m|h)/y
  while (part.lastIndex < body.length) {
    const found = part.exec(body)
    if (found === null) return undefined
    const [, whole = '', fraction = '', unit = ''] = found
    if (whole === '' && fraction === '') return undefined
    seconds += Number(`${whole === '' ? '0' : whole}.${fraction}`) * (UNIT_SECONDS[unit] ?? 0)
  }
  if (seconds > LONGEST_SECONDS) return undefined
  return sign === '-' ? -seconds : seconds
}

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
