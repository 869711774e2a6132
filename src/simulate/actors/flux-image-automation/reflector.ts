import { booleanAt, listAt, objectAt, stringAt, type JsonObject } from '../../../core/json.ts'
import type { Actor, Io } from '../../../cluster/actor.ts'
import type { WatchEvent } from '../../../cluster/api/request.ts'
import { equal } from '../../../cluster/fields/index.ts'
import type { KubeObject } from '../../../cluster/object.ts'
import type { Instant } from '../../../cluster/time.ts'
import { spanSeconds } from '../../scenario/span.ts'
import { Round, shown } from '../causes.ts'
import { imageOf, imageText } from '../image.ts'
import type { Registry, Tag } from '../registry.ts'
import { tickAt } from '../ticks.ts'
import { POLICIES, REPOSITORIES } from './kinds.ts'
import { chosenBy } from './policy.ts'

const REFLECTOR = 'image-reflector-controller'

export interface State {
  /** When each ImageRepository was last scanned with success: what its policies choose from. */
  readonly scans: Map<string, Instant>
}

export type Wake = JsonObject & {
  readonly kind: 'scan' | 'policy'
  readonly namespace: string
  readonly name: string
}

/**
 * image-reflector-controller 1.2 (IA-1 to IA-3): scans the tags of each ImageRepository at its
 * interval and writes what each ImagePolicy chooses into its status. Scans that must find the same are
 * left out.
 */
export function imageReflector(registry: Registry): Actor<State, Wake> {
  return {
    name: REFLECTOR,
    begin(io) {
      for (const object of io.read.list(REPOSITORIES)) plan('scan', object, io.now, io)
      return { scans: new Map() }
    },
    observe(_state, event, io) {
      const { resource, object } = event
      if (!isOther(event)) return
      if (resource.resource === REPOSITORIES.resource) plan('scan', object, io.now, io)
      if (resource.resource === POLICIES.resource) plan('policy', object, io.now, io)
    },
    wake(state, { kind, namespace, name }, io) {
      const place = kind === 'scan' ? REPOSITORIES : POLICIES
      const object = io.read.get(place, namespace, name)
      if (object === undefined || booleanAt(object, ['spec', 'suspend']) === true) return
      if (kind === 'scan') scan(object, state, registry, io)
      else choose(object, state, registry, io)
    },
    copy: ({ scans }) => ({ scans: new Map(scans) }),
  }
}

/** A new object, a new spec, or somebody asked. */
export function isOther({ type, object, before }: WatchEvent): boolean {
  if (type === 'DELETED') return false
  const asked = (one: KubeObject | undefined): string =>
    one?.metadata.annotations?.['reconcile.fluxcd.io/requestedAt'] ?? ''
  return asked(object) !== asked(before) || !equal(object['spec'] ?? {}, before?.['spec'] ?? null)
}

function plan(kind: Wake['kind'], object: KubeObject, at: Instant, io: Io<Wake>): void {
  const { namespace = '', name } = object.metadata
  io.wakeAt(at, { kind, namespace, name }, `${kind} ${namespace}/${name}`)
}

