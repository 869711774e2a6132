import { isTemplated } from '../core/templates.ts'
import type { JsonObject } from '../core/json.ts'
import type { DeletePolicy } from './engine.ts'
import { annotationOf, commaList } from './metadata.ts'

export const ARGO_HOOK = 'argocd.argoproj.io/hook'
export const ARGO_POLICY = 'argocd.argoproj.io/hook-delete-policy'
export const HELM_HOOK = 'helm.sh/hook'
export const HELM_POLICY = 'helm.sh/hook-delete-policy'

/**
 * What an engine makes of the hook annotations. `none`: a plain object. `ignored`: not applied at
 * all. `unknown`: only rendering can tell, so it is a hook or nothing.
 */
export type HookReading =
  | { readonly kind: 'none' }
  | { readonly kind: 'ignored'; readonly why: string }
  | { readonly kind: 'unknown'; readonly annotation: HookAnnotation; readonly text: string }
  | {
      readonly kind: 'hook'
      readonly annotation: HookAnnotation
      readonly phases: readonly string[]
    }

export type HookAnnotation = typeof ARGO_HOOK | typeof HELM_HOOK

/** The occasion of a hook whose event is templated. */
export const UNRENDERED = 'what rendering decides'

export interface Policies {
  readonly deletePolicies: readonly DeletePolicy[]
  /** Empty when the default holds. */
  readonly policyAnnotations: readonly string[]
}

const HELM_EVENTS: ReadonlySet<string> = new Set([
  'pre-install',
  'post-install',
  'pre-upgrade',
  'post-upgrade',
  'pre-rollback',
  'post-rollback',
  'pre-delete',
  'post-delete',
  'test',
])

const ARGO_TYPES: ReadonlySet<string> = new Set([
  'PreSync',
  'Sync',
  'PostSync',
  'SyncFail',
  'PreDelete',
  'PostDelete',
])

const ARGO_FROM_HELM: ReadonlyMap<string, string> = new Map<string, string>([
  ['pre-install', 'PreSync'],
  ['pre-upgrade', 'PreSync'],
  ['post-install', 'PostSync'],
  ['post-upgrade', 'PostSync'],
  ['pre-delete', 'PreDelete'],
  ['post-delete', 'PostDelete'],
])

const HELM_POLICIES: ReadonlyMap<string, DeletePolicy> = new Map<string, DeletePolicy>([
  ['before-hook-creation', 'before-hook-creation'],
  ['hook-succeeded', 'hook-succeeded'],
  ['hook-failed', 'hook-failed'],
])

/** `Never` is known to newer versions only; whoever writes it has one, and it deletes nothing. */
const ARGO_POLICIES: ReadonlyMap<string, DeletePolicy | 'never'> = new Map<
  string,
  DeletePolicy | 'never'
>([
  ['BeforeHookCreation', 'before-hook-creation'],
  ['HookSucceeded', 'hook-succeeded'],
  ['HookFailed', 'hook-failed'],
  ['Never', 'never'],
])

/**
 * Helm and all that embed it: one word that Helm does not know, and the whole manifest is left
 * out. Words in any case; `test-success` is the old name of `test`.
 */
export function readHelmHook(object: JsonObject): HookReading {
  const text = annotationOf(object, HELM_HOOK)
  if (text === undefined) return { kind: 'none' }
  if (isTemplated(text)) return { kind: 'unknown', annotation: HELM_HOOK, text }
  const words = text
    .split(',')
    .map((word) => word.trim().toLowerCase())
    .map((word) => (word === 'test-success' ? 'test' : word))
  const strange = words.find((word) => !HELM_EVENTS.has(word))
  if (strange !== undefined) {
    return { kind: 'ignored', why: `Helm knows no hook '${strange}' and leaves the object out` }
  }
  return { kind: 'hook', annotation: HELM_HOOK, phases: [...new Set(words)] }
}

/**
 * Argo CD (A-31, trace argocd/025): words in their exact case, unknown ones are passed over, and
 * an object without one known word is left out. Its own annotation wins over Helm's types.
 */
export function readArgoHook(object: JsonObject): HookReading {
  const own = annotationOf(object, ARGO_HOOK)
  const helm = annotationOf(object, HELM_HOOK)
  if (own === undefined && (helm === undefined || helm === 'crd-install')) return { kind: 'none' }
  if (own !== undefined) {
    if (isTemplated(own)) return { kind: 'unknown', annotation: ARGO_HOOK, text: own }
    const words = commaList(own)
    const phases = words.filter((word) => ARGO_TYPES.has(word))
    if (phases.length > 0) {
      return { kind: 'hook', annotation: ARGO_HOOK, phases: [...new Set(phases)] }
    }
    if (words.includes('Skip')) return { kind: 'ignored', why: `${ARGO_HOOK} is Skip` }
  }
  if (helm !== undefined && isTemplated(helm)) {
    return { kind: 'unknown', annotation: HELM_HOOK, text: helm }
  }
  const mapped = commaList(helm ?? '').flatMap((word) => ARGO_FROM_HELM.get(word) ?? [])
  if (mapped.length > 0) {
    return { kind: 'hook', annotation: HELM_HOOK, phases: [...new Set(mapped)] }
  }
  const [key, value] = own === undefined ? [HELM_HOOK, helm] : [ARGO_HOOK, own]
  return { kind: 'ignored', why: `Argo CD knows no hook in ${key}: ${value}` }
}

/**
 * Helm's default gives way to any list, even to one without a known word (H-3). An item that only
 * rendering knows may be before-hook-creation, so that is taken to be there: it claims least.
 */
export function helmPolicies(object: JsonObject): Policies {
  const text = annotationOf(object, HELM_POLICY)
  if (text === undefined) return DEFAULT_POLICIES
  const words = text.split(',').map((word) => word.trim().toLowerCase())
  const known = words.flatMap((word) => HELM_POLICIES.get(word) ?? [])
  return policies([...known, ...unrendered(text)], [HELM_POLICY])
}

/** Argo CD merges both families and falls back to its default without a known word. */
export function mergedPolicies(object: JsonObject): Policies {
  const families = [
    [ARGO_POLICY, ARGO_POLICIES],
    [HELM_POLICY, HELM_POLICIES],
  ] as const
  const found: DeletePolicy[] = []
  const annotations: string[] = []
  for (const [key, table] of families) {
    const text = annotationOf(object, key) ?? ''
    const known = [...commaList(text).flatMap((word) => table.get(word) ?? []), ...unrendered(text)]
    if (known.length === 0) continue
    annotations.push(key)
    found.push(...known.filter((policy) => policy !== 'never'))
  }
  return annotations.length === 0 ? DEFAULT_POLICIES : policies(found, annotations)
}

const DEFAULT_POLICIES: Policies = {
  deletePolicies: ['before-hook-creation'],
  policyAnnotations: [],
}

function policies(found: readonly DeletePolicy[], policyAnnotations: readonly string[]): Policies {
  return { deletePolicies: [...new Set(found)], policyAnnotations }
}

function unrendered(text: string): readonly DeletePolicy[] {
  return isTemplated(text) ? ['before-hook-creation'] : []
}
