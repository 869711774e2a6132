import { IDEALISED, REALISTIC } from '../../cluster/actor.ts'
import type { Backup, Cluster } from '../../cluster/cluster.ts'
import { controllerManager } from '../../cluster/controllers/index.ts'
import { createCluster } from '../../cluster/index.ts'
import { stringAt } from '../../core/json.ts'
import { kubelet } from '../../cluster/kubelet/kubelet.ts'
import { registry } from '../../cluster/kubelet/registry.ts'
import { scenarioScript } from '../../cluster/kubelet/scenario-script.ts'
import { controllerOf, type KubeObject } from '../../cluster/object.ts'
import type { Pod } from '../../cluster/pod.ts'
import type { Instant } from '../../cluster/time.ts'
import { secondActors } from '../actors/index.ts'
import type { ActorParts, ActorTools, GitCommit } from '../actors/index.ts'
import { Chronicle } from '../history/chronicle.ts'
import type { Happening } from '../history/history.ts'
import type { Stage } from '../scenario/stage.ts'
import type { PlayTools } from '../trace/player.ts'
import { effects } from './events/index.ts'
import {
  accountsAdmission,
  distinctKinds,
  registryChanges,
  registryOfEvents,
  withoutReferences,
} from './parts.ts'
import {
  DEFAULT_BUDGET,
  type CommitEvent,
  type PlayOptions,
  type World,
  type WorldEvent,
} from './world.ts'

/** Whose rules hold where nobody says which Kubernetes it is. */
const LATEST_MINOR = 36

/** Where a play was cut, and what it had counted. */
export interface Cut {
  readonly at: Instant
  readonly lane: string
  readonly lives: number
  readonly why: 'lives' | 'steps' | 'instant'
}

/**
 * A world in virtual time. It goes forward only: `runTo` an instant to look at the cluster there,
 * `finish` to see the end.
 */
export class Play {
  readonly world: World
  readonly chronicle: Chronicle
  readonly #options: PlayOptions
  readonly #tools: PlayTools
  readonly #events: readonly WorldEvent[]
  #cluster: Cluster
  #others: readonly ActorParts[] = []
  #stages: readonly Stage[]
  /** The last commit of each engine, for a cluster that is built anew. */
  readonly #heads = new Map<number, CommitEvent>()
  readonly #commits: Pick<CommitEvent, 'at' | 'revision'>[] = []
  /** What ends an outage, by its time. */
  readonly #later: { readonly at: Instant; readonly act: () => void }[] = []
  readonly #backups = new Map<Instant, Backup>()
  #next = 0
  #steps = 0
  #clusters = 0
  #written = 0
  #downUntil: Instant | undefined
  #told: { readonly at: Instant; readonly words: string } | undefined
  #cut: Cut | undefined

