import type { Instant } from '../time.ts'

export interface CivilDate {
  readonly year: number
  readonly month: number
  readonly dayOfMonth: number
  /** From Sunday, 0. */
  readonly weekday: number
}

/** A schedule's fields as tables: which days, and the first hour or minute from a number on. */
export interface ScheduleDays {
  comesOn(date: CivilDate): boolean
  hasMonth(month: number): boolean
  hasHour(hour: number): boolean
  hasMinute(minute: number): boolean
  /** The first minute of the day from `minute` on; undefined when the rest of the day has none. */
  minuteFrom(minute: number): number | undefined
}

/** Year 1, as Go's zero time, so that comparisons fall out as they do in the controller. */
export const NEVER: Instant = -62_135_596_800_000

/** Days since the epoch to a date of the Gregorian calendar, and back (after Howard Hinnant). */
export function civilOf(day: number): CivilDate {
  const shifted = day + 719_468
  const era = Math.floor(shifted / 146_097)
  const ofEra = shifted - era * 146_097
  const yearOfEra = Math.floor(
    (ofEra - Math.floor(ofEra / 1460) + Math.floor(ofEra / 36_524) - Math.floor(ofEra / 146_096)) /
      365,
  )
  const leaps = Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100)
  const ofYear = ofEra - (365 * yearOfEra + leaps)
  const fromMarch = Math.floor((5 * ofYear + 2) / 153)
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    dayOfMonth: ofYear - Math.floor((153 * fromMarch + 2) / 5) + 1,
    weekday: (((day + 4) % 7) + 7) % 7,
  }
}

/** Months beyond the year and days beyond the month run over, as in Go. */
export function dayOf(year: number, month: number, dayOfMonth: number): number {
  const months = month - 1
  const inYear = year + Math.floor(months / 12)
  const monthOfYear = months - Math.floor(months / 12) * 12 + 1
  const fromMarch = monthOfYear <= 2 ? inYear - 1 : inYear
  const era = Math.floor(fromMarch / 400)
  const yearOfEra = fromMarch - era * 400
  const marchMonth = monthOfYear > 2 ? monthOfYear - 3 : monthOfYear + 9
  const ofYear = Math.floor((153 * marchMonth + 2) / 5)
  const ofEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + ofYear
  return era * 146_097 + ofEra - 719_468 + dayOfMonth - 1
}
