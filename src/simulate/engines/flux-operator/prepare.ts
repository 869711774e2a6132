import { canonicalJson } from '../../../core/canonical-json.ts'
import { sha256Hex } from '../../../core/hash.ts'
import { listAt } from '../../../core/json.ts'
import type { Io } from '../../../cluster/actor.ts'
import type { KubeObject } from '../../../cluster/object.ts'
import { desiredOf, watchKey, type Identity } from '../kustomize-controller/objects.ts'
import type { KindFinder } from '../kinds.ts'
import { inventoryOf } from './apply.ts'
import { build } from './build.ts'
import { finish } from './configs.ts'
import { inputsOf } from './inputs.ts'
import { PROVIDERS } from './kinds.ts'
import type { Operator } from './schedule.ts'
import { settingsOf } from './settings.ts'
import type { Failure, Run, Step, Wake } from './state.ts'

const MOST_STEPS = 20

export interface Prepared {
  readonly run: Run
  /** ConfigMaps and Secrets outside of the set that it reads, by watch key. */
  readonly external: ReadonlySet<string>
  /** Everything that the next reconcile reads, by watch key. */
  readonly watched: ReadonlySet<string>
  /** A reference that cannot be read: no error of the build, it is tried again. */
  readonly refused?: string
}

/** O-4: from inputs to the objects of each step; without any input there is nothing (O-5). */
export function prepare(
  { find, options }: Operator,
  set: KubeObject,
  run: Run,
  io: Io<Wake>,
): Prepared | Failure {
  const count = listAt(set, ['spec', 'steps']).length
  if (count > MOST_STEPS) {
    return { fault: `build failed: ${count} steps, at most ${MOST_STEPS} are allowed` }
  }
  const inputs = inputsOf(set, io.read)
  if (inputs !== undefined && 'fault' in inputs) {
    return { fault: `failed to compute inputs: ${inputs.fault}` }
  }
  const built = inputs?.length === 0 ? [] : build(set, inputs, options.fullParser)
  if ('fault' in built) return { fault: `build failed: ${built.fault}` }
  const written = built.flatMap(({ objects }) => objects)
  const finished = finish(written, set, io.read)
  const refused = 'fault' in finished ? { refused: finished.fault } : {}
  const objects = 'fault' in finished ? written : finished.objects
  const external = 'fault' in finished ? [] : finished.external
  const { timeoutMs: preset } = settingsOf(set)
  const steps: Step[] = []
  let from = 0
  for (const {
    name,
    timeoutMs = preset,
    objects: { length },
  } of built) {
    const own = objects.slice(from, from + length)
    from += length
    steps.push({ name, timeoutMs, objects: own.map((one) => desiredOf(one, find, io)) })
  }
  const digest = `sha256:${sha256Hex(canonicalJson(objects))}`
  const prepared: Run = { ...run, steps, digest, old: inventoryOf(set) }
  const watched = watchedBy(set, prepared, find, io)
  for (const key of external) watched.add(key)
  return { run: prepared, external: new Set(external), watched, ...refused }
}

function watchedBy(
  set: KubeObject,
  { steps, old }: Run,
  find: KindFinder,
  io: Io<Wake>,
): Set<string> {
  const objects: readonly Identity[] = [...steps.flatMap((step) => step.objects), ...old]
  const watched = watchKeysOf([...objects, ...settingsOf(set).dependsOn], find, io)
  if (listAt(set, ['spec', 'inputsFrom']).length === 0) return watched
  for (const { metadata } of io.read.list(PROVIDERS, set.metadata.namespace ?? '')) {
    const { namespace, name } = metadata
    watched.add(watchKey(PROVIDERS.group, PROVIDERS.resource, namespace, name))
  }
  return watched
}

export function watchKeysOf(
  objects: readonly Identity[],
  find: KindFinder,
  io: Io<Wake>,
): Set<string> {
  const keys = new Set<string>()
  for (const { apiVersion, kind, namespace, name } of objects) {
    const served = find(apiVersion, kind, io.read)
    if (served === undefined) continue
    const place = served.namespaced ? namespace : undefined
    keys.add(watchKey(served.group, served.resource, place, name))
  }
  return keys
}
