import { succeeded, type WatchEvent } from '../../src/cluster/api/request.ts'
import { controllerOf, type KubeObject } from '../../src/cluster/object.ts'
import { historyOf } from '../../src/simulate/history/history-of.ts'
import type { History, JobLife } from '../../src/simulate/history/history.ts'
import type { Play } from '../../src/simulate/world/play.ts'

/**
 * What must hold of every play, counted from the writes of the API server and not from what the
 * code under test says of itself. Each checker gives the faults that it finds.
 */
export interface Witness {
  readonly play: Play
  readonly writes: readonly Write[]
  /** Accepted changes: the instant, the resource and the name. */
  readonly changed: ReadonlySet<string>
}

interface Write extends Pick<WatchEvent, 'type' | 'object'> {
  readonly at: number
  readonly resource: string
}

/** Listens beside the chronicle, from now on. */
export function witness(play: Play): Witness {
  const writes: Write[] = []
  const changed = new Set<string>()
  const { chronicle } = play
  const original = chronicle.write.bind(chronicle)
  const asked = chronicle.request.bind(chronicle)
  chronicle.write = (event, at) => {
    const { type, object, resource } = event
    writes.push({ at, type, object, resource: `${resource.group}/${resource.resource}` })
    original(event, at)
  }
  chronicle.request = (request, answer, at) => {
    const { verb, resource, namespace = '', name = '' } = request
    if (succeeded(answer) && (verb === 'patch' || verb === 'update')) {
      changed.add(`${at} ${resource.group}/${resource.resource} ${namespace}/${name}`)
    }
    asked(request, answer, at)
  }
  return { play, writes, changed }
}

type Checker = (seen: Witness) => readonly string[]

const JOBS = 'batch/jobs'
const PODS = '/pods'

const nameOf = ({ metadata: { namespace = '', name } }: KubeObject): string =>
  `${namespace}/${name}`
const uidOf = ({ metadata }: KubeObject): string => metadata.uid ?? ''

function of(seen: Witness, resource: string, type?: WatchEvent['type']): readonly Write[] {
  return seen.writes.filter(
    (write) => write.resource === resource && (type === undefined || write.type === type),
  )
}

/** A uid belongs to one object for ever, and a name to one object at a time. */
const uniqueUids: Checker = ({ writes }) => {
  const faults: string[] = []
  const known = new Map<string, string>()
  const living = new Map<string, string>()
  for (const { type, resource, object, at } of writes) {
    const uid = uidOf(object)
    const place = `${resource} ${nameOf(object)}`
    const owner = known.get(uid)
    if (type === 'ADDED') {
      if (owner !== undefined) faults.push(`${at}: uid ${uid} of ${place} was that of ${owner}`)
      if (living.has(place)) faults.push(`${at}: ${place} was added twice`)
      known.set(uid, place)
      living.set(place, uid)
      continue
    }
    // What was there before anybody listened is not known.
    if (owner !== undefined && owner !== place)
      faults.push(`${at}: ${place} has the uid of ${owner}`)
    if (living.has(place) && living.get(place) !== uid) {
      faults.push(`${at}: ${place} has another uid than it was added with`)
    }
    if (type === 'DELETED') living.delete(place)
  }
  return faults
}

/**
 * An object with a finalizer never vanishes. Its last event shows the object before somebody took the
 * last one from it.
 */
const finalizersHold: Checker = ({ writes, changed }) =>
  writes.flatMap(({ type, resource, object, at }) => {
    const { finalizers = [], deletionTimestamp } = object.metadata
    if (type !== 'DELETED' || finalizers.length === 0) return []
    const isFreed = changed.has(`${at} ${resource} ${nameOf(object)}`)
    return finalizers.length === 1 && deletionTimestamp !== undefined && isFreed
      ? []
      : [`${at}: ${resource} ${nameOf(object)} went with ${finalizers.join(', ')}`]
  })

/** The longest that a pod takes to stop, and the collector to come. */
const GRACE_MS = 120_000

