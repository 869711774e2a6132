import { isList, isObject, objectAt, type Json, type JsonObject } from '../core/json.ts'
import { keyedMerge } from './merge.ts'
import type { JobScope } from './scope.ts'

const ARGO_HOOK = 'argocd.argoproj.io/hook'
const ARGO_WAVE = 'argocd.argoproj.io/sync-wave'
const ARGO_POLICY = 'argocd.argoproj.io/hook-delete-policy'
const HELM_HOOK = 'helm.sh/hook'
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
  return isList(value) ? value.map(String).join(',') : String(value)
}

export function hasHook(scope: JobScope): boolean {
  return Object.keys(hookOf(scope, 'argocd')).length + Object.keys(hookOf(scope, 'helm')).length > 0
}

/** The hook events of Helm, from whatever source; empty when Helm takes it for no hook. */
export function helmHook(annotations: JsonObject): string {
  return String(annotations[HELM_HOOK] ?? '').trim()
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
 */
export function argoPolicies(annotations: JsonObject): ArgoPolicies {
  const words = [ARGO_POLICY, HELM_POLICY].flatMap((key) => wordsIn(annotations[key]))
  const known = words.filter((word) => KNOWN.has(plain(word)))
  const isHook = [ARGO_HOOK, HELM_HOOK].some((key) => wordsIn(annotations[key]).length > 0)
  const isDefault = isHook && known.length === 0
  const bad = known.filter((word) => plain(word) !== 'hookfailed')
  return {
    written: isDefault ? 'BeforeHookCreation' : bad.join(','),
    replaces: isDefault || known.some((word) => plain(word) === 'beforehookcreation'),
    deletesOnSuccess: known.some((word) => plain(word) === 'hooksucceeded'),
    isDefault,
  }
}

const KNOWN: ReadonlySet<string> = new Set(['hooksucceeded', 'hookfailed', 'beforehookcreation'])

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
