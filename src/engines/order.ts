import type { JsonObject } from '../core/json.ts'
import type { Turn } from './engine.ts'
import { HELM_HOOK, readArgoHook, readHelmHook } from './hooks.ts'
import { annotationOf } from './metadata.ts'

export const ARGO_WAVE = 'argocd.argoproj.io/sync-wave'
const WEIGHT = 'helm.sh/hook-weight'

/**
 * Argo CD: phase, then wave, then kind. Waves hold for hooks and for ordinary objects; a
 * Helm weight counts where no wave is written.
 */
export function argoTurn(object: JsonObject): Turn | undefined {
  const reading = readArgoHook(object)
  const key = [ARGO_WAVE, WEIGHT].find((name) => annotationOf(object, name) !== undefined)
  const wave = wholeNumber(key === undefined ? undefined : annotationOf(object, key))
  if (wave === undefined || reading.kind === 'unknown' || reading.kind === 'ignored') {
    return undefined
  }
  const [phase] = reading.kind === 'none' ? ['Sync'] : ARGO_ORDER.filter(isIn(reading.phases))
  if (phase === undefined) return undefined
  return {
    phase: phase === 'PreSync' ? 'before' : phase === 'PostSync' ? 'after' : 'with',
    wave,
    words: `${phase}, wave ${wave}`,
    ...(key === undefined ? {} : { annotation: key }),
  }
}

/**
 * Helm (H-1, H-2): at an installation the pre-install hooks by weight, then all ordinary objects
 * at once, then the post-install hooks. A hook without an install event has no turn.
 */
export function helmTurn(object: JsonObject): Turn | undefined {
  const reading = readHelmHook(object)
  if (reading.kind === 'none') {
    return { phase: 'with', wave: 0, words: 'an ordinary object' }
  }
  if (reading.kind !== 'hook') return undefined
  const [event] = HELM_ORDER.filter(isIn(reading.phases))
  const weight = wholeNumber(annotationOf(object, WEIGHT))
  if (event === undefined || weight === undefined) return undefined
  return {
    phase: event === 'pre-install' ? 'before' : 'after',
    wave: weight,
    words: `${event}, weight ${weight}`,
    annotation: HELM_HOOK,
  }
}

/** Whether one comes after the other for certain; equal turns say nothing. */
export function isLater(one: Turn, than: Turn): boolean {
  if (one.phase === than.phase) return one.wave > than.wave
  return PHASES.indexOf(one.phase) > PHASES.indexOf(than.phase)
}

const PHASES: readonly Turn['phase'][] = ['before', 'with', 'after']

const ARGO_ORDER = ['PreSync', 'Sync', 'PostSync']
const HELM_ORDER = ['pre-install', 'post-install']

function isIn(phases: readonly string[]): (phase: string) => boolean {
  return (phase) => phases.includes(phase)
}

/** Nothing is 0; text that is no number, or that only rendering knows, says nothing. */
function wholeNumber(text: string | undefined): number | undefined {
  if (text === undefined) return 0
  return /^[-+]?\d{1,9}$/.test(text.trim()) ? Number(text) : undefined
}
