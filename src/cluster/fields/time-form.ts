/**
 * Times as the API server reads and writes them: RFC 3339, back in UTC, cut to whole seconds, or
 * with microseconds where the type has them. The faults are those of Go's time.Parse.
 */
export type TimeForm = { readonly text: string } | { readonly fault: string }

const SECONDS = '2006-01-02T15:04:05Z07:00'
const MICROS = '2006-01-02T15:04:05.000000Z07:00'

/** Parts of the layout: how they are spelled in faults, what matches, and their range. */
const PARTS: readonly Part[] = [
  { layout: '2006', pattern: /^\d{4}/ },
  { layout: '-', pattern: /^-/ },
  { layout: '01', pattern: /^\d{2}/, name: 'month', from: 1, to: 12 },
  { layout: '-', pattern: /^-/ },
  { layout: '02', pattern: /^\d{2}/, name: 'day', from: 1, to: 31 },
  { layout: 'T', pattern: /^T/ },
  { layout: '15', pattern: /^\d{1,2}/, name: 'hour', from: 0, to: 23 },
  { layout: ':', pattern: /^:/ },
  { layout: '04', pattern: /^\d{2}/, name: 'minute', from: 0, to: 59 },
  { layout: ':', pattern: /^:/ },
  { layout: '05', pattern: /^\d{2}/, name: 'second', from: 0, to: 59 },
]

interface Part {
  readonly layout: string
  readonly pattern: RegExp
  readonly name?: string
  readonly from?: number
  readonly to?: number
}

/** In UTC with whole seconds, on a day that every month has: nothing to judge or to change. */
const USUAL = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/

export function timeForm(written: string, micro = false): TimeForm {
  if (!micro && USUAL.test(written)) return { text: written }
  const layout = micro ? MICROS : SECONDS
  const quoted = JSON.stringify(written)
  const mismatch = (rest: string, part: string): TimeForm => ({
    fault: `parsing time ${quoted} as "${layout}": cannot parse ${JSON.stringify(rest)} as "${part}"`,
  })
  const outOfRange = (what: string): TimeForm => ({
    fault: `parsing time ${quoted}: ${what} out of range`,
  })
  let rest = written
  for (const { layout: part, pattern, name, from = 0, to = 0 } of PARTS) {
    const found = pattern.exec(rest)?.[0]
    if (found === undefined) return mismatch(rest, part)
    rest = rest.slice(found.length)
    if (name !== undefined && (Number(found) < from || Number(found) > to)) return outOfRange(name)
  }
  const fraction = (micro ? /^[.,]\d{6}(?!\d)/ : /^(?:[.,]\d+)?/).exec(rest)?.[0]
  if (fraction === undefined) return mismatch(rest, '.000000')
  rest = rest.slice(fraction.length)
  const zone = /^(?:Z|[+-]\d{2}:\d{2})/.exec(rest)?.[0]
  if (zone === undefined) return mismatch(rest, 'Z07:00')
  if (rest.length > zone.length) {
    const extra = JSON.stringify(rest.slice(zone.length))
    return { fault: `parsing time ${quoted}: extra text: ${extra}` }
  }
  const date = written.slice(0, 10)
  const day = Number(date.slice(8))
  const last = new Date(
    Date.UTC(Number(date.slice(0, 4)), Number(date.slice(5, 7)), 0),
  ).getUTCDate()
  if (day > last) return outOfRange('day')
  return { text: inUtc(written, { zone, fraction, micro }) }
}

function inUtc(
  written: string,
  {
    zone,
    fraction,
    micro,
  }: { readonly zone: string; readonly fraction: string; readonly micro: boolean },
): string {
  const clock = written.slice(0, written.length - zone.length - fraction.length)
  const behind = micro ? `${fraction.replace(',', '.')}Z` : 'Z'
  if (zone === 'Z') return `${clock}${behind}`
  const at = new Date(Date.parse(`${clock}${zone}`))
  return `${at.toISOString().slice(0, 19)}${behind}`
}
