import { listAt, type JsonObject } from '../../../core/json.ts'
import { succeeded, type Status } from '../../../cluster/api/request.ts'
import { isText, type App } from './application.ts'
import {
  applyTask,
  isForceStrategy,
  isNameless,
  propagationOf,
  releaseHook,
  remove,
} from './apply.ts'
import { tellerOf, type Teller } from './causes.ts'
import type { Engine } from './engine.ts'
import { healthOf } from './health.ts'
import {
  isFailed,
  isPending,
  isRunning,
  isToDelete,
  resultsOf,
  type Result,
  type Task,
} from './tasks.ts'
import { wordsOf, type Place } from './tracking.ts'

/** How a pass leaves the operation. */
export interface PassEnd {
  readonly phase: 'Running' | 'Succeeded' | 'Failed'
  readonly message: string
  readonly results: readonly Result[]
  /** A wave that is not the last: the pass sleeps before its end is written. */
  readonly sleeps: boolean
  /** An object has to go before the rest of the wave can be done. */
  readonly waitsFor?: Place
  /** Waits for a deletion: looks again without being woken. */
  readonly polls: boolean
}

export interface PassInput {
  readonly engine: Engine
  readonly app: App
  readonly operation: JsonObject
  /** The operation's state as stored. */
  readonly state: JsonObject
  readonly tasks: readonly Task[]
  /** Key of an object that an earlier part of this pass has deleted, to be created now. */
  readonly replacing?: string
}

/** One pass over the tasks of an operation: look, wait, or do the next wave. */
export function runPass(input: PassInput): PassEnd {
  const pass = new Pass(input)
  return pass.run()
}

type RunState = 'successful' | 'pending' | 'failed'

class Pass {
  readonly #input: PassInput
  readonly #engine: Engine
  readonly #options: readonly string[]
  readonly #results: Map<string, Result>
  readonly #tasks: readonly Task[]
  #waitsFor: Place | undefined

