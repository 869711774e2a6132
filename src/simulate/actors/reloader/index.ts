import { isObject, objectAt, stringAt, type JsonObject } from '../../../core/json.ts'
import type { Actor, Io } from '../../../cluster/actor.ts'
import type { Instant } from '../../../cluster/time.ts'
import { Round } from '../causes.ts'
import type { SecondActor } from '../second-actor.ts'
import { changeOf, type Change } from './change.ts'
import { reloadAll } from './reload.ts'
import { RELOADER_SETTINGS, reloaderSettings, type ReloaderSettings } from './settings.ts'

const NAME = 'reloader'
const RETRIES = 5
const FIRST_RETRY_MS = 5
const MARKS = /^((configmaps?|secrets?)\.(exclude\.)?)?reloader\.stakater\.com\//

/**
 * Besides its queue it remembers nothing: what changes while it is down, it never hears of (RL-8).
 * The Jobs of the present instant are kept for RL-1.
 */
export interface State {
  at: Instant
  created: string[]
}

export interface Wake {
  readonly change: Change
  readonly retries: number
  readonly at: Instant
  /** How many Jobs had been created in that instant when the change came. */
  readonly createdBefore: number
}

/**
 * Stakater Reloader (RL-1 to RL-8; unconfirmed: read from 1.4.21, never recorded). Data of a
 * ConfigMap or Secret changed: workloads that ask for it get pods with the new data. For Jobs that
 * means a run: a CronJob gets a Job now, a Job is deleted and created again.
 */
export const reloader: SecondActor = {
  kinds: ['reloader'],
  settings: RELOADER_SETTINGS,
  actor: (settings) => ({ actors: [reloaderActor(reloaderSettings(settings))], kinds: [] }),
  foundIn(objects) {
    return objects.some(isMarked) ? [{ kind: 'reloader' }] : []
  },
}

function reloaderActor(settings: ReloaderSettings): Actor<State, Wake> {
  return {
    name: NAME,
    begin: (io) => ({ at: io.now, created: [] }),
    observe(state, event, io) {
      const { type, resource, object } = event
      if (state.at !== io.now && state.created.length > 0) state.created = []
      state.at = io.now
      if (type === 'ADDED' && resource.resource === 'jobs') state.created.push(object.metadata.uid)
      const change = changeOf(event, settings)
      if (change === undefined) return
      const createdBefore = state.created.length
      io.wakeAt(io.now, { change, retries: 0, at: io.now, createdBefore })
    },
    wake(state, wake, io) {
      handle(state, wake, settings, io)
    },
    copy: ({ at, created }) => ({ at, created: [...created] }),
  }
}

function handle(state: State, wake: Wake, settings: ReloaderSettings, io: Io<Wake>): void {
  const { change, retries } = wake
  const carrier = `${change.kind} ${change.namespace}/${change.name}`
  const trigger =
    retries === 0
      ? ({ kind: 'watch', words: `the data of ${carrier} ${change.how}` } as const)
      : ({ kind: 'retry', words: 'the try before was refused' } as const)
  const options = { actor: NAME, carrier, rule: 'RL-1', effect: 'reloaded what uses it', trigger }
  const later = state.at === wake.at && wake.at === io.now ? state.created : []
  const fault = reloadAll(change, {
    io,
    round: new Round(io, options),
    settings,
    younger: new Set(later.slice(wake.createdBefore)),
  })
  // RL-6: tried five times more, and all of it: a CronJob gets one more Job each time.
  if (fault === undefined || retries >= RETRIES) return
  io.wakeAt(io.now + FIRST_RETRY_MS * 2 ** retries, { ...wake, retries: retries + 1 })
}

/** Whether an object or any template in it carries an annotation of Reloader. */
function isMarked(object: JsonObject): boolean {
  if (!/^(Deployment|CronJob|Job|DaemonSet|StatefulSet)$/.test(stringAt(object, ['kind']) ?? '')) {
    return false
  }
  const spec = objectAt(object, ['spec'])
  const job = objectAt(spec, ['jobTemplate'])
  return [object, objectAt(spec, ['template']), job, objectAt(job, ['spec', 'template'])].some(
    (one) =>
      isObject(one) &&
      Object.keys(objectAt(one, ['metadata', 'annotations']) ?? {}).some((key) => MARKS.test(key)),
  )
}
