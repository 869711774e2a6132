import { historyOf } from '../helm/storage.ts'
import type { Release } from '../helm/contract.ts'
import type { Event } from './choose.ts'
import type { Context } from './context.ts'
import type { Run } from './state.ts'

/** The stored revisions of the release that a HelmRelease has made or would make, oldest first. */
export function storedOf({ io }: Context, { status, settings }: Run): readonly Release[] {
  const [current] = status.history
  const { name, namespace } = current ?? {
    name: settings.releaseName,
    namespace: settings.releaseNamespace,
  }
  return historyOf(io, namespace, name)
}

export function tell({ io }: Context, { object }: Run, event: Event | undefined): void {
  if (event === undefined) return
  io.event(object, event.type, event.reason, event.message)
}
