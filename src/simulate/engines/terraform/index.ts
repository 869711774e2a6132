import { stringAt } from '../../../core/json.ts'
import type { Actor, Io } from '../../../cluster/actor.ts'
import type { WatchEvent } from '../../../cluster/api/request.ts'
import type { Instant } from '../../../cluster/time.ts'
import {
  lingers,
  mayLiftRefusal,
  planNext,
  triggerOf,
  type Starts,
  type StartWake,
} from '../kubectl-schedule/starts.ts'
import { toldIo } from '../told-io.ts'
import { shortWords } from '../words.ts'
import { advance, planFor } from './apply.ts'
import { isAnnounced, load, save, stateFile, type StateFile } from './file.ts'
import type { Provider } from './provider.ts'
import type { Box, Chain, Config, Run, State } from './state.ts'

export { jobOfManifest, jobsOf, type JobResource } from './config.ts'
export { announce, stateFile, type StateFile } from './file.ts'
export { readHcl } from './hcl.ts'
export { providerOf, type Provider } from './provider.ts'
export type { Config } from './state.ts'

export interface TerraformOptions {
  /** The configuration as it is at that instant; the same value as long as it is unchanged. */
  readonly configAt: (at: Instant) => Config
  /** When `terraform apply` is run; a start that comes while it runs finds the state locked. */
  readonly starts: Starts
  readonly provider: Provider
  /** Default `terraform`. */
  readonly name?: string
  /** Where the state is kept; default in the namespace `default`. */
  readonly file?: StateFile
  /** Runs after one that changed nothing are left out until something changes in the cluster. */
  readonly skipsIdle?: boolean
  readonly lingers?: boolean
}

export type Wake = StartWake | { readonly kind: 'look'; readonly address: string }

/** Behind the name of the actor: `terraform main.tf`. */
const CARRIER = 'main.tf'

/**
 * `terraform apply` over `kubernetes_job` resources, at given times (T-1): refresh, plan, then what
 * is planned, all resources at once. Read from the provider's source and never recorded.
 */
export function terraform(options: TerraformOptions): Actor<Box, Wake> {
  return {
    name: options.name ?? 'terraform',
    begin(io) {
      planNext(options.starts, io.now, io)
      return { state: { stored: load(io.read, fileOf(options)) } }
    },
    observe(box, event, io) {
      const { idle, running } = box.state
      if (isAnnounced(event, fileOf(options))) {
        if (running === undefined) renew(options, box, io.now, io)
      } else if (idle !== undefined && concerns(event, idle.names)) {
        renew(options, box, Math.max(io.now, idle.startedAt + 1), io)
      }
    },
    /** Of what happened while the API server was away, nobody heard. */
    relist(box, io) {
      if (box.state.idle !== undefined) renew(options, box, io.now, io)
    },
    wake(box, wake, io) {
      const { running } = box.state
      if (wake.kind === 'look') {
        const chain = running?.chains.get(wake.address)
        if (running !== undefined && chain !== undefined) goOn(options, box, [chain], running, io)
        return
      }
      if (options.lingers === true && lingers(wake, io)) return
      planNext(options.starts, io.now + 1, io)
      if (running === undefined) start(options, box, io)
    },
    copy: ({ state }) => ({ state }),
  }
}

function renew(options: TerraformOptions, box: Box, from: Instant, io: Io<Wake>): void {
  box.state = { stored: box.state.stored }
  planNext(options.starts, from, io)
}

function fileOf({ file = stateFile('default') }: TerraformOptions): StateFile {
  return file
}

function concerns(event: WatchEvent, names: ReadonlySet<string>): boolean {
  if (mayLiftRefusal(event)) return true
  const { resource, object } = event
  const { namespace = '', name } = object.metadata
  return resource.resource === 'jobs' && names.has(`${namespace}/${name}`)
}

function start(options: TerraformOptions, box: Box, io: Io<Wake>): void {
  const config = options.configAt(io.now)
  const { stored } = box.state
  const run: Run = {
    startedAt: io.now,
    config,
    chains: new Map(),
    hasWritten: false,
    isTold: false,
    isDirty: false,
    errors: [],
  }
  if ('fault' in config) return finish(options, box, { ...run, errors: [config.fault] }, io)
  const plan = planFor(config, stored, options.provider, io)
  const isDirty = plan.stored.size !== stored.size
  box.state = { stored: plan.stored }
  if (plan.error !== undefined) {
    return finish(options, box, { ...run, isDirty, errors: [plan.error] }, io)
  }
  const chains = new Map(plan.chains.map((chain) => [chain.address, chain]))
  return goOn(options, box, plan.chains, { ...run, isDirty, chains }, io)
}

