import { createCel } from '../../../src/adapters/cel.ts'
import { toHttp } from '../../../src/cluster/api/http.ts'
import type { Request } from '../../../src/cluster/api/request.ts'
import type { Cluster } from '../../../src/cluster/cluster.ts'
import { createCluster } from '../../../src/cluster/index.ts'
import { stringAt, type Json, type JsonObject } from '../../../src/core/json.ts'
import type { Client } from '../rig/client.ts'
import { Comparison, type Answered, type Difference } from './compare.ts'
import { knownAs } from './known.ts'
import { resolve } from './resolve.ts'
import { NAMESPACES, USER, type Step } from './script.ts'

export interface Played {
  readonly step: Step
  /** As it was sent to the real server, with its placeholders filled in. */
  readonly request: Request
  readonly real: Answered
  readonly model: Answered
  readonly differences: readonly Difference[]
}

export interface Settings {
  readonly client: Client
  /** Unlike that of any other play on this server. */
  readonly namespace: string
  /** Kubernetes 1.x. */
  readonly minor: number
}

const AGREE_WITHIN_MS = 5_000
const POLL_MS = 50
/** Both sides should see the same second: none is begun in its last part. */
const LAST_PART_MS = 60

/**
 * Plays steps against the real server and against a fresh model, each with its own answers in the
 * placeholders, in a namespace of their own.
 */
export class Play {
  readonly #client: Client
  readonly #namespace: string
  readonly #cluster: Cluster
  readonly #comparison = new Comparison()
  readonly #realAnswers = new Map<string, JsonObject>()
  readonly #modelAnswers = new Map<string, JsonObject>()
  #crossedSeconds = false

  private constructor({ client, namespace, minor }: Settings) {
    this.#client = client
    this.#namespace = namespace
    this.#cluster = createCluster({ now: Date.now(), minor, actors: [], cel: createCel() })
  }

  static async start(settings: Settings): Promise<Play> {
    const play = new Play(settings)
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: settings.namespace } }
    const request = { verb: 'create', resource: NAMESPACES, body, user: USER } as const
    const { real, model } = await play.step({ request })
    if (real.code === 201 && model.code === 201) return play
    throw new Error(`no namespace: ${JSON.stringify(real.body)} ${JSON.stringify(model.body)}`)
  }

  /** A step has gone over the end of a second, so that times may differ by one. */
  get crossedSeconds(): boolean {
    return this.#crossedSeconds
  }

  async step(step: Step): Promise<Played> {
    const spare = 1000 - (Date.now() % 1000)
    if (spare <= LAST_PART_MS) await new Promise((done) => setTimeout(done, spare))
    const startedAt = Date.now()
    const played = await this.#step(step)
    if (Math.floor(startedAt / 1000) !== Math.floor(Date.now() / 1000)) this.#crossedSeconds = true
    return played
  }

  async #step(step: Step): Promise<Played> {
    const request = filled(step, this.#namespace, this.#realAnswers)
    const model = this.#ask(filled(step, this.#namespace, this.#modelAnswers))
    const prefix = stringAt(request.body, ['metadata', 'generateName'])
    const deadline = performance.now() + AGREE_WITHIN_MS
    for (;;) {
      const real = await ask(this.#client, request)
      const mayWait = step.eventually === true && performance.now() < deadline
      const differences = mayWait
        ? this.#comparison.tryCompare(real, model, prefix)
        : this.#comparison.compare(real, model, prefix)
      if (mayWait && differences.length > 0) {
        await new Promise((done) => setTimeout(done, POLL_MS))
        continue
      }
      this.#keep(step, request, { real, model })
      for (const difference of differences) {
        if (knownAs(request, difference)?.isNewVersion === true) this.#comparison.accept(difference)
      }
      return { step, request, real, model, differences }
    }
  }

  #ask(request: Request): Answered {
    this.#cluster.runUntil(Date.now())
    const { code, body, warnings } = this.#cluster.request(request)
    return { code, body, warnings }
  }

  /** Under the step's own label; and objects under `RESOURCE/NAME`, as they were seen last. */
  #keep(
    { as }: Step,
    { resource, name, subresource, options }: Request,
    { real, model }: { readonly real: Answered; readonly model: Answered },
  ): void {
    if (as !== undefined) {
      this.#realAnswers.set(as, real.body)
      this.#modelAnswers.set(as, model.body)
    }
    if (subresource === 'scale' || options?.dryRun === true) return
    for (const [answers, { code, body }] of [
      [this.#realAnswers, real],
      [this.#modelAnswers, model],
    ] as const) {
      const object = name ?? stringAt(body, ['metadata', 'name'])
      const isObject = code < 300 && body['kind'] !== 'Status' && body['items'] === undefined
      if (isObject && object !== undefined) answers.set(`${resource.resource}/${object}`, body)
    }
  }
}

function filled(step: Step, namespace: string, answers: ReadonlyMap<string, JsonObject>): Request {
  const request = step.request as unknown as JsonObject
  return resolve(request, { namespace, answers }) as unknown as Request
}

async function ask(client: Client, request: Request): Promise<Answered> {
  const { method, path, contentType, body, userAgent } = toHttp(request)
  const text = body === undefined ? undefined : jsonText(body)
  const answer = await client.request(method, path, text, contentType, userAgent)
  return { code: answer.code, body: answer.body as JsonObject, warnings: answer.warnings }
}

function jsonText(body: Json): string {
  return JSON.stringify(body, (_key, value: unknown) =>
    typeof value === 'bigint' ? Number(value) : value,
  )
}