function keyOf({ metadata }: KubeObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`
}

/** IA-1 */
function scan(repository: KubeObject, state: State, registry: Registry, io: Io<Wake>): void {
  const image = imageOf(stringAt(repository, ['spec', 'image']) ?? '').repository
  const everyMs = intervalMs(repository, '1m')
  const next = registry.nextChange(image, io.now)
  if (next !== undefined) {
    plan('scan', repository, tickAt({ anchor: io.now, everyMs }, next, io.now), io)
  }
  if (registry.tags(image, io.now) === undefined) return
  state.scans.set(keyOf(repository), io.now)
  for (const policy of io.read.list(POLICIES)) {
    if (repositoryOf(policy) === keyOf(repository)) choose(policy, state, registry, io)
  }
}

function intervalMs(object: KubeObject, otherwise: string): number {
  const text = stringAt(object, ['spec', 'interval']) ?? otherwise
  return Math.max(1, spanSeconds(text) ?? 60) * 1000
}

function repositoryOf(policy: KubeObject): string {
  const ref = objectAt(policy, ['spec', 'imageRepositoryRef'])
  const own = policy.metadata.namespace ?? ''
  return `${stringAt(ref, ['namespace']) ?? own}/${stringAt(ref, ['name']) ?? ''}`
}

/** IA-2: from the tags of the last scan; IA-3: with the digest that the tag has now. */
function choose(policy: KubeObject, state: State, registry: Registry, io: Io<Wake>): void {
  const key = repositoryOf(policy)
  const scannedAt = state.scans.get(key)
  const [namespace, name = ''] = key.split('/')
  const repository = io.read.get(REPOSITORIES, namespace, name)
  if (scannedAt === undefined || repository === undefined) return
  if (booleanAt(policy, ['spec', 'suspend']) === true) return
  const image = imageOf(stringAt(repository, ['spec', 'image']) ?? '').repository
  const excluded = exclusionsOf(repository)
  const tags = (registry.tags(image, scannedAt) ?? []).filter(
    (tag) => !excluded.some((pattern) => pattern.test(tag.name)),
  )
  const chosen = chosenBy(policy, tags)
  if (chosen === undefined) return
  if (stringAt(policy, ['spec', 'digestReflectionPolicy']) === 'Always') {
    const change = registry.nextChange(image, io.now)
    const ticks = { anchor: io.now, everyMs: intervalMs(policy, '10m') }
    if (change !== undefined) plan('policy', policy, tickAt(ticks, change, io.now), io)
  }
  const digest = digestOf(policy, image, chosen, registry.tags(image, io.now))
  if (digest === undefined) return
  const latestRef = { name: image, tag: chosen.name, ...(digest === '' ? {} : { digest }) }
  if (equal(objectAt(policy, ['status', 'latestRef']) ?? {}, latestRef)) return
  write(policy, repository, latestRef, io)
}

/** IA-3: `Never` (the default) writes none; undefined: nobody answers. */
function digestOf(
  policy: KubeObject,
  image: string,
  chosen: Tag,
  tags: readonly Tag[] | undefined,
): string | undefined {
  const reflection = stringAt(policy, ['spec', 'digestReflectionPolicy']) ?? 'Never'
  if (reflection === 'Never') return ''
  const known = objectAt(policy, ['status', 'latestRef'])
  const isKnown = known?.['name'] === image && known['tag'] === chosen.name
  const kept = isKnown ? stringAt(known, ['digest']) : undefined
  if (reflection === 'IfNotPresent' && kept !== undefined) return kept
  return tags?.find(({ name }) => name === chosen.name)?.digest
}

function exclusionsOf(repository: KubeObject): readonly RegExp[] {
  const list = listAt(repository, ['spec', 'exclusionList'])
  const patterns = list.filter((one) => typeof one === 'string')
  return (patterns.length === 0 ? [String.raw`^.*\.sig$`] : patterns).flatMap((pattern) => {
    try {
      return [new RegExp(pattern)]
    } catch {
      return []
    }
  })
}

function write(
  policy: KubeObject,
  repository: KubeObject,
  latestRef: JsonObject,
  io: Io<Wake>,
): void {
  const { namespace = '', name } = policy.metadata
  const { name: image = '', tag, digest } = latestRef as { readonly [key: string]: string }
  const text = imageText({
    repository: image,
    ...(tag === undefined ? {} : { tag }),
    ...(digest === undefined ? {} : { digest }),
  })
  const interval = stringAt(repository, ['spec', 'interval']) ?? '1m'
  const carrier = shown(policy)
  const words = `the scan of ${shown(repository)}, each ${interval}, found ${text}`
  const trigger = { kind: 'interval', words } as const
  const options = { actor: REFLECTOR, carrier, rule: 'IA-1', effect: 'looked at the tags', trigger }
  io.request({
    verb: 'patch',
    resource: POLICIES,
    namespace,
    name,
    subresource: 'status',
    patch: { type: 'merge', body: { status: { latestRef: { digest: null, ...latestRef } } } },
    options: { fieldManager: REFLECTOR },
  })
  new Round(io, options).did('IA-2', `chose ${text}`, carrier)
}
