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

/**
 * A duration as Go reads it in annotations, flags and `@every` (`1h30m`, `1.5h`, `-30s`, `0`), in
 * seconds. Undefined for everything that Go refuses, days included.
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
