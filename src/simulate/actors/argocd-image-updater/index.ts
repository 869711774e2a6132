import { stringAt, type JsonObject } from '../../../core/json.ts'
import type { Actor, Io } from '../../../cluster/actor.ts'
import type { WatchEvent } from '../../../cluster/api/request.ts'
import { equal } from '../../../cluster/fields/index.ts'
import { plainKind } from '../../../cluster/kinds/plain.ts'
import type { ResourceId } from '../../../cluster/object.ts'
import type { Instant } from '../../../cluster/time.ts'
import { at } from '../../../core/json.ts'
import { spanSeconds } from '../../scenario/span.ts'
import { imageOf } from '../image.ts'
import type { ActorTools, SecondActor } from '../second-actor.ts'
import { tickAt } from '../ticks.ts'
import { imagesOf } from './live-images.ts'
import { appSettings, PREFIX } from './settings.ts'
import { APPLICATIONS, NAME, update } from './update.ts'

const UPDATERS: ResourceId = { group: PREFIX, version: 'v1alpha1', resource: 'imageupdaters' }
const PODS: ResourceId = { group: '', version: 'v1', resource: 'pods' }
const INTERVAL = '2m'

export interface State {
  /** Its looks come at whole intervals from here. */
  readonly anchor: Instant
  lastAt: Instant
  /** Repositories that it looked for at its last look. */
  watched: ReadonlySet<string>
  /** How many pods have an image, of those repositories. */
  readonly pods: Map<string, number>
}

/**
 * Argo CD Image Updater (IU-1 to IU-7; unconfirmed: read at 1.3 of August 2026, never recorded).
 * Each interval it compares the images of an Application's pods with the newest ones that are
 * allowed. A look that can find nothing new is not made: the registry says when its answer changes.
 */
export const argocdImageUpdater: SecondActor = {
  kinds: ['argocd-image-updater'],
  settings: ['interval'],
  actor: (settings, tools) => ({
    actors: [updaterActor(stringAt(settings, ['interval']) ?? INTERVAL, tools)],
    kinds: [plainKind({ ...UPDATERS, kind: 'ImageUpdater', hasStatus: true, hasGeneration: true })],
  }),
  foundIn(objects) {
    const isAtWork = objects.some(
      (object) =>
        stringAt(object, ['kind']) === 'ImageUpdater' ||
        stringAt(object, ['metadata', 'annotations', `${PREFIX}/image-list`]) !== undefined,
    )
    return isAtWork ? [{ kind: 'argocd-image-updater' }] : []
  },
}

function updaterActor(
  interval: string,
  { registry, git }: ActorTools,
): Actor<State, Readonly<JsonObject>> {
  const everyMs = Math.max(1, spanSeconds(interval) ?? 120) * 1000
  const plan = (state: State, from: Instant, io: Io<JsonObject>): void =>
    io.wakeAt(tickAt({ anchor: state.anchor, everyMs }, from, state.lastAt), {}, 'look')
  return {
    name: NAME,
    begin(io) {
      const state: State = {
        anchor: io.now,
        lastAt: io.now - 1,
        watched: new Set(),
        pods: new Map(),
      }
      for (const pod of io.read.list(PODS)) count(state, pod, 1)
      plan(state, io.now, io)
      return state
    },
    observe(state, event, io) {
      if (concerns(state, event)) plan(state, io.now, io)
    },
    wake(state, _wake, io) {
      state.lastAt = io.now
      const updaters = io.read.list(UPDATERS)
      const repositories = new Set<string>()
      for (const app of io.read.list(APPLICATIONS)) {
        const settings = appSettings(app, updaters)
        if (settings === undefined) continue
        for (const { repository } of settings.images) repositories.add(repository)
        update(app, settings, { io, registry, git, interval })
      }
      state.watched = repositories
      for (const repository of repositories) {
        const change = registry.nextChange(repository, io.now)
        if (change !== undefined) plan(state, change, io)
      }
    },
    copy: (state) => ({ ...state, pods: new Map(state.pods) }),
  }
}

/** Whether the next look may find something else than the last one. */
function concerns(state: State, event: WatchEvent): boolean {
  const { resource, object, before, type } = event
  if (resource.resource === UPDATERS.resource) return true
  if (resource.resource === APPLICATIONS.resource && resource.group === APPLICATIONS.group) {
    return [['spec'], ['metadata', 'annotations'], ['status', 'resources'], ['status', 'summary']]
      .map((path) => [at(object, path) ?? null, at(before, path) ?? null] as const)
      .some(([now, then]) => !equal(now, then))
  }
  if (resource.resource !== 'pods' || resource.group !== '' || type === 'MODIFIED') return false
  return count(state, object, type === 'ADDED' ? 1 : -1)
}

/** Whether the list of images that pods have is another one now. */
function count({ pods, watched }: State, pod: JsonObject, by: 1 | -1): boolean {
  let isNews = false
  for (const image of imagesOf(pod)) {
    const number = (pods.get(image) ?? 0) + by
    if (number > 0) pods.set(image, number)
    else pods.delete(image)
    const isEdge = number === 0 || (by === 1 && number === 1)
    if (isEdge && watched.has(imageOf(image).repository)) isNews = true
  }
  return isNews
}