  constructor(input: PassInput) {
    this.#input = input
    this.#engine = input.engine
    this.#options = listAt(input.operation, ['sync', 'syncOptions']).filter(isText)
    this.#tasks = input.tasks
    this.#results = new Map(
      resultsOf(input.state).map((result) => [`${result.syncPhase} ${result.key}`, result]),
    )
  }

  run(): PassEnd {
    const tasks = this.#tasks
    if (this.#results.size === 0 && this.#input.replacing === undefined) {
      const isRefused = tasks.some((task) => !task.isHook && isNameless(task))
      if (isRefused) return this.#end('Failed', 'one or more objects failed to apply (dry run)')
    }
    this.#look()
    const multiStep = new Set(tasks.map(({ phase, wave }) => `${phase} ${wave}`)).size > 1
    const running = tasks.filter((task) => (multiStep || task.isHook) && isRunning(task))
    if (running.length > 0) return this.#running(running, false)
    const main = tasks.filter(({ phase }) => phase !== 'SyncFail')
    if (main.some(isFailed)) {
      return this.#fail('one or more synchronization tasks completed unsuccessfully')
    }
    const left = main.filter(isPending)
    const [first] = left
    if (first === undefined) {
      this.#deleteHooks('hook-succeeded')
      return this.#end('Succeeded', 'successfully synced (no more tasks)')
    }
    return this.#wave(left, first)
  }

  #wave(left: readonly Task[], { phase, wave }: Task): PassEnd {
    const isHere = (task: Task): boolean => task.phase === phase && task.wave === wave
    const last = left.at(-1)
    const isFinal = last !== undefined && isHere(last)
    const here = left.filter(isHere)
    const rest = left.filter((task) => !isHere(task) || task.isHook)
    const state = this.#runTasks(here)
    const sleeps = !isFinal && state !== 'failed'
    if (this.#waitsFor !== undefined) {
      return { ...this.#end('Running', ''), waitsFor: this.#waitsFor }
    }
    if (state === 'failed') {
      const running = this.#tasks.filter(isRunning)
      if (running.length > 0) return this.#running(running, false)
      return this.#fail('one or more objects failed to apply')
    }
    if (state === 'pending') return { ...this.#running(here, true), sleeps, polls: true }
    if (rest.length > 0) return { ...this.#running(rest, false), sleeps }
    this.#deleteHooks('hook-succeeded')
    return this.#end('Succeeded', 'successfully synced (all tasks run)')
  }

  /** Running tasks by the health of their live objects; what is gone has failed. */
  #look(): void {
    for (const task of this.#tasks.filter(isRunning)) {
      const { live, place } = task
      // before 3.4 it is waited for without end.
      if (live === undefined && this.#engine.version < 304) continue
      if (live === undefined) {
        const message = `Resource ${wordsOf(place)} is missing, it might have been deleted`
        this.#set(task, 'SyncFailed', 'Error', message)
        continue
      }
      const health = healthOf(live)
      const status = task.result?.status ?? 'Synced'
      if (health === undefined || health.status === 'Healthy') {
        const message = health?.message ?? task.result?.message ?? ''
        this.#set(task, status, 'Succeeded', message)
      } else if (health.status === 'Degraded') {
        this.#set(task, status, 'Failed', health.message ?? '')
      }
      if (task.isHook && !isRunning(task)) releaseHook(this.#engine, place)
    }
  }

  #runTasks(tasks: readonly Task[]): RunState {
    let state: RunState = 'successful'
    for (const task of tasks.filter(({ target }) => target === undefined)) {
      if (!this.#prune(task)) state = 'failed'
    }
    if (state === 'failed') return state
    for (const task of tasks.filter(isToDelete)) {
      if (task.key === this.#input.replacing) continue
      releaseHook(this.#engine, task.place)
      remove(this.#engine, task.place, propagationOf(this.#options))
      this.#tell(task).did('A-33', `deleted ${task.place.kind} to replace it`)
      state = 'pending'
    }
    if (state === 'pending') return state
    let kind: string | undefined
    for (const task of tasks.filter(({ target }) => target !== undefined)) {
      if (state === 'failed' && task.place.kind !== kind) break
      if (!isPending(task)) continue
      kind = task.place.kind
      const outcome = this.#apply(task)
      if (outcome === 'waits') return 'pending'
      if (outcome === 'failed') state = 'failed'
    }
    return state
  }

  #prune(task: Task): boolean {
    const { operation } = this.#input
    const sync = operation['sync'] as JsonObject
    if (sync['prune'] !== true || !task.mayPrune) {
      const words = task.mayPrune ? 'ignored (requires pruning)' : 'ignored (no prune)'
      this.#set(task, 'PruneSkipped', 'Succeeded', words)
      return true
    }
    const answer = remove(this.#engine, task.place, propagationOf(this.#options))
    if (succeeded(answer)) {
      this.#tell(task).did('A-25', `pruned ${task.place.kind}`)
      this.#set(task, 'Pruned', 'Succeeded', 'pruned')
      return true
    }
    const message = (answer.body as Status).message ?? ''
    this.#tell(task).refused('A-25', message)
    this.#set(task, 'SyncFailed', 'Failed', message)
    return false
  }

  #apply(task: Task): 'done' | 'failed' | 'waits' {
    const { app, operation, replacing } = this.#input
    const outcome = applyTask(this.#engine, app, task, {
      options: this.#options,
      force: isForceStrategy(operation),
      isReplacing: replacing === task.key,
    })
    if (outcome.kind === 'waits') {
      this.#waitsFor = task.place
      return 'waits'
    }
    if (outcome.kind === 'failed') {
      this.#set(task, 'SyncFailed', 'Failed', outcome.message)
      return 'failed'
    }
    this.#set(task, 'Synced', 'Running', outcome.message)
    return 'done'
  }

  /** SyncFail hooks run first; the operation fails once they are over. */
  #fail(message: string): PassEnd {
    const hooks = this.#tasks.filter(({ phase }) => phase === 'SyncFail')
    this.#deleteHooks('hook-failed')
    const pending = hooks.filter(isPending)
    if (pending.length > 0) {
      const state = this.#runTasks(pending)
      if (state !== 'failed')
        return { ...this.#running(hooks, state === 'pending'), polls: state === 'pending' }
    }
    const reasons = this.#tasks
      .filter(({ result }) => result?.status === 'SyncFailed')
      .map(({ result }) => result?.message ?? '')
    const why = reasons.length === 0 ? '' : `, reason: ${reasons.join(',')}`
    return this.#end('Failed', message + why)
  }

  /** Finished hooks whose policy names this end of the operation. */
  #deleteHooks(policy: string): void {
    for (const task of this.#tasks) {
      if (!task.isHook || isRunning(task) || isPending(task)) continue
      if (!task.policies.includes(policy) || this.#engine.live(task.place) === undefined) continue
      releaseHook(this.#engine, task.place)
      remove(this.#engine, task.place, propagationOf(this.#options))
      this.#tell(task).did('A-34', `deleted finished ${task.place.kind}`)
    }
  }

  #running(tasks: readonly Task[], isDeletion: boolean): PassEnd {
    const [first] = tasks
    const hooks = tasks.filter(({ isHook }) => isHook).length
    const name = first === undefined ? '' : wordsOf(first.place)
    const what = first?.isHook === true
    const verb = isDeletion
      ? `deletion of ${what ? 'hook ' : ''}`
      : what
        ? 'completion of hook '
        : 'healthy state of '
    const more = tasks.length - 1
    const others =
      more > 0 ? ` and ${more} more ${hooks === tasks.length ? 'hooks' : 'resources'}` : ''
    return this.#end('Running', `waiting for ${verb}${name}${others}`)
  }

  #end(phase: PassEnd['phase'], message: string): PassEnd {
    return { phase, message, results: [...this.#results.values()], sleeps: false, polls: false }
  }

  #set(
    task: Task,
    status: Result['status'],
    hookPhase: Result['hookPhase'],
    message: string,
  ): void {
    const result = { key: task.key, syncPhase: task.phase, status, hookPhase, message }
    task.result = result
    this.#results.set(`${task.phase} ${task.key}`, result)
  }

  #tell({ place, isHook, phase }: Task): Teller {
    const { engine, app } = this.#input
    return tellerOf(engine.io, app.name, place, isHook ? { hook: phase } : undefined)
  }
}

/** Terminate: running hooks lose the finalizer and go, finished ones keep their result. */
export function terminate(engine: Engine, app: App, tasks: readonly Task[]): void {
  for (const task of tasks) {
    if (!task.isHook || !isRunning(task)) continue
    const health = task.live === undefined ? undefined : healthOf(task.live)
    if (health?.status === 'Healthy' || health?.status === 'Degraded') continue
    releaseHook(engine, task.place)
    remove(engine, task.place, 'Foreground')
    const { place, phase } = task
    tellerOf(engine.io, app.name, place, { hook: phase }).did('A-39', `deleted ${place.kind}`)
  }
}
