import { zoneFault } from '../../../core/time-zone.ts'
import type { Complaints } from '../complaints.ts'

/** The zone of a CronJob's schedule, with the exact spelling of the IANA data (K-32). */
export function checkTimeZone(out: Complaints, zone: string, path: string): void {
  const fault = zoneFault(zone)
  if (fault === undefined) return
  if (fault === 'empty') {
    out.invalidNamed(path, zone, 'timeZone must be nil or non-empty string')
    return
  }
  if (fault === 'local') {
    const page = 'https://www.iana.org/time-zones'
    const detail = `timeZone must be an explicit time zone as defined in ${page}`
    out.invalidNamed(path, zone, detail)
    if (zone === 'Local') return
  }
  out.invalidNamed(path, zone, `unknown time zone ${zone}`)
}
