import type { JsonObject } from '../core/json.ts'
import type { Hook, Traits } from './engine.ts'
import { isCronJob, type Switch } from './metadata.ts'

/** The engine leaves the object alone, so nothing else of it is claimed. */
export function leftAlone(
  why: string | Thrown,
  rule: string,
  generateName: Traits['generateName'],
): Traits {
  return {
    applies: false,
    ...(typeof why === 'string' ? { appliesNot: why } : why),
    restoresAbsent: { when: 'never', rule },
    templateChange: 'skipped',
    updatesBy: 'apply',
    removesUndeclared: false,
    generateName,
    assumed: false,
  }
}

/** Why an object is left alone, for a switch that is on or may be. */
export function thrown(what: string, found: 'on' | 'unknown'): Thrown {
  if (found === 'on') return { appliesNot: what }
  return { appliesNot: `${what}, or not: a template decides`, mayApply: true }
}

export type Thrown = Required<Pick<Traits, 'appliesNot'>> & Pick<Traits, 'mayApply'>

/** A Job's pod template is immutable, a CronJob's is patched for its later Jobs (K, 1.2). */
export function templateChangeOf(
  object: JsonObject,
  ofJob: 'refused' | 'recreates',
): Traits['templateChange'] {
  return isCronJob(object) ? 'patched' : ofJob
}

/** A hook whose old object is deleted first runs with the new template. */
export function hookTemplateChange(object: JsonObject, hook: Hook): Traits['templateChange'] {
  return hook.deletePolicies.includes('before-hook-creation')
    ? 'recreates'
    : templateChangeOf(object, 'refused')
}

/** `kept`: a mark of the object keeps it. Undefined where only rendering can tell. */
export function removedUnless(kept: Switch): boolean | undefined {
  return kept === 'unknown' ? undefined : kept === 'off'
}
