import { booleanAt, objectAt, stringAt, type JsonObject } from '../../../core/json.ts'
import type { Actor, Io, Trigger } from '../../../cluster/actor.ts'
import type { WatchEvent } from '../../../cluster/api/request.ts'
import { equal } from '../../../cluster/fields/index.ts'
import type { KubeObject } from '../../../cluster/object.ts'
import type { Instant } from '../../../cluster/time.ts'
import { spanSeconds } from '../../scenario/span.ts'
import { Round, shown } from '../causes.ts'
import { imageText, type Image } from '../image.ts'
import type { Git } from '../second-actor.ts'
import { tickAt } from '../ticks.ts'
import { AUTOMATIONS, POLICIES } from './kinds.ts'
import { isOther } from './reflector.ts'
import { withSetters } from './setters.ts'

const AUTOMATION = 'image-automation-controller'

export interface State {
  /** When each automation last ran: its interval counts from there. */
  readonly ranAt: Map<string, Instant>
  /** What went to a branch that nobody applies, so that it goes there once. */
  readonly pushed: Map<string, string>
}

export type Wake = JsonObject & {
  readonly namespace: string
  readonly name: string
  readonly trigger: JsonObject & Trigger
}

/**
 * image-automation-controller 1.2 (IA-4 to IA-7): writes what the policies of its namespace chose
 * behind the marks in Git. It runs when a policy chose anew, when it is asked, and at its interval;
 * an interval in which Git did not change is left out.
 */
export function imageAutomation(git: Git): Actor<State, Wake> {
  return {
    name: AUTOMATION,
    begin(io) {
      const trigger = { kind: 'start', words: `${AUTOMATION} started` } as const
      for (const object of io.read.list(AUTOMATIONS)) plan(object, io.now, trigger, io)
      return { ranAt: new Map(), pushed: new Map() }
    },
    observe: (state, event, io) => observe(state, event, io),
    wake(state, { namespace, name, trigger }, io) {
      const object = io.read.get(AUTOMATIONS, namespace, name)
      if (object === undefined) return
      state.ranAt.set(`${namespace}/${name}`, io.now)
      if (booleanAt(object, ['spec', 'suspend']) !== true) run(object, trigger, { state, git, io })
    },
    copy: ({ ranAt, pushed }) => ({ ranAt: new Map(ranAt), pushed: new Map(pushed) }),
  }
}

function plan(object: KubeObject, at: Instant, trigger: Trigger, io: Io<Wake>): void {
  const { namespace = '', name } = object.metadata
  const wake = { namespace, name, trigger: { ...trigger } }
  io.wakeAt(at, wake, `run ${namespace}/${name}`)
}

function observe(state: State, event: WatchEvent, io: Io<Wake>): void {
  const { resource, object, before } = event
  if (resource.resource === AUTOMATIONS.resource && isOther(event)) {
    const isNew = before === undefined
    const words = isNew ? 'it is new' : 'its settings changed, or somebody asked'
    plan(object, io.now, { kind: 'request', words }, io)
  }
  if (resource.resource === POLICIES.resource) followPolicy(event, io)
  if (resource.resource === 'gitrepositories') followGit(state, event, io)
}

/** IA-5: a policy of its namespace chose anew, whatever the interval says. */
function followPolicy({ type, object, before }: WatchEvent, io: Io<Wake>): void {
  const chosen = objectAt(object, ['status', 'latestRef'])
  if (type !== 'MODIFIED' || chosen === undefined) return
  if (equal(chosen, objectAt(before, ['status', 'latestRef']) ?? null)) return
  const words = `${shown(object)} chose ${imageText(imageFrom(chosen))}`
  for (const automation of io.read.list(AUTOMATIONS, object.metadata.namespace)) {
    plan(automation, io.now, { kind: 'dependency', words }, io)
  }
}

/** IA-7: a commit of somebody else is looked at with the next interval. */
function followGit(state: State, { object, before }: WatchEvent, io: Io<Wake>): void {
  const revision = stringAt(object, ['status', 'artifact', 'revision'])
  if (revision === stringAt(before, ['status', 'artifact', 'revision'])) return
  for (const automation of io.read.list(AUTOMATIONS)) {
    const own = automation.metadata.namespace ?? ''
    const ref = objectAt(automation, ['spec', 'sourceRef'])
    if (stringAt(ref, ['name']) !== object.metadata.name) continue
    if ((stringAt(ref, ['namespace']) ?? own) !== object.metadata.namespace) continue
    const interval = stringAt(automation, ['spec', 'interval']) ?? '10m'
    const everyMs = Math.max(1, spanSeconds(interval) ?? 600) * 1000
    const anchor = state.ranAt.get(`${own}/${automation.metadata.name}`) ?? io.now
    const at = tickAt({ anchor, everyMs }, io.now, anchor)
    plan(automation, at, { kind: 'interval', words: `its interval of ${interval} was over` }, io)
  }
}

interface Running {
  readonly state: State
  readonly git: Git
  readonly io: Io<Wake>
}

function run(automation: KubeObject, trigger: Trigger, { state, git, io }: Running): void {
  const images = imagesFor(automation, io)
  const before = git.files()
  const path = stringAt(automation, ['spec', 'update', 'path']) ?? './'
  const files = withSetters(before, path, images)
  if (files === before) return
  const carrier = shown(automation)
  const options = { actor: AUTOMATION, carrier, rule: 'IA-5', effect: 'set images in Git', trigger }
  const round = new Round(io, options)
  const names = [...images.values()].map(imageText).join(', ')
  const branch = otherBranch(automation)
  if (branch !== undefined) {
    const signature = `${branch} ${names}`
    if (state.pushed.get(carrier) === signature) return
    state.pushed.set(carrier, signature)
    round.did('IA-6', `pushed ${names} to branch ${branch}, which nothing applies`, carrier)
    return
  }
  round.did('IA-4', `committed ${names}`, carrier)
  git.commit({ author: AUTOMATION, message: 'Update from image update automation', files })
}

/** By the name that marks use: `flux-system:shop`. */
function imagesFor(automation: KubeObject, io: Io<Wake>): ReadonlyMap<string, Image> {
  const labels = objectAt(automation, ['spec', 'policySelector', 'matchLabels']) ?? {}
  const images = new Map<string, Image>()
  for (const { metadata, ...policy } of io.read.list(POLICIES, automation.metadata.namespace)) {
    const isMeant = Object.entries(labels).every(([key, value]) => metadata.labels?.[key] === value)
    const chosen = objectAt(policy, ['status', 'latestRef'])
    if (!isMeant || chosen === undefined) continue
    images.set(`${metadata.namespace ?? ''}:${metadata.name}`, imageFrom(chosen))
  }
  return images
}

function imageFrom(latestRef: JsonObject): Image {
  const digest = stringAt(latestRef, ['digest'])
  return {
    repository: stringAt(latestRef, ['name']) ?? '',
    tag: stringAt(latestRef, ['tag']) ?? 'latest',
    ...(digest === undefined ? {} : { digest }),
  }
}

/** IA-6: where it pushes, if that is not where it reads. */
function otherBranch(automation: KubeObject): string | undefined {
  const push = stringAt(automation, ['spec', 'git', 'push', 'branch'])
  const checkout = stringAt(automation, ['spec', 'git', 'checkout', 'ref', 'branch']) ?? 'main'
  return push === checkout ? undefined : push
}