  constructor(world: World, options: PlayOptions, tools: PlayTools = {}) {
    this.world = world
    this.#options = options
    this.#tools = tools
    this.#events = world.events.toSorted((one, other) => one.at - other.at)
    this.chronicle = new Chronicle()
    this.#stages = this.#newStages()
    this.#cluster = this.#newCluster(world.start)
    for (const event of this.#events) {
      if (event.kind !== 'restore') continue
      this.later(event.to, () => this.#backups.set(event.to, this.#cluster.backup()))
    }
  }

  get cluster(): Cluster {
    return this.#cluster
  }

  get cut(): Cut | undefined {
    return this.#cut
  }

  stage(engine: number): Stage | undefined {
    return this.#stages[engine]
  }

  get stages(): readonly Stage[] {
    return this.#stages
  }

  /** Processes besides the engines': Reloader, Kueue ... */
  get others(): readonly string[] {
    return this.#others.flatMap(({ actors }) => actors.map(({ name }) => name))
  }

  /** Plays everything up to `at`, inclusive; what a person does at `at` is done. */
  runTo(at: Instant): void {
    const until = Math.min(at, this.world.end - 1)
    while (this.#cut === undefined) {
      const event = this.#events[this.#next]
      const ending = this.#later[0]
      const isEnding = ending !== undefined && (event === undefined || ending.at <= event.at)
      const next = isEnding ? ending.at : event?.at
      const isLast = next === undefined || next > until
      // What the engine does at the very instant of an event sees the event.
      const isThere = this.#run(isLast ? until : next, isLast)
      if (!isThere) continue
      if (isLast) return
      if (isEnding) this.#later.shift()?.act()
      else if (event !== undefined) {
        this.#next += 1
        this.#happen(event)
      }
    }
  }

  /** What etcd held at an instant to which an event will restore it. */
  backupOf(at: Instant): Backup | undefined {
    return this.#backups.get(at)
  }

  /** Does something at a later instant, before what is planned there. */
  later(at: Instant, act: () => void): void {
    this.#later.push({ at, act })
    this.#later.sort((one, other) => one.at - other.at)
  }

  finish(): void {
    this.runTo(this.world.end - 1)
  }

  /** A new and empty cluster in the place of the old one, with everything installed as at first. */
  rebuild(): void {
    const { now } = this.#cluster
    this.chronicle.lost(now, 'the cluster was built anew')
    // A stage that can set itself up again knows what people have asked of it.
    const fresh = this.#newStages()
    this.#stages = this.#stages.map((stage, engine) =>
      stage.bootstrap === undefined ? (fresh[engine] ?? stage) : stage,
    )
    this.#cluster = this.#newCluster(now)
    for (const [engine, stage] of this.#stages.entries()) {
      const head = this.#heads.get(engine)
      if (stage.bootstrap !== undefined) stage.bootstrap(this.#cluster)
      else if (head !== undefined) this.#commit(head)
    }
  }

  tell(happening: Happening): void {
    this.chronicle.happen(happening)
  }

  #commit({ at, engine, revision, files, carriers }: CommitEvent): void {
    this.#commits.push({ at, revision })
    this.#stages[engine]?.commit(this.#cluster, revision, files, carriers)
  }

  #happen(event: WorldEvent): void {
    if (event.kind !== 'commit') {
      if (this.#waitsForApi(event)) return
      effects[event.kind].apply(this, event as never)
      return
    }
    this.#heads.set(event.engine, event)
    this.#tellCommit(event)
    if (!this.#waitsForApi(event)) this.#commit(event)
  }

  /** One commit comes to each engine by itself, and is told once. */
  #tellCommit({ at, words }: CommitEvent): void {
    const isTold = this.#told?.at === at && this.#told.words === words
    if (!isTold) this.tell({ at, row: 'Git', kind: 'commit', words })
    this.#told = { at, words }
  }

  /** Nobody can tell a cluster anything while its API server is down: they try again when it is up. */
  #waitsForApi(event: WorldEvent): boolean {
    const until = this.#downUntil
    const { kind } = event
    if (until === undefined || !this.#cluster.isDown) return false
    if (kind !== 'commit' && kind !== 'sync' && kind !== 'change') return false
    this.later(until + 1, () => {
      if (event.kind === 'commit') this.#commit(event)
      else effects[event.kind].apply(this, event as never)
    })
    return true
  }

  /** The API server answers again from then on. */
  downUntil(until: Instant): void {
    this.#downUntil = Math.max(until, this.#downUntil ?? until)
    this.#cluster.down(this.#downUntil)
  }

