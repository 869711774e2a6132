import { MERGE, type Body, type Client, type OwnerReference, type WatchEvent } from './client.ts'
import { scriptOf, type ContainerScript, type PodScript } from './script.ts'
import { ended, notStarted, phaseConditions, running, type ContainerStatus } from './pod-status.ts'

const HEARTBEAT_MS = 10_000
const FOREVER = Number.POSITIVE_INFINITY

/**
 * A node without a kubelet: takes every pending pod and tells the API server what a kubelet would,
 * as far as status goes. What a pod does is said in annotations (script.ts). Init containers run one
 * after the other, native sidecars start among them and end after the last container; a container
 * that fails starts again at once under OnFailure and Always, without back-off. A deleted pod ends
 * (143) and goes.
 */
export async function startPlayer(client: Client, node = 'player'): Promise<Player> {
  const player = new PlayerOfOneNode(client, node)
  await player.start()
  return player
}

export interface Player {
  /** Every pod that was started, in order. */
  readonly played: readonly Played[]
  /** What went wrong in the player itself. */
  readonly problems: readonly string[]
  readonly stop: () => Promise<void>
}

export interface Played {
  readonly namespace: string
  readonly name: string
  readonly uid: string
  readonly owner: OwnerReference | undefined
  /** Counted from 0, for one owner (and one completion index). */
  readonly attempt: number
}

class PlayerOfOneNode implements Player {
  readonly played: Played[] = []
  readonly problems: string[] = []
  readonly #client: Client
  readonly #node: string
  readonly #pods = new Map<string, PodRun>()
  readonly #attempts = new Map<string, number>()
  readonly #stopping = new AbortController()
  #loop: Promise<void> = Promise.resolve()

  constructor(client: Client, node: string) {
    this.#client = client
    this.#node = node
  }

  async start(): Promise<void> {
    await this.#client.request('POST', '/api/v1/nodes', {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: this.#node },
    })
    await this.#beat()
    const heart = setInterval(() => void this.#beat().catch(() => {}), HEARTBEAT_MS)
    this.#stopping.signal.addEventListener('abort', () => clearInterval(heart))
    this.#loop = this.#watch()
  }

  readonly stop = async (): Promise<void> => {
    this.#stopping.abort()
    for (const run of this.#pods.values()) run.stop()
    await this.#loop
  }

  async #beat(): Promise<void> {
    const now = new Date().toISOString()
    const room = { cpu: '64', memory: '64Gi', pods: '10000' }
    const times = { lastHeartbeatTime: now, lastTransitionTime: now }
    const ready = { type: 'Ready', status: 'True', reason: 'Played', message: '', ...times }
    const status = { conditions: [ready], capacity: room, allocatable: room }
    await this.#client.request('PATCH', `/api/v1/nodes/${this.#node}/status`, { status }, MERGE)
  }

  async #watch(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const watch = this.#client.watch('/api/v1/pods', (event) => this.#see(event))
      const close = (): void => watch.close()
      this.#stopping.signal.addEventListener('abort', close)
      await watch.ended
      this.#stopping.signal.removeEventListener('abort', close)
    }
  }

  #see({ type, object }: WatchEvent): void {
    const uid = object.metadata?.uid
    if (uid === undefined || type === 'BOOKMARK' || type === 'ERROR') return
    const known = this.#pods.get(uid)
    if (type === 'DELETED') {
      known?.stop()
      this.#pods.delete(uid)
      return
    }
    const isNew = known === undefined
    if (isNew && isOver(object) && object.metadata?.deletionTimestamp === undefined) return
    const run = known ?? new PodRun(this.#client, object, scriptOf(object, this.#attempt(object)))
    this.#pods.set(uid, run)
    if (object.metadata?.deletionTimestamp !== undefined) {
      this.#watched(run.remove(object), object)
    } else if (isNew) {
      this.#watched(run.play(this.#node), object)
    }
  }

  #attempt(pod: Body): number {
    const { namespace = '', name = '', uid = '', annotations = {} } = pod.metadata ?? {}
    const owner = pod.metadata?.ownerReferences?.[0]
    const index = annotations['batch.kubernetes.io/job-completion-index'] ?? ''
    const key = `${owner?.uid ?? uid}/${index}`
    const attempt = this.#attempts.get(key) ?? 0
    this.#attempts.set(key, attempt + 1)
    this.played.push({ namespace, name, uid, owner, attempt })
    return attempt
  }

  #watched(work: Promise<void>, pod: Body): void {
    work.catch((error: unknown) => {
      if (this.#stopping.signal.aborted) return
      this.problems.push(`${pod.metadata?.namespace}/${pod.metadata?.name}: ${String(error)}`)
    })
  }
}

/** One pod from binding to its end. */
class PodRun {
  readonly #client: Client
  readonly #path: string
  readonly #pod: Body
  readonly #script: PodScript
  readonly #stopped = new AbortController()
  readonly #inits: Map<string, ContainerStatus>
  readonly #mains: Map<string, ContainerStatus>
  #startedAt = ''
  #isRemoved = false