/** A pod whose Job is gone goes too, unless its owner was taken from it. */
const podsGoWithTheirJob: Checker = (seen) => {
  const { play } = seen
  const end = play.cluster.now
  const goneAt = new Map(of(seen, JOBS, 'DELETED').map(({ object, at }) => [uidOf(object), at]))
  const pods = new Map<string, KubeObject>()
  for (const { type, object } of of(seen, PODS)) {
    if (type === 'DELETED') pods.delete(uidOf(object))
    else pods.set(uidOf(object), object)
  }
  return [...pods.values()].flatMap((pod) => {
    const since = goneAt.get(controllerOf(pod)?.uid ?? '')
    return since === undefined || end - since < GRACE_MS
      ? []
      : [`pod ${nameOf(pod)} is there ${(end - since) / 1000} s after its Job went`]
  })
}

/** Each Job object is one life and each life one Job object; each pod belongs to one of them. */
function conserved(seen: Witness, { lanes, end }: History): readonly string[] {
  const faults: string[] = []
  const lives = lanes.flatMap((lane) => lane.lives)
  const byUid = new Map<string, JobLife>()
  for (const life of lives) {
    if (byUid.has(life.uid))
      faults.push(`life ${life.namespace}/${life.name} ${life.uid} is doubled`)
    byUid.set(life.uid, life)
  }
  const added = of(seen, JOBS, 'ADDED').filter(({ at }) => at < end)
  for (const { object, at } of added) {
    const life = byUid.get(uidOf(object))
    if (life === undefined) faults.push(`${at}: Job ${nameOf(object)} has no life`)
    else if (life.createdAt !== at) faults.push(`${at}: life of ${nameOf(object)} begins otherwise`)
  }
  if (added.length !== byUid.size) {
    faults.push(`${added.length} Jobs were created, and there are ${byUid.size} lives`)
  }
  const pods = new Map<string, number>()
  for (const { object } of of(seen, PODS, 'ADDED')) {
    const uid = controllerOf(object)?.uid ?? ''
    pods.set(uid, (pods.get(uid) ?? 0) + 1)
    if (!byUid.has(uid)) faults.push(`pod ${nameOf(object)} belongs to no Job`)
  }
  for (const { uid, name, pods: told, startedAt } of lives) {
    const counted = pods.get(uid) ?? 0
    if (counted !== told) faults.push(`${name}: ${counted} pods were created, ${told} are told`)
    if ((startedAt !== undefined) !== counted > 0) faults.push(`${name}: a run without a pod`)
  }
  return faults
}

/** A Job comes from one act of somebody, by a rule where it was no person. */
function caused({ lanes }: History): readonly string[] {
  return lanes.flatMap(({ lives }) =>
    lives.flatMap(({ name, createdAt, created }) => {
      const faults: string[] = []
      const [first] = created
      const last = created.at(-1)
      const says = (what: string): void => {
        const chain = created.map(({ role, actor, words }) => `${role} ${actor}: ${words}`)
        faults.push(`${createdAt}: Job ${name}: ${what} (${chain.join(' | ')})`)
      }
      if (last === undefined) return [`${createdAt}: Job ${name} has no cause`]
      if (last.role !== 'effect' || last.actor === '') says('no effect created it')
      if (last.rule === undefined && last.actor !== 'person' && last.actor !== 'scenario') {
        says('no rule')
      }
      const creations = created.filter(
        ({ role, words, at }) =>
          role === 'effect' && at === createdAt && words.startsWith('created Job'),
      )
      if (creations.length > 1) says(`${creations.length} creations`)
      const isOfPerson = first?.actor === 'person' || first?.actor === 'scenario'
      if (first?.role === 'effect' && !isOfPerson) says('no trigger comes first')
      return faults
    }),
  )
}

const CHECKERS: Readonly<Record<string, Checker>> = {
  uniqueUids,
  finalizersHold,
  podsGoWithTheirJob,
}

/** All of them. */
export function faultsOf(seen: Witness): readonly string[] {
  const history = historyOf(seen.play, { timing: { mode: 'idealised' } })
  return [
    ...Object.entries(CHECKERS).flatMap(([name, check]) =>
      check(seen).map((fault) => `${name}: ${fault}`),
    ),
    ...conserved(seen, history).map((fault) => `conserved: ${fault}`),
    ...caused(history).map((fault) => `caused: ${fault}`),
  ]
}
