import type { JsonObject } from '../../../core/json.ts'
import type { Io } from '../../../cluster/actor.ts'
import type { Kind } from '../../../cluster/api/kind.ts'
import { liveFunctions } from '../../go-template/live.ts'
import { valueOf } from '../../go-template/sprig.ts'
import { adoptable } from './adopt.ts'
import { createAll } from './apply.ts'
import type { ActionInput, ActionPorts, ActionState, Release } from './contract.ts'
import { rendered, type Rendered } from './manifest.ts'
import { liveOf, targetsOf } from './objects.ts'
import { applyingOf } from './options.ts'
import { prepareRollback, prepareTest, prepareUninstall } from './prepare-more.ts'
import { hookStage, save, serverSideOf, stateOf, withMethod, type Refused } from './start.ts'
import { deployedOf, historyOf, lastOf, store } from './storage.ts'

const IN_PROGRESS = 'another operation (install/upgrade/rollback) is in progress'

export function prepare(
  input: ActionInput,
  io: Io<never>,
  ports: ActionPorts,
): ActionState | Refused {
  const history = historyOf(io, input.namespace, input.release)
  switch (input.action) {
    case 'install':
      return prepareInstall(input, history, io, ports)
    case 'upgrade':
      return prepareUpgrade(input, history, io, ports)
    case 'rollback':
      return prepareRollback(input, history, io)
    case 'uninstall':
      return prepareUninstall(input, history)
    case 'test':
    default:
      return prepareTest(input, history)
  }
}

function prepareInstall(
  input: ActionInput,
  history: readonly Release[],
  io: Io<never>,
  ports: ActionPorts,
): ActionState | Refused {
  const last = lastOf(history)
  const isFree = last === undefined || last.status === 'uninstalled' || last.status === 'failed'
  if (last !== undefined && !(isFree && input.options.replace === true)) {
    const word = input.version.major === 3 ? 're-use' : 'reuse'
    return { refused: `cannot ${word} a name that is still in use` }
  }
  const version = (last?.version ?? 0) + 1
  const chart = renderedFor(input, { version, isInstall: true }, io, ports)
  if ('refused' in chart) return chart
  const { serverSide = true } = input.options
  const isServerSide = input.version.major === 4 && serverSide !== false
  const release = newRelease(input, version, chart, isServerSide, {
    status: 'pending-install',
    description: 'Initial install underway',
  })
  const state = stateOf(input, release, [
    ...hookStage(input, 'pre-install'),
    { do: 'apply' },
    { do: 'wait' },
    ...hookStage(input, 'post-install'),
    { do: 'finish' },
  ])
  const ready = { ...state, serverSide: isServerSide }
  if (input.options.skipCrds !== true) createDefinitions(ready, chart.crds, io, ports)
  const adopted = adoptable(ready, [], io, ports)
  if ('refused' in adopted) return adopted
  if (last !== undefined) store(io, { ...last, status: 'superseded' })
  save(input, history, release, io)
  return { ...ready, adopted: adopted.objects }
}

/** Those that are there already are left as they are. */
function createDefinitions(
  state: ActionState,
  crds: readonly JsonObject[],
  io: Io<never>,
  ports: ActionPorts,
): void {
  const targets = targetsOf(crds, state.input.namespace, io, ports)
  if ('fault' in targets) return
  const absent = targets.filter((target) => liveOf(target, io) === undefined)
  createAll(absent, applyingOf(state), io)
}

function prepareUpgrade(
  input: ActionInput,
  history: readonly Release[],
  io: Io<never>,
  ports: ActionPorts,
): ActionState | Refused {
  const last = lastOf(history)
  if (last?.status.startsWith('pending-') === true) return { refused: IN_PROGRESS }
  const current = last === undefined ? undefined : currentOf(last, history)
  if (last === undefined || current === undefined) {
    return { refused: `"${input.release}" has no deployed releases` }
  }
  const version = last.version + 1
  const chart = renderedFor(input, { version, isInstall: false }, io, ports)
  if ('refused' in chart) return chart
  const isServerSide = serverSideOf(input, last)
  const release = newRelease(input, version, chart, isServerSide, {
    status: 'pending-upgrade',
    description: 'Preparing upgrade',
  })
  const state: ActionState = {
    ...stateOf(input, release, [
      ...hookStage(input, 'pre-upgrade'),
      { do: 'apply' },
      { do: 'wait' },
      ...hookStage(input, 'post-upgrade'),
      { do: 'finish' },
    ]),
    current,
    serverSide: isServerSide,
    migratesManagers: isServerSide && current.applyMethod !== 'ssa',
  }
  const adopted = adoptable(state, current.manifest, io, ports)
  if ('refused' in adopted) return adopted
  save(input, history, release, io)
  return { ...state, adopted: adopted.objects }
}

function currentOf(last: Release, history: readonly Release[]): Release | undefined {
  if (last.status === 'deployed') return last
  const deployed = deployedOf(history)
  if (deployed !== undefined) return deployed
  return last.status === 'failed' || last.status === 'superseded' ? last : undefined
}

function renderedFor(
  input: ActionInput,
  { version, isInstall }: { readonly version: number; readonly isInstall: boolean },
  io: Io<never>,
  ports: ActionPorts,
): Rendered | Refused {
  if (input.chart === undefined) return { refused: 'no chart' }
  const { release: name, namespace } = input
  const functions = liveFunctions({
    now: io.now,
    chance: () => io.chance.next(),
    lookUp: (apiVersion, kind, of, named) => {
      const target = ports.kindOf(apiVersion, kind, io.read)
      const found = target === undefined ? undefined : lookUp(target, of, named, io)
      return valueOf(found ?? {})
    },
  })
  const release = { name, namespace, revision: version, isInstall, functions }
  const chart = rendered(input.chart, release, ports)
  return 'fault' in chart ? { refused: chart.fault } : chart
}

/** `lookup` of a chart: one object, or all of a namespace as a list. */
function lookUp(
  kind: Kind,
  namespace: string,
  name: string,
  io: Io<never>,
): JsonObject | undefined {
  const place = kind.namespaced ? namespace : undefined
  if (name !== '') return io.read.get(kind, place, name)
  return { items: io.read.list(kind, place === '' ? undefined : place) }
}

function newRelease(
  input: ActionInput,
  version: number,
  { chart, config, manifest, hooks }: Rendered,
  isServerSide: boolean,
  state: Pick<Release, 'status' | 'description'>,
): Release {
  const { release: name, namespace } = input
  const release = { name, namespace, version, ...state, chart, config, manifest, hooks }
  return withMethod(release, isServerSide, input)
}
