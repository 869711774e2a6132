import type { JsonObject } from '../../../core/json.ts'
import type { Trigger } from '../../../cluster/actor.ts'
import { shortWords } from '../words.ts'
import type { Act } from './choose.ts'
import type { Context } from './context.ts'
import { activeAction, type ReleaseState } from './decide.ts'
import type { Difference } from './drift.ts'
import type { Record, Run } from './state.ts'

const ACTOR = 'helm-controller'

export function carrierOf({ key }: Pick<Record, 'key'>): string {
  return `HelmRelease ${key}`
}

export interface Told {
  readonly rule: string
  readonly effect: string
  /** Default: the HelmRelease itself. */
  readonly object?: string
  readonly trigger?: Trigger
  readonly data?: JsonObject
}

/** What was done to the HelmRelease itself or to its release. */
export function tellCause({ io }: Context, record: Pick<Record, 'key'>, told: Told): void {
  const carrier = carrierOf(record)
  io.cause({ at: io.now, actor: ACTOR, object: carrier, carrier, ...told })
}

/**
 * The beginning of a reconcile is told once it has something to do: those that find everything as
 * it should be tell nothing, so it makes no difference whether they were gone through (R-1).
 */
export function opened(context: Context, record: Record, run: Run): Run {
  if (run.isTold) return run
  const { trigger } = run
  tellCause(context, record, { rule: 'R-1', effect: 'reconciled', trigger })
  return { ...run, isTold: true }
}

/** Of several reasons for one reconcile, the one that says most about what it does. */
export function strongerOf(one: Trigger | undefined, other: Trigger): Trigger {
  return one === undefined || strength(other) > strength(one) ? other : one
}

const BY_STRENGTH: readonly Trigger['kind'][] = [
  'start',
  'interval',
  'watch',
  'retry',
  'dependency',
]

function strength({ kind }: Trigger): number {
  if (kind === 'revision') return BY_STRENGTH.length + 1
  return kind === 'request' ? BY_STRENGTH.length : BY_STRENGTH.indexOf(kind)
}

export function retryOf(what: string, error: string | undefined): Trigger {
  const why = error === undefined || error === '' ? '' : `: ${shortWords(error)}`
  return { kind: 'retry', words: `${what}${why}` }
}

/** What is done next, and what of the release is the reason for it. */
export function tellAct(
  context: Context,
  record: Record,
  run: Run,
  act: Act,
  state: ReleaseState,
): void {
  const name = run.status.history[0]?.name ?? run.settings.releaseName
  const reason = 'reason' in state && state.reason !== undefined ? { reason: state.reason } : {}
  const data = { state: state.is, ...reason }
  const told = { rule: ruleOf(act, state, run), data }
  if (act.type === 'unlock') return undefined
  if (act.type === 'drift') {
    return tellCause(context, record, { ...told, effect: foundWords(act.differences) })
  }
  const effect = `began ${act.name} of release ${name}`
  const isRemedy = act.type === 'remediate'
  const what = `its ${run.status.lastAttemptedReleaseAction} failed`
  const trigger = isRemedy ? { trigger: retryOf(what, run.lastError) } : {}
  return tellCause(context, record, { ...told, effect, ...trigger })
}

export function foundWords(differences: readonly Difference[]): string {
  const count = differences.filter(({ type }) => type !== 'excluded').length
  return `found ${count === 1 ? '1 object' : `${count} objects`} changed or missing`
}

function ruleOf(act: Act, state: ReleaseState, run: Run): string {
  if (act.type === 'drift') return 'R-5'
  if (act.type === 'remediate') return 'R-8'
  if (state.is !== 'Failed') return 'R-1'
  return activeAction(run)?.retryMs === undefined ? 'R-7' : 'R-9'
}
