import { canonicalJson } from '../../../core/canonical-json.ts'
import { sha256Hex } from '../../../core/hash.ts'
import { objectAt, stringAt, type JsonObject } from '../../../core/json.ts'
import type { Io, Trigger } from '../../../cluster/actor.ts'
import type { KubeObject } from '../../../cluster/object.ts'
import { retryAfter, tell, type Round } from './causes.ts'
import { PROVIDERS } from './kinds.ts'
import { isDisabled, providerIntervalMs } from './settings.ts'
import type { Failure, LookUp, Wake } from './state.ts'
import {
  hasFinalizer,
  progressing,
  retrying,
  succeededIn,
  writeFinalizer,
  writeStatus,
} from './status.ts'

/** What comes after a reconcile. */
export type After =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'interval'; readonly ms: number }
  | { readonly kind: 'retry' }
  /** An error that only another spec or other inputs can cure. */
  | { readonly kind: 'terminal' }
  | { readonly kind: 'now' }

/**
 * One reconcile of a ResourceSetInputProvider: what it finds goes to `status.exportedInputs`. A
 * provider that fails keeps what it exported last (trace flux-operator/014).
 */
export function provide(
  provider: KubeObject,
  lookUp: LookUp | undefined,
  round: Round,
  io: Io<Wake>,
): After & { readonly because?: Trigger } {
  if (provider.metadata.deletionTimestamp !== undefined) {
    writeFinalizer(PROVIDERS, provider, false, io)
    return { kind: 'nothing' }
  }
  if (!hasFinalizer(provider)) {
    writeFinalizer(PROVIDERS, provider, true, io)
    writeStatus(PROVIDERS, provider, { conditions: progressing() }, io)
    return { kind: 'retry', because: round.trigger }
  }
  if (isDisabled(provider)) return { kind: 'nothing' }
  const found = inputsFrom(provider, lookUp, io)
  if ('fault' in found) {
    writeStatus(
      PROVIDERS,
      provider,
      { conditions: retrying('ReconciliationFailed', found.fault) },
      io,
    )
    return { kind: 'retry', because: retryAfter(found.fault) }
  }
  const revision = `sha256:${sha256Hex(canonicalJson(found))}`
  const fields = { exportedInputs: found, lastExportedRevision: revision }
  writeStatus(PROVIDERS, provider, { conditions: succeededIn(0), fields }, io)
  if (stringAt(provider, ['status', 'lastExportedRevision']) !== revision) {
    const count = found.length === 1 ? '1 input' : `${found.length} inputs`
    tell(round, { rule: 'O-1', effect: `exported ${count}` }, io)
  }
  // What stands in the spec needs no looking again (trace flux-operator/013).
  if (isStatic(provider)) return { kind: 'nothing' }
  return { kind: 'interval', ms: providerIntervalMs(provider) }
}

function isStatic(provider: KubeObject): boolean {
  return stringAt(provider, ['spec', 'type']) === 'Static'
}

function inputsFrom(
  provider: KubeObject,
  lookUp: LookUp | undefined,
  io: Io<Wake>,
): readonly JsonObject[] | Failure {
  const defaults = objectAt(provider, ['spec', 'defaultValues']) ?? {}
  if (isStatic(provider)) return [{ id: idOf(provider.metadata.uid), ...defaults }]
  const type = stringAt(provider, ['spec', 'type']) ?? ''
  const found = lookUp?.(provider, io.now) ?? {
    fault: `nothing answers for a provider of type ${type}`,
  }
  if ('fault' in found) return found
  return found.map((input) => ({ ...defaults, ...input }))
}

function idOf(text: string): string {
  return String(Number.parseInt(sha256Hex(text).slice(0, 8), 16))
}
