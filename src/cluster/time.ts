/**
 * An instant: milliseconds since the Unix epoch, UTC. Virtual: only the cluster's queue moves it.
 */
export type Instant = number

/** As the API writes times: RFC 3339 in UTC, cut to whole seconds. */
export function timestamp(instant: Instant): string {
  return `${new Date(Math.floor(instant / 1000) * 1000).toISOString().slice(0, 19)}Z`
}

/** The instant of an API time; NaN for text that is none. */
export function instantOf(text: string): Instant {
  return Date.parse(text)
}
