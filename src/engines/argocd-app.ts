import { isTemplated } from '../core/templates.ts'
import {
  at,
  integerAt,
  isObject,
  listAt,
  objectAt,
  stringAt,
  type Json,
  type JsonObject,
  type Path,
} from '../core/json.ts'
import type { Setting } from './engine.ts'
import { commaList, switchAt, type Switch } from './metadata.ts'
import { countOf, readSettings } from './settings.ts'

/** What of an Application decides about Jobs. */
export interface AppPolicy {
  readonly automated: Switch
  readonly selfHeal: Switch
  readonly prune: Switch
  /** Negative: without a limit. Undefined: only rendering knows. */
  readonly retryLimit: number | undefined
  readonly options: ReadonlySet<string>
  readonly ignoreDifferences: readonly Json[]
  /** What makes it compare by dry runs on the API server, for a sentence; unless it is forbidden. */
  readonly serverSideDiff?: string
  /** Set when the Application is not processed at all. */
  readonly paused?: string
}

/** Automated syncs retry five times when nobody wrote a retry block. */
const AUTOMATED_RETRIES = 5

/** An ApplicationSet carries the Application in its template. */
function specPath(carrier: JsonObject | undefined): Path {
  return carrier?.['kind'] === 'ApplicationSet' ? ['spec', 'template', 'spec'] : ['spec']
}

export function readApp(carrier: JsonObject | undefined): AppPolicy {
  const spec = specPath(carrier)
  const policy = [...spec, 'syncPolicy']
  const automated = automatedOf(carrier, [...policy, 'automated'])
  const annotations = [...spec.slice(0, -1), 'metadata', 'annotations']
  const paused = stringAt(carrier, [...annotations, 'argocd.argoproj.io/skip-reconcile']) === 'true'
  const serverSideDiff = serverSideDiffOf(carrier, { annotations, policy })
  return {
    automated,
    selfHeal: uncertain(carrier, switchAt(carrier, [...policy, 'automated', 'selfHeal'])),
    prune: uncertain(carrier, switchAt(carrier, [...policy, 'automated', 'prune'])),
    retryLimit: retryLimitOf(carrier, policy, automated),
    options: new Set(
      listAt(carrier, [...policy, 'syncOptions']).filter((option) => typeof option === 'string'),
    ),
    ignoreDifferences: listAt(carrier, [...spec, 'ignoreDifferences']),
    ...(serverSideDiff === undefined ? {} : { serverSideDiff }),
    ...(paused ? { paused: 'the Application is not reconciled (skip-reconcile)' } : {}),
  }
}

/** ServerSideApply switches it on too, since 3.6 (traces argocd/037, 094, 115). */
function serverSideDiffOf(
  carrier: JsonObject | undefined,
  { annotations, policy }: { readonly annotations: Path; readonly policy: Path },
): string | undefined {
  const key = 'argocd.argoproj.io/compare-options'
  const compare = commaList(stringAt(carrier, [...annotations, key]) ?? '')
  if (compare.includes('ServerSideDiff=false') || compare.some(isTemplated)) return undefined
  if (compare.includes('ServerSideDiff=true')) return 'ServerSideDiff=true'
  const applies = listAt(carrier, [...policy, 'syncOptions']).includes('ServerSideApply=true')
  return applies ? 'ServerSideApply=true' : undefined
}

/** An empty block switches it on, `enabled: false` off again. */
function automatedOf(carrier: JsonObject | undefined, path: Path): Switch {
  if (carrier === undefined) return 'unknown'
  const block = at(carrier, path)
  if (block === undefined || block === null) return uncertain(carrier, 'off')
  if (!isObject(block)) return 'unknown'
  const enabled = block['enabled']
  if (enabled === false) return uncertain(carrier, 'off')
  return uncertain(carrier, enabled === undefined || enabled === true ? 'on' : 'unknown')
}

/** A templatePatch that touches the sync policy may say anything about it. */
function uncertain(carrier: JsonObject | undefined, found: Switch): Switch {
  const patch = stringAt(carrier, ['spec', 'templatePatch']) ?? ''
  return /syncPolicy|automated|selfHeal|prune/.test(patch) ? 'unknown' : found
}

/** A written retry block without a limit means no retry. */
function retryLimitOf(
  carrier: JsonObject | undefined,
  policy: Path,
  automated: Switch,
): number | undefined {
  const retry = at(carrier, [...policy, 'retry'])
  if (isObject(retry)) {
    const limit = retry['limit']
    return limit === undefined || limit === null ? 0 : integerAt(limit, [])
  }
  if (automated === 'unknown') return undefined
  return automated === 'on' ? AUTOMATED_RETRIES : 0
}

export function argocdSettings(carrier: JsonObject | undefined): readonly Setting[] {
  if (carrier === undefined) return []
  const spec = specPath(carrier)
  const policy = [...spec, 'syncPolicy']
  const automated = [...policy, 'automated']
  const { automated: state, retryLimit } = readApp(carrier)
  const written = objectAt(carrier, automated) !== undefined
  return [
    {
      name: 'automated',
      value: state === 'unknown' ? 'decided by a template' : String(state === 'on'),
      ...(written ? { path: automated } : {}),
    },
    ...readSettings(carrier, [
      { name: 'enabled', path: [...automated, 'enabled'] },
      { name: 'prune', path: [...automated, 'prune'], preset: 'false' },
      { name: 'selfHeal', path: [...automated, 'selfHeal'], preset: 'false' },
      { name: 'allowEmpty', path: [...automated, 'allowEmpty'], preset: 'false' },
      {
        name: 'retry.limit',
        path: [...policy, 'retry', 'limit'],
        ...(retryLimit === undefined ? {} : { preset: String(retryLimit) }),
      },
      { name: 'retry.refresh', path: [...policy, 'retry', 'refresh'], preset: 'false' },
      { name: 'ignoreDifferences', path: [...spec, 'ignoreDifferences'], show: countOf },
    ]),
    ...optionSettings(carrier, [...policy, 'syncOptions']),
  ]
}

/** Each sync option is a setting of its own: `Replace`, `ApplyOutOfSyncOnly` ... */
function optionSettings(carrier: JsonObject, path: Path): readonly Setting[] {
  return listAt(carrier, path).flatMap((option, index) => {
    if (typeof option !== 'string') return []
    const [, name = option, value = ''] = /^([^=]*)=(.*)$/.exec(option) ?? []
    return [{ name, value, path: [...path, index] }]
  })
}
