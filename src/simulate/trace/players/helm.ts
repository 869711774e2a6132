import { isObject, objectAt, stringAt, type JsonObject } from '../../../core/json.ts'
import type { Io } from '../../../cluster/actor.ts'
import type { Answer } from '../../../cluster/api/request.ts'
import { withLastApplied } from '../../../cluster/clients/kubectl/last-applied.ts'
import { defaultKinds } from '../../../cluster/kinds/index.ts'
import { bystanderKinds, kindFinder } from '../../engines/kinds.ts'
import { helmClient, type HelmCall, type HelmVersion } from '../../engines/helm/index.ts'
import { rendered } from '../../engines/helm/manifest.ts'
import type { Trace, TraceEvent, TraceFiles } from '../format.ts'
import { busyLatencies } from '../busy.ts'
import type { EventAnswer, TracePlayer } from '../player.ts'
import { patchManager } from './flux-people.ts'
import { alikeOutput } from './helm-output.ts'
import { replayPolicy, replayWriter } from './helm-replay.ts'
import { playOn, zeroOf } from './stage.ts'

/** Somebody who types Helm commands, one after the other, and what else is done meanwhile. */
export const helmPlayer: TracePlayer = {
  engine: 'helm',
  play: (trace, tools) => {
    const namespace = namespaceOf(trace)
    const kindOf = kindFinder(bystanderKinds)
    const answers: EventAnswer[] = []
    const typed = callsOf(trace)
    const client = helmClient({
      calls: typed.map(({ call }) => call),
      namespace,
      ports: { kindOf },
      reactionMs: REACTION_MS,
      ended: (call, run) => {
        const event = typed.find((one) => one.call === call)?.event ?? 0
        answers.push(answerOf(trace, event, run))
      },
    })
    const played = playOn(
      trace,
      {
        actors: [client, replayWriter(trace)],
        restarts: [],
        kinds: bystanderKinds,
        namespace,
        latencies: (soFar) => busyLatencies(trace, soFar),
        acts: {
          commit: () => undefined,
          patch: (event, io) => patch(event, trace, namespace, io),
          apply: (event, io) => apply(event, trace, namespace, io),
        },
      },
      tools,
    )
    return { ...played, answers: [...played.answers, ...answers] }
  },
}

/** In the median of 107 hooks. */
const REACTION_MS = 50

function answerOf(
  trace: Trace,
  event: number,
  { exit, output }: { readonly exit: number | null; readonly output: string },
): EventAnswer {
  const given = trace.events[event]
  const recorded = `exit ${JSON.stringify(given?.['exit'])}; ${alikeOutput(stringAt(given, ['output']) ?? '')}`
  const model = `exit ${String(exit)}; ${alikeOutput(output)}`
  return { event, t: given?.t ?? 0, what: stringAt(given, ['command']) ?? '', recorded, model }
}

/** Jobs tell it; without any, Helm's own words do. */
function namespaceOf(trace: Trace): string {
  const [job] = trace.observed.jobs
  if (job !== undefined) return job.namespace
  for (const event of trace.events) {
    const found = /in namespace "([^"]+)"/.exec(stringAt(event, ['output']) ?? '')?.[1]
    if (found !== undefined) return found
  }
  return trace.id
}

/** Each command with the chart that was committed last before it. */
function callsOf(trace: Trace): readonly { readonly event: number; readonly call: HelmCall }[] {
  const zero = zeroOf(trace)
  let chart: { readonly [path: string]: string } = {}
  return trace.events.flatMap((given, event) => {
    if (given.do === 'commit') chart = filesOf(trace.files[stringAt(given, ['files']) ?? ''])
    if (given.do !== 'helm') return []
    const seconds = typeof given['seconds'] === 'number' ? given['seconds'] : 0
    const end = given.t + seconds
    const call: HelmCall = {
      command: stringAt(given, ['command']) ?? '',
      chart,
      version: versionOf(trace, given),
      at: zero + given.t * 1000,
      startMs: (startOf(trace, given.t, end) - given.t) * 1000,
      ...(stringAt(given, ['signal']) === undefined ? {} : { killAt: zero + end * 1000 }),
    }
    return [{ event, call }]
  })
}