/** Every write tells its cause, and the first of a run what began it. */
function goOn(
  options: TerraformOptions,
  box: Box,
  due: readonly Chain[],
  from: Run,
  io: Io<Wake>,
): void {
  const seen = { hasWritten: from.hasWritten, isTold: from.isTold }
  const told = toldIo(io, tellerOf(options), {
    before: () => {
      if (!seen.isTold) tellStart(options, io)
      seen.isTold = true
    },
    wrote: () => {
      seen.hasWritten = true
    },
  })
  const chains = new Map(from.chains)
  const stored = new Map(box.state.stored)
  const errors = [...from.errors]
  let { isDirty } = from
  for (const chain of due) {
    const { address } = chain
    const outcome = advance(chain, stored.get(address), told)
    if ('stored' in outcome && outcome.stored !== stored.get(address)) {
      isDirty = true
      if (outcome.stored === undefined) stored.delete(address)
      else stored.set(address, outcome.stored)
    }
    const { progress } = outcome
    if (progress.kind === 'wait') {
      chains.set(address, progress.chain)
      io.wakeAt(progress.at, { kind: 'look', address }, `look ${address}`)
      continue
    }
    chains.delete(address)
    if (progress.kind === 'failed') errors.push(progress.error)
  }
  const isFirst = due.length === from.chains.size
  // What was begun is written down, and then what came of it.
  if (isDirty && (isFirst || chains.size === 0)) {
    save(io, fileOf(options), stored)
    isDirty = false
  }
  const run = { ...from, ...seen, isDirty, chains, errors }
  box.state = { stored, running: run }
  if (chains.size === 0) finish(options, box, run, io)
}

function finish(options: TerraformOptions, box: Box, run: Run, io: Io<Wake>): void {
  const { stored } = box.state
  const { startedAt, config, hasWritten, isTold, errors } = run
  if (run.isDirty) save(io, fileOf(options), stored)
  const carrier = CARRIER
  const actor = tellerOf(options).actor
  if (errors.length > 0 && !isTold) tellStart(options, io)
  for (const error of errors) {
    const effect = `failed: Error: ${shortWords(error)}`
    io.cause({ at: io.now, actor, rule: ruleOfError(error), effect, object: carrier, carrier })
  }
  if (options.skipsIdle === true && !hasWritten && config === options.configAt(io.now)) {
    box.state = { stored, idle: { names: namesOf(box.state, config), startedAt } }
    return io.cancel('start')
  }
  box.state = { stored }
  return planNext(options.starts, startedAt + 1, io)
}

function tellerOf({ name = 'terraform' }: TerraformOptions) {
  return {
    actor: name,
    carrier: CARRIER,
    rule: (verb: string) => (verb === 'create' ? 'T-3' : verb === 'delete' ? 'T-5' : 'T-6'),
  }
}

function tellStart(options: TerraformOptions, io: Io<Wake>): void {
  const { actor, carrier } = tellerOf(options)
  const trigger = triggerOf(options.starts, io.now)
  io.cause({ at: io.now, actor, rule: 'T-1', effect: 'applied', object: carrier, carrier, trigger })
}

function ruleOfError(error: string): string {
  if (error.startsWith('job: ')) return 'T-4'
  if (error.includes('still exists') || error.includes('delete Job')) return 'T-5'
  return error.includes('update Job') ? 'T-6' : 'T-3'
}

function namesOf({ stored }: State, config: Config): ReadonlySet<string> {
  const names = new Set([...stored.values()].map(({ namespace, name }) => `${namespace}/${name}`))
  for (const { object } of 'fault' in config ? [] : config) {
    const [namespace, name] = ['namespace', 'name'].map((key) =>
      stringAt(object, ['metadata', key]),
    )
    names.add(`${namespace ?? 'default'}/${name ?? ''}`)
  }
  return names
}
