import { booleanAt, isObject, listAt, stringAt, type JsonObject } from '../../../core/json.ts'
import { comesOn, minutesOfDay, readCron } from '../../../core/cron.ts'
import { goDurationSeconds } from '../../../core/go-duration.ts'
import type { KubeObject } from '../../../cluster/object.ts'
import type { Instant } from '../../../cluster/time.ts'
import { isText, type App } from './application.ts'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

/**
 * Whether the project's sync windows forbid a sync now. An active deny window does, and so do
 * allow windows of which none is active; `manualSync` lets people through. Schedules count in UTC.
 */
export function isBlocked(
  project: KubeObject | undefined,
  app: App,
  { isManual, now }: { readonly isManual: boolean; readonly now: Instant },
): boolean {
  const windows = listAt(project, ['spec', 'syncWindows'])
    .filter(isObject)
    .filter((window) => concerns(window, app))
  const isFree = (window: JsonObject): boolean =>
    isManual && booleanAt(window, ['manualSync']) === true
  const denying = windows.filter(
    (window) => stringAt(window, ['kind']) === 'deny' && isActive(window, now),
  )
  if (denying.length > 0) return !denying.every(isFree)
  const allowing = windows.filter((window) => stringAt(window, ['kind']) === 'allow')
  if (allowing.length === 0 || allowing.some((window) => isActive(window, now))) return false
  return !allowing.every(isFree)
}

function concerns(window: JsonObject, app: App): boolean {
  const matches = (field: string, value: string): boolean =>
    listAt(window, [field])
      .filter(isText)
      .some((pattern) => pattern === '*' || pattern === value)
  return matches('applications', app.name) || matches('namespaces', app.namespace)
}

/** Open from each time of its schedule on, for its duration. */
function isActive(window: JsonObject, now: Instant): boolean {
  const { schedule } = readCron(stringAt(window, ['schedule']) ?? '')
  const lengthMs = (goDurationSeconds(stringAt(window, ['duration']) ?? '') ?? 0) * 1000
  if (schedule?.kind !== 'fields') return false
  const minutes = minutesOfDay(schedule)
  for (let day = Math.floor((now - lengthMs) / DAY_MS) * DAY_MS; day <= now; day += DAY_MS) {
    const date = new Date(day)
    const place = {
      month: date.getUTCMonth() + 1,
      dayOfMonth: date.getUTCDate(),
      weekday: date.getUTCDay(),
    }
    if (!comesOn(schedule, place)) continue
    const isOpen = (minute: number): boolean => {
      const start = day + minute * MINUTE_MS
      return start <= now && now < start + lengthMs
    }
    if (minutes.some(isOpen)) return true
  }
  return false
}
