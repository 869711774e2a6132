import type { Instant } from '../../cluster/time.ts'
import type { Happening, HappeningKind, History, Lane, Warning } from '../history/history.ts'

/** A history, ordered so that each question about a lane costs what the lane costs. */
export interface LookUp {
  readonly history: History
  ofKind(kind: HappeningKind): readonly Happening[]
  /** What stands in the row of the lane's own carrier. */
  ofCarrier(lane: Lane): readonly Happening[]
  /** What was done to an object: `Job shop/migrate`. */
  ofObject(object: string): readonly Happening[]
  warningsOf(lane: Lane): readonly Warning[]
}

export function lookUp(history: History): LookUp {
  const byKind = new Map<string, Happening[]>()
  const byRow = new Map<string, Happening[]>()
  const byObject = new Map<string, Happening[]>()
  const warnings = new Map<string, Warning[]>()
  for (const happening of history.happenings) {
    put(byKind, happening.kind, happening)
    put(byRow, happening.row, happening)
    if (happening.object !== undefined) put(byObject, happening.object, happening)
  }
  for (const warning of history.warnings) {
    for (const lane of warning.lanes) put(warnings, lane, warning)
  }
  return {
    history,
    ofKind: (kind) => byKind.get(kind) ?? [],
    ofCarrier: ({ appliedBy }) => byRow.get(rowOf(appliedBy, byRow) ?? '') ?? [],
    ofObject: (object) => byObject.get(object) ?? [],
    warningsOf: ({ name }) => warnings.get(name) ?? [],
  }
}

function put<T>(map: Map<string, T[]>, key: string, value: T): void {
  const known = map.get(key)
  if (known === undefined) map.set(key, [value])
  else known.push(value)
}

/** `Flux Kustomization flux-system/shop` has the row `Kustomization flux-system/shop`. */
function rowOf(appliedBy: string | undefined, rows: Map<string, unknown>): string | undefined {
  let rest = appliedBy
  while (rest !== undefined && !rows.has(rest)) {
    const space = rest.indexOf(' ')
    rest = space < 0 ? undefined : rest.slice(space + 1)
  }
  return rest
}

/** The position of the last happening that is not after `at`, or -1. They must be in order. */
export function lastUntil(happenings: readonly { readonly at: Instant }[], at: Instant): number {
  let low = 0
  let high = happenings.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((happenings[middle]?.at ?? Infinity) <= at) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** Whose carrier applies it. A CronJob applies its Jobs, and nothing is said with that. */
export function applierOf(lane: Lane): string | undefined {
  const { appliedBy } = lane
  return appliedBy?.endsWith(objectOf(lane)) === true ? undefined : appliedBy
}

/** The object of the API that a lane is about, as causes and happenings call it. */
export function objectOf({ kind, name }: Pick<Lane, 'kind' | 'name'>): string {
  return `${kind} ${name}`
}
