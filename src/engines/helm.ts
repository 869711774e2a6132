import type { JsonObject } from '../core/json.ts'
import type { Engine, Traits, Waiter } from './engine.ts'
import { helmHook } from './helm-hooks.ts'
import { UNRENDERED } from './hooks.ts'
import { isCronJob, markOf } from './metadata.ts'
import { helmTurn } from './order.ts'
import { hookTemplateChange, leftAlone, removedUnless, templateChangeOf } from './traits.ts'

/** `--timeout` of every command, when nobody gives another one. */
const HOOK_TIMEOUT_SECONDS = 300
/** Trace helm/024. */
const HELD =
  'Helm 3 waits for it up to the timeout; Helm 4 applies onto the dying Job, takes its old result ' +
  'and reports success without running the hook'

/**
 * The Helm command line, 3 and 4: nothing happens but with a command, and what the command was
 * given (`--force`, `--wait`, `--timeout`) stands in no repository, so the defaults are taken.
 * An upgrade creates every absent object of the chart, changed or not (H-7); hooks run with each
 * command and are never compared (H-1). Without a name nothing is created (trace helm/019).
 */
export const helm: Engine = {
  id: 'helm',
  title: 'Helm',
  carrierKinds: [],
  settings: () => [],
  traits,
  turnOf: helmTurn,
  // `--wait` is off by default, and Helm 4 waits for hooks only (H-13).
  readyBeforeAfter: () => 'if-asked',
}

function traits(_carrier: JsonObject | undefined, object: JsonObject): Traits {
  const reading = helmHook(object)
  if (reading.kind === 'ignored') return leftAlone(reading.why, 'H-1', 'refused')
  if (reading.kind === 'none') {
    return {
      applies: true,
      restoresAbsent: { when: 'change', on: 'the next helm upgrade or rollback', rule: 'H-7' },
      templateChange: templateChangeOf(object, 'refused'),
      updatesBy: 'apply',
      removesUndeclared: removedUnless(keptByPolicy(object)),
      generateName: 'refused',
      assumed: false,
    }
  }
  const { hook } = reading
  return {
    applies: true,
    restoresAbsent: { when: 'never', rule: 'H-1' },
    templateChange: hookTemplateChange(object, hook),
    updatesBy: 'apply',
    hook,
    ...(isCronJob(object) || hook.onlyOn === UNRENDERED ? {} : { waiter: WAITER }),
    whileHeld: HELD,
    removesUndeclared: false,
    generateName: 'refused',
    assumed: false,
  }
}

/** `helm.sh/resource-policy: keep` (H-12). */
export function keptByPolicy(object: JsonObject): 'on' | 'off' | 'unknown' {
  return markOf(object, 'helm.sh/resource-policy', 'keep')
}

/**
 * Watches, so it sees the end before a TTL of 0 deletes the Job, a failure too (traces helm/006,
 * 008). A Job deleted earlier is a success to Helm 3 and runs into the timeout of Helm 4 (trace
 * 023). A failed hook is run again by the next command only.
 */
const WAITER: Waiter = {
  who: 'the helm command',
  timeoutSeconds: HOOK_TIMEOUT_SECONDS,
  pollSeconds: undefined,
  suspended: 'waits',
  absent: 'success',
  afterFailure: 'stays-failed',
  rule: 'H-2, H-5',
}
