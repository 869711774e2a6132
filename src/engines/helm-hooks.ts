import type { JsonObject } from '../core/json.ts'
import type { Hook } from './engine.ts'
import { HELM_HOOK, helmPolicies, readHelmHook, UNRENDERED, type HookReading } from './hooks.ts'

const NOUNS: readonly (readonly [suffix: string, noun: string])[] = [
  ['-install', 'install'],
  ['-upgrade', 'upgrade'],
  ['-rollback', 'rollback'],
  ['-delete', 'uninstall'],
  ['test', 'test run'],
]

export interface HelmHooks {
  /** Events that this engine never runs, e.g. because its hooks are switched off. */
  readonly without?: (event: string) => boolean
  /** Further occasions that are ordinary here: rollbacks that correct drift. */
  readonly ordinary?: readonly string[]
}

export type HelmHookReading =
  | Exclude<HookReading, { kind: 'hook' } | { kind: 'unknown' }>
  | { readonly kind: 'hook'; readonly hook: Hook }

/**
 * Chart hooks as Helm and all that embed it run them: with the command, whatever changed (H-1).
 * A kept Job of the last run: Helm 3 refuses the create; with server-side apply (Helm 4 and so
 * helm-controller and Fleet) an equal one passes without a run and another one is refused as
 * immutable (traces helm/031, helm-controller/014, 015).
 */
export function helmHook(
  object: JsonObject,
  { without = () => false, ordinary = [] }: HelmHooks = {},
): HelmHookReading {
  const reading = readHelmHook(object)
  if (reading.kind === 'unknown')
    return { kind: 'hook', hook: unrenderedHook(object, reading.text) }
  if (reading.kind !== 'hook') return reading
  const phases = reading.phases.filter((event) => !without(event))
  if (phases.length === 0) {
    return { kind: 'ignored', why: `${reading.phases.join(', ')} hooks are switched off here` }
  }
  const nouns = NOUNS.filter(([suffix]) => phases.some((event) => event.endsWith(suffix)))
  const occasions = nouns.map(([, noun]) => noun)
  const routine = occasions.some((noun) => noun === 'upgrade' || ordinary.includes(noun))
  const joined = occasions.join(' and ')
  return {
    kind: 'hook',
    hook: {
      annotation: HELM_HOOK,
      phases,
      runsOn: `every ${joined}`,
      ...(routine ? {} : { onlyOn: joined }),
      ...helmPolicies(object),
      existing: 'reused-or-refused',
    },
  }
}

/** A hook of some event, or an object that Helm leaves out: no occasion is claimed. */
function unrenderedHook(object: JsonObject, text: string): Hook {
  return {
    annotation: HELM_HOOK,
    phases: [text],
    runsOn: UNRENDERED,
    onlyOn: UNRENDERED,
    ...helmPolicies(object),
    existing: 'reused-or-refused',
  }
}
