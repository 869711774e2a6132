import type { JsonObject } from '../../../core/json.ts'
import type { Rules } from '../../api/kind.ts'
import { numberOf, objectOf, textOf } from '../complaints.ts'

/** What the checks of one pod spec share. */
export interface PodContext {
  readonly rules: Rules
  readonly spec: JsonObject
  /** A pod itself, not a template of one. */
  readonly isPod: boolean
  /** Of a pod: its name, for volumes that make claims. */
  readonly podName: string
  readonly hostNetwork: boolean
  readonly hostUsers: boolean
  readonly restartPolicy: string
  readonly gracePeriod: number | undefined
  readonly os: string | undefined
  /** Volumes that passed. */
  readonly volumes: Map<string, JsonObject>
  readonly claims: ReadonlySet<string>
}

export function podContext(
  spec: JsonObject,
  options: { readonly rules: Rules; readonly isPod?: boolean; readonly podName?: string },
): PodContext {
  const claims = Array.isArray(spec['resourceClaims'])
    ? (spec['resourceClaims'] as JsonObject[])
    : []
  const os = objectOf(spec, 'os')
  return {
    rules: options.rules,
    spec,
    isPod: options.isPod === true,
    podName: options.podName ?? '',
    hostNetwork: spec['hostNetwork'] === true,
    hostUsers: spec['hostUsers'] !== false,
    restartPolicy: textOf(spec, 'restartPolicy'),
    gracePeriod:
      spec['terminationGracePeriodSeconds'] === undefined
        ? undefined
        : numberOf(spec, 'terminationGracePeriodSeconds'),
    os: os === undefined ? undefined : textOf(os, 'name'),
    volumes: new Map(),
    claims: new Set(claims.map((claim) => textOf(claim, 'name')).filter((name) => name !== '')),
  }
}
