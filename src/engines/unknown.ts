import type { JsonObject } from '../core/json.ts'
import type { Engine, Hook, Traits, Turn } from './engine.ts'
import { helmHook } from './helm-hooks.ts'
import { ARGO_HOOK, HELM_HOOK, mergedPolicies, readArgoHook } from './hooks.ts'
import { annotationOf, isCronJob } from './metadata.ts'
import { ARGO_WAVE, argoTurn, helmTurn } from './order.ts'
import { hookTemplateChange, templateChangeOf } from './traits.ts'

/**
 * Nobody in the repository says what applies the object, so the strictest rules are taken that
 * engines have in common, and every answer is marked as assumed.
 */
export const unknown: Engine = {
  id: 'unknown',
  title: 'an unknown engine',
  carrierKinds: [],
  settings: () => [],
  traits,
  turnOf,
  readyBeforeAfter: () => 'if-asked',
}

function traits(_carrier: JsonObject | undefined, object: JsonObject): Traits {
  const hook = hookOf(object)
  const annotated = [ARGO_HOOK, HELM_HOOK].some((key) => annotationOf(object, key) !== undefined)
  return {
    // An annotation that one engine ignores the object for is nothing to another one.
    applies: true,
    // Four of seven engines restore what is absent by default or by a common setting, and an
    // operator may too (case 054); how often is anybody's guess. An object with a hook annotation
    // was written for an engine that heeds it, and none of those restores a hook.
    restoresAbsent: annotated
      ? { when: 'never', rule: 'A-14, H-1' }
      : { when: 'interval', periodSeconds: undefined, rule: '9.2' },
    // Every engine sends it to the API server, which refuses it for a Job (K, 1.2); replacing it
    // takes a setting that nobody has seen.
    templateChange:
      hook === undefined ? templateChangeOf(object, 'refused') : hookTemplateChange(object, hook),
    // PUT and delete-and-create are settings too.
    updatesBy: 'apply',
    ...(hook === undefined ? {} : { hook }),
    // Nobody is known to wait, and a wait that does not exist must not be reported.
    removesUndeclared: undefined,
    // Every engine that applies refuses it for a plain object; Argo CD takes it for hooks.
    generateName: 'hooks-only',
    assumed: true,
  }
}

/**
 * Hooks of both families. The Argo CD annotation is read as Argo CD does, the Helm one as Helm
 * does: it claims less, because to Helm an install hook is no ordinary occasion.
 */
function hookOf(object: JsonObject): Hook | undefined {
  if (isCronJob(object)) return undefined
  if (annotationOf(object, ARGO_HOOK) === undefined) {
    const reading = helmHook(object)
    // Without a known policy word Argo CD keeps its default: the answer that claims less.
    return reading.kind === 'hook' ? { ...reading.hook, ...mergedPolicies(object) } : undefined
  }
  const reading = readArgoHook(object)
  if (reading.kind !== 'hook') return undefined
  const routine = reading.phases.some((phase) => ROUTINE.has(phase))
  const runsOn = routine ? 'every full sync' : 'a failed sync or the deletion of the application'
  return {
    annotation: reading.annotation,
    phases: reading.phases,
    runsOn,
    ...(routine ? {} : { onlyOn: runsOn }),
    ...mergedPolicies(object),
    existing: 'reused-or-refused',
  }
}

/** By whose annotations these are; without any, both come to the same. */
function turnOf(object: JsonObject): Turn | undefined {
  const speaksToArgo = [ARGO_HOOK, ARGO_WAVE].some((key) => annotationOf(object, key) !== undefined)
  return speaksToArgo ? argoTurn(object) : helmTurn(object)
}

const ROUTINE: ReadonlySet<string> = new Set(['PreSync', 'Sync', 'PostSync'])
