import { byteLength } from '../core/text.ts'
import { readCron, type CronSchedule } from '../core/cron.ts'
import { at, stringAt, type Path } from '../core/json.ts'
import { textOf, type Place } from '../core/source.ts'
import { isTemplated } from '../core/templates.ts'
import type { Subject } from '../ownership/subject.ts'

export const SCHEDULE: Path = ['spec', 'schedule']
export const SUSPEND: Path = ['spec', 'suspend']
export const STARTING_DEADLINE: Path = ['spec', 'startingDeadlineSeconds']
export const TIME_ZONE: Path = ['spec', 'timeZone']

/** The schedule as it is written, unless only rendering or another tool can tell what it will be. */
export function writtenSchedule({ object }: Subject): string | undefined {
  const text = stringAt(object, SCHEDULE)
  return text === undefined || isTemplated(text) || text.includes('$') ? undefined : text
}

/** What the API server makes of it; undefined where that is not known, or a fault of its own. */
export function scheduleOf(subject: Subject): CronSchedule | undefined {
  const text = writtenSchedule(subject)
  return text === undefined || text.includes('TZ') ? undefined : readCron(text).schedule
}

export function isSuspended({ object }: Subject): boolean {
  return at(object, SUSPEND) === true
}

/** A part of the text of a scalar, as far as the text stands in the file as it is. */
export function placeWithin(
  subject: Subject,
  path: Path,
  { start, end }: { readonly start: number; readonly end: number },
): Place {
  const place = subject.placeOf(path)
  const { source, span } = place
  const text = stringAt(subject.object, path) ?? ''
  const written = textOf(source, span)
  const before = written === text ? 0 : [`'${text}'`, `"${text}"`].includes(written) ? 1 : undefined
  if (before === undefined || start >= end) return place
  const from = span.start + before + byteLength(text.slice(0, start))
  return { source, span: { start: from, end: from + byteLength(text.slice(start, end)) } }
}