  constructor(client: Client, pod: Body, script: PodScript) {
    this.#client = client
    this.#pod = pod
    this.#script = script
    this.#path = `/api/v1/namespaces/${pod.metadata?.namespace}/pods/${pod.metadata?.name}`
    this.#inits = new Map(script.inits.map((container) => [container.name, notStarted(container)]))
    this.#mains = new Map(script.mains.map((container) => [container.name, notStarted(container)]))
  }

  stop(): void {
    this.#stopped.abort()
  }

  async play(node: string): Promise<void> {
    const name = this.#pod.metadata?.name
    if (this.#pod.spec?.['nodeName'] === undefined) {
      const target = { apiVersion: 'v1', kind: 'Node', name: node }
      const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { name }, target }
      await this.#client.request('POST', `${this.#path}/binding`, binding)
    }
    this.#startedAt = new Date().toISOString()
    if (!(await this.#playInits())) return this.#close('Failed')
    const codes = await Promise.all(this.#script.mains.map((one) => this.#playMain(one)))
    if (this.#stopped.signal.aborted) return
    for (const sidecar of this.#script.inits.filter((init) => init.isSidecar).toReversed()) {
      await this.#sleep(sidecar.stopMs)
      this.#inits.set(sidecar.name, ended(sidecar, 0, this.#inits.get(sidecar.name)))
    }
    return this.#close(codes.every((code) => code === 0) ? 'Succeeded' : 'Failed')
  }

  /** A kubelet ends the containers, says so, and then lets the object go. */
  async remove(pod: Body): Promise<void> {
    if (this.#isRemoved) return
    this.#isRemoved = true
    this.#stopped.abort()
    if (pod.spec?.['nodeName'] !== undefined && !isOver(pod)) {
      if (this.#script.stopMs > 0) {
        await new Promise((resolve) => setTimeout(resolve, this.#script.stopMs))
      }
      for (const one of this.#script.inits) this.#interrupt(this.#inits, one)
      for (const one of this.#script.mains) this.#interrupt(this.#mains, one)
      await this.#tell('Failed')
    }
    const preconditions = { uid: pod.metadata?.uid }
    const options = { apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds: 0 }
    await this.#client.request('DELETE', this.#path, { ...options, preconditions })
  }

  /** True when all init containers have done their part. */
  async #playInits(): Promise<boolean> {
    for (const init of this.#script.inits) {
      if (init.isSidecar) {
        this.#inits.set(init.name, running(init, 0))
        continue
      }
      const code = await this.#playOne(init, this.#inits)
      if (this.#stopped.signal.aborted || code !== 0) return false
    }
    return true
  }

  #playMain(container: ContainerScript): Promise<number> {
    return this.#playOne(container, this.#mains)
  }

  /** The last exit code, after as many restarts as the pod's policy makes. */
  async #playOne(container: ContainerScript, among: Map<string, ContainerStatus>): Promise<number> {
    for (let restarts = 0; ; restarts += 1) {
      among.set(container.name, running(container, restarts))
      await this.#tell(among === this.#inits ? 'Pending' : 'Running')
      await this.#sleep(container.durationMs)
      if (this.#stopped.signal.aborted) return 1
      const code = container.exitCode(restarts)
      among.set(container.name, ended(container, code, among.get(container.name)))
      const again =
        container.restart === 'Always' || (container.restart === 'OnFailure' && code !== 0)
      if (!again) {
        if (among === this.#mains && this.#script.mains.length > 1) await this.#tell('Running')
        return code
      }
    }
  }

  #interrupt(among: Map<string, ContainerStatus>, container: ContainerScript): void {
    const status = among.get(container.name)
    if (status?.state.running !== undefined)
      among.set(container.name, ended(container, 143, status))
  }

  async #close(phase: 'Succeeded' | 'Failed'): Promise<void> {
    if (!this.#stopped.signal.aborted) await this.#tell(phase)
  }

  async #tell(phase: 'Pending' | 'Running' | 'Succeeded' | 'Failed'): Promise<void> {
    const status = {
      phase,
      startTime: this.#startedAt,
      podIP: '10.1.0.1',
      podIPs: [{ ip: '10.1.0.1' }],
      conditions: phaseConditions(phase),
      ...(this.#inits.size === 0 ? {} : { initContainerStatuses: [...this.#inits.values()] }),
      containerStatuses: [...this.#mains.values()],
    }
    await this.#client.request('PATCH', `${this.#path}/status`, { status }, MERGE)
  }

  /** Ends early when the pod is stopped. */
  #sleep(ms: number): Promise<void> {
    if (ms === 0 || this.#stopped.signal.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      const timer = ms === FOREVER ? undefined : setTimeout(resolve, ms)
      this.#stopped.signal.addEventListener('abort', () => {
        clearTimeout(timer)
        resolve()
      })
    })
  }
}

function isOver(pod: Body): boolean {
  const phase = typeof pod.status === 'object' ? pod.status['phase'] : undefined
  return phase === 'Succeeded' || phase === 'Failed'
}