/** A client needs up to a second to start: its first write counts, or the middle without any. */
function startOf({ observed }: Trace, from: number, to: number): number {
  for (const request of observed.requests ?? []) {
    const t = request['t']
    if (typeof t !== 'number' || t < from || t > to + 0.01) continue
    if (stringAt(request, ['by'])?.toLowerCase() === 'helm') return t
  }
  return Math.min(from + 0.3, (from + to) / 2)
}

function filesOf(files: TraceFiles | undefined): { readonly [path: string]: string } {
  return typeof files === 'object' ? files : {}
}

/** `3.17.2`; where both were used, `helm3` and `helm4` of the command or a version of the event tell. */
function versionOf(trace: Trace, event: TraceEvent): HelmVersion {
  const own = stringAt(event, ['version']) ?? stringAt(event, ['by']) ?? ''
  const word = /^helm(\d)/.exec(stringAt(event, ['command']) ?? '')?.[1]
  const texts = `${own} ${trace.engine.version ?? ''}`.match(/\d+\.\d+/g) ?? []
  const versions = texts.map((text) => text.split('.').map(Number))
  const [major = 4, minor = 0] =
    versions.find(([first]) => word === undefined || first === Number(word)) ?? []
  return { major: major === 3 ? 3 : 4, minor }
}

/** A policy in the recorder's words, or an object of a chart that kubectl applied before. */
function apply(
  event: TraceEvent,
  trace: Trace,
  namespace: string,
  io: Io<never>,
): Answer | undefined {
  const text = stringAt(event, ['object']) ?? ''
  const policy = replayPolicy(text, namespace)
  let answer: Answer | undefined
  for (const request of policy) answer = io.request({ verb: 'create', ...request })
  if (policy.length > 0) return answer
  const object = chartObject(trace, text, namespace)
  if (object === undefined) return undefined
  const metadata = { ...objectAt(object, ['metadata']), namespace }
  return io.request({
    verb: 'create',
    resource: { group: 'batch', version: 'v1', resource: 'jobs' },
    namespace,
    body: withLastApplied({ ...object, metadata }),
    options: { fieldManager: 'kubectl-client-side-apply' },
  })
}

/** By whom, only the log of the API server tells. */
function patch(
  event: TraceEvent,
  trace: Trace,
  namespace: string,
  io: Io<never>,
): Answer | undefined {
  const [word = '', name = ''] = (stringAt(event, ['object']) ?? '').split('/')
  const kind = [...defaultKinds, ...bystanderKinds].find((one) => one.kind === word)
  const body = event['patch']
  if (kind === undefined || !isObject(body)) return undefined
  const { group, version, resource, namespaced } = kind
  return io.request({
    verb: 'patch',
    resource: { group, version, resource },
    ...(namespaced ? { namespace } : {}),
    name,
    patch: { type: 'merge', body },
    options: { fieldManager: patchManager(event, trace) },
  })
}

/** `Job/one`, as the first chart that has it renders it. */
function chartObject(trace: Trace, text: string, namespace: string): JsonObject | undefined {
  const [kind, name] = text.split('/')
  for (const files of Object.values(trace.files)) {
    const release = { name: 'rel', namespace, revision: 1, isInstall: true }
    const ports = { kindOf: kindFinder() }
    const chart = rendered({ files: filesOf(files), values: {} }, release, ports)
    if ('fault' in chart) continue
    const found = [...chart.manifest, ...chart.hooks.map(({ object }) => object)].find(
      (object) => object['kind'] === kind && stringAt(object, ['metadata', 'name']) === name,
    )
    if (found !== undefined) return found
  }
  return undefined
}
