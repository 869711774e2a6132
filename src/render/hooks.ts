import { isList, isObject, objectAt, stringAt, type Json, type JsonObject } from '../core/json.ts'
import { keyedMerge } from './merge.ts'
import type { JobScope } from './scope.ts'

export const ARGO_HOOK = 'argocd.argoproj.io/hook'
const ARGO_WAVE = 'argocd.argoproj.io/sync-wave'
export const ARGO_POLICY = 'argocd.argoproj.io/hook-delete-policy'
export const HELM_HOOK = 'helm.sh/hook'
const HELM_WEIGHT = 'helm.sh/hook-weight'
const HELM_POLICY = 'helm.sh/hook-delete-policy'
export const INTENT = 'semel.dev/intent'

/** Annotations of the object, but for the intent; later ones win, null takes away. */
export function annotationsOf(scope: JobScope): JsonObject {
  const { root, group, job, kind } = scope
  const { [INTENT]: _, ...merged } = keyedMerge([
    sorted(root['commonAnnotations']),
    kind === 'Job' ? hookAnnotations(scope) : {},
    sorted(group['metadataAnnotations']),
    sorted(job['metadataAnnotations']),
  ])
  return merged
}

function sorted(map: Json | undefined): Json | undefined {
  if (!isObject(map)) return map
  return Object.fromEntries(Object.entries(map).sort(([one], [other]) => (one < other ? -1 : 1)))
}

function hookAnnotations(scope: JobScope): JsonObject {
  const argo = hookOf(scope, 'argocd')
  const helm = hookOf(scope, 'helm')
  const policy = argo['deletePolicy'] ?? (argo['hook'] === undefined ? undefined : 'HookFailed')
  const all = {
    [ARGO_HOOK]: argo['hook'],
    [ARGO_WAVE]: argo['syncWave'],
    [ARGO_POLICY]: policy,
    [HELM_HOOK]: helm['hook'],
    [HELM_WEIGHT]: helm['weight'],
    [HELM_POLICY]: helm['deletePolicy'],
  }
  return Object.fromEntries(
    Object.entries(all).flatMap(([key, value]) =>
      value === undefined || value === null ? [] : [[key, textOf(value)]],
    ),
  )
}

function hookOf({ group, job }: JobScope, tool: 'argocd' | 'helm'): JsonObject {
  const at = ({ hooks }: JsonObject): Json | undefined => {
    if (hooks === null) return null
    return objectAt(hooks, [tool]) ?? (isObject(hooks) && hooks[tool] === null ? null : undefined)
  }
  return keyedMerge([at(group), at(job)])
}

/** Annotations are text, also of waves and lists. */
function textOf(value: Json): string {
  if (isList(value)) return value.map(textOf).join(',')
  return isObject(value) ? '' : String(value)
}

export function hasHook(scope: JobScope): boolean {
  return Object.keys(hookOf(scope, 'argocd')).length + Object.keys(hookOf(scope, 'helm')).length > 0
}

/** The hook events of Helm, from whatever source; empty when Helm takes it for no hook. */
export function helmHook(annotations: JsonObject): string {
  return (stringAt(annotations, [HELM_HOOK]) ?? '').trim()
}

export interface ArgoPolicies {
  /** As they are written, for a message. */
  readonly written: string
  readonly replaces: boolean
  readonly deletesOnSuccess: boolean
  /** Nobody has written one, and Argo CD's own default counts. */
  readonly isDefault: boolean
}

/**
 * What Argo CD will do with the object at a sync, from the final annotations. It also reads
 * Helm's policies, leaves out words that it does not know, and without any word replaces hooks.
 * A word that does harm counts in any spelling, one that does none only as Argo CD spells it.
 */
export function argoPolicies(annotations: JsonObject): ArgoPolicies {
  const argo = wordsIn(annotations[ARGO_POLICY])
  const helm = wordsIn(annotations[HELM_POLICY])
  const isHook = [ARGO_HOOK, HELM_HOOK].some((key) => wordsIn(annotations[key]).length > 0)
  const isKnown =
    argo.some((word) => ARGO_WORDS.has(word)) || helm.some((word) => HELM_WORDS.has(word))
  const bad = [...argo, ...helm].filter((word) => HARMFUL.has(plain(word)))
  const isDefault = isHook && !isKnown
  return {
    written: bad.length > 0 ? bad.join(',') : 'BeforeHookCreation',
    replaces: isDefault || bad.some((word) => plain(word) === 'beforehookcreation'),
    deletesOnSuccess: bad.some((word) => plain(word) === 'hooksucceeded'),
    isDefault: isDefault && bad.length === 0,
  }
}

/** `Never` is known to newer versions only; whoever writes it has one. */
const ARGO_WORDS: ReadonlySet<string> = new Set([
  'HookSucceeded',
  'HookFailed',
  'BeforeHookCreation',
  'Never',
])
const HELM_WORDS: ReadonlySet<string> = new Set([
  'hook-succeeded',
  'hook-failed',
  'before-hook-creation',
])
const HARMFUL: ReadonlySet<string> = new Set(['hooksucceeded', 'beforehookcreation'])

function wordsIn(value: Json | undefined): readonly string[] {
  if (typeof value !== 'string') return []
  return value
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')
}

/** `HookSucceeded` and `hook-succeeded` are one word. */
function plain(word: string): string {
  return word.toLowerCase().replaceAll(/[-_]/g, '')
}