  #newStages(): readonly Stage[] {
    const { start } = this.world
    return this.world.engines.map(({ engine, input }) =>
      engine.stage({ ...input, start, tools: this.#tools, timing: this.#options.timing.mode }),
    )
  }

  #newCluster(now: Instant): Cluster {
    const { timing } = this.#options
    const { minor, workloads, isPartial = false, accounts = [] } = this.world
    const seed = (timing.mode === 'realistic' ? timing.seed : 1) + this.#clusters
    this.#clusters += 1
    const ownerOf = (pod: KubeObject): KubeObject | undefined => {
      const job = controllerOf(pod)
      const found = job === undefined ? undefined : cluster.api.read.byUid(job.uid)
      const owner = found === undefined ? undefined : controllerOf(found.object)
      return owner === undefined ? undefined : cluster.api.read.byUid(owner.uid)?.object
    }
    const others = this.#othersFor(() => cluster)
    this.#others = others
    const script = scenarioScript({ workloads, ownerOf, commitOf: (pod) => this.#commitOf(pod) })
    const cluster: Cluster = createCluster({
      now,
      seed,
      latencies: timing.mode === 'realistic' ? REALISTIC : IDEALISED,
      kinds: distinctKinds([...this.#stages, ...others]),
      ...(minor === undefined ? {} : { minor }),
      ...(this.#tools.cel === undefined ? {} : { cel: this.#tools.cel }),
      actors: [
        ...controllerManager(minor === undefined ? {} : { rules: { minor } }),
        kubelet(isPartial ? withoutReferences(script) : script, {
          registry: registry(registryChanges(this.#events)),
          ...(minor === undefined ? {} : { minor }),
        }),
        ...this.#stages.flatMap(({ actors }) => actors),
        ...others.flatMap(({ actors }) => actors),
      ],
      admission: [
        ...others.flatMap(({ webhooks = [] }) => webhooks),
        ...(isPartial ? [] : [accountsAdmission(accounts)]),
      ],
      listener: this.chronicle,
    })
    for (const name of this.world.namespaces) {
      const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
      const resource = { group: '', version: 'v1', resource: 'namespaces' }
      cluster.request({ verb: 'create', resource, body, user: 'person' })
    }
    cluster.runBefore(now)
    for (const stage of this.#stages) stage.prepare(cluster)
    for (const other of others) other.prepare?.(cluster)
    return cluster
  }

  /** Who acts besides the engines; a kind that nobody knows was refused with the scenario. */
  #othersFor(cluster: () => Cluster): readonly ActorParts[] {
    const { actors = [], minor = LATEST_MINOR } = this.world
    const tools: ActorTools = {
      minor,
      registry: registryOfEvents(this.#events),
      git: {
        files: () => this.#heads.get(0)?.files ?? {},
        commit: (change) => this.#commitBy(change),
      },
      isRunning: (name) => cluster().isRunning(name),
    }
    return actors.flatMap((settings) => {
      const found = secondActors.find(({ kinds }) =>
        kinds.includes(stringAt(settings, ['kind']) ?? ''),
      )
      return found === undefined ? [] : [found.actor(settings, tools)]
    })
  }

  /** A commit by somebody in the cluster: Git has it when that actor's turn is over. */
  #commitBy({ author, message, files }: GitCommit): void {
    const at = this.#cluster.now
    this.#written += 1
    const revision = `${author}-${this.#written}`
    const words = `commit ${revision}: ${message}`
    const event: CommitEvent = { kind: 'commit', at, engine: 0, revision, files, words }
    this.#heads.set(0, { ...(this.#heads.get(0) ?? event), ...event })
    this.later(at, () => {
      this.tell({ at, row: 'Git', kind: 'commit', words })
      this.#commit(event)
    })
  }

  /** The commit that was the last one when the pod's Job came. */
  #commitOf(pod: Pod): string | undefined {
    const job = controllerOf(pod)
    const found = job === undefined ? undefined : this.#cluster.api.read.byUid(job.uid)
    const born = Date.parse((found?.object ?? pod).metadata.creationTimestamp ?? '')
    return this.#commits.findLast(({ at }) => !(at > born))?.revision
  }

  /** False when it stopped on the way: the budget ended, or somebody committed. */
  #run(until: Instant, inclusive: boolean): boolean {
    const budget = this.#options.budget ?? DEFAULT_BUDGET
    const cluster = this.#cluster
    let instant = cluster.now
    let atInstant = 0
    for (;;) {
      const next = cluster.nextAt()
      if (next === undefined || next > until || (next === until && !inclusive)) break
      if (next > instant) {
        instant = next
        atInstant = 0
      }
      cluster.step()
      atInstant += 1
      this.#steps += 1
      if (atInstant > budget.stepsOfInstant) return this.#stop('instant')
      if (this.#steps > budget.steps) return this.#stop('steps')
      if (this.chronicle.longest > budget.livesOfLane) return this.#stop('lives')
      const later = this.#later[0]?.at
      if (later !== undefined && (later < until || (inclusive && later === until))) return false
    }
    if (inclusive) cluster.runUntil(until)
    else cluster.runBefore(until)
    return true
  }

  #stop(why: Cut['why']): false {
    const { name, lives } = this.chronicle.longestLane()
    this.#cut = { at: this.#cluster.now, lane: name, lives, why }
    return false
  }
}
