import type { JsonObject } from '../../../core/json.ts'
import type { Io } from '../../../cluster/actor.ts'
import type { ActionInput, ActionPorts, ActionState } from './contract.ts'
import { kindOf } from './manifest.ts'
import {
  foreignness,
  isSame,
  liveOf,
  NAMELESS,
  targetsOf,
  withOwner,
  type Target,
} from './objects.ts'
import type { Refused } from './start.ts'

/**
 * H-11: what is there already and is not in the current manifest belongs to this release, is taken
 * over because the user says so, or stops the action.
 */
export function adoptable(
  { input, release }: ActionState,
  current: readonly JsonObject[],
  io: Io<never>,
  ports: ActionPorts,
): { readonly objects: readonly JsonObject[] } | Refused {
  const { namespace, action, version } = input
  const built = targetsOf(release.manifest, namespace, io, ports)
  const before = targetsOf(current, namespace, io, ports)
  const faulty = 'fault' in built ? built : 'fault' in before ? before : undefined
  if (faulty !== undefined) return { refused: unbuilt(input, faulty.fault) }
  const olds = before as readonly Target[]
  const objects: JsonObject[] = []
  const unable = `${version.major === 3 ? 'U' : 'u'}nable to continue with`
  const start = `${unable} ${action === 'install' ? 'install' : 'update'}`
  for (const target of built as readonly Target[]) {
    const isOld = target.name !== '' && olds.some((old) => isSame(old, target))
    if (isOld) continue
    const where = `${kindOf(target.object)} "${target.name}" in namespace "${target.namespace ?? ''}"`
    if (target.name === '') {
      // Helm 4 finds out when it applies.
      if (version.major === 4) continue
      const what = `could not get information about the resource ${where}: ${NAMELESS}`
      return { refused: `${start}: ${what}` }
    }
    const live = liveOf(target, io)
    if (live === undefined) continue
    const foreign = foreignness(live, input.release, namespace)
    if (foreign !== undefined && input.options.takeOwnership !== true) {
      const why = `exists and cannot be imported into the current release: ${foreign}`
      return { refused: `${start}: ${where} ${why}` }
    }
    objects.push(withOwner(target.object, input.release, namespace))
  }
  return { objects }
}

function unbuilt({ action }: ActionInput, fault: string): string {
  const what = action === 'install' ? 'release' : 'new release'
  return `unable to build kubernetes objects from ${what} manifest: ${fault}`
}
