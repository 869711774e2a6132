import {
  integerAt,
  isObject,
  listAt,
  objectAt,
  stringAt,
  type JsonObject,
} from '../../../core/json.ts'
import { goDurationSeconds } from '../../../core/go-duration.ts'
import type { Actor, Io, Trigger } from '../../../cluster/actor.ts'
import { succeeded } from '../../../cluster/api/request.ts'
import type { KubeObject } from '../../../cluster/object.ts'
import { objectsOf } from '../../trace/manifests.ts'
import { ofItself } from '../words.ts'
import { bundleOf, seenAt } from './bundle.ts'
import { COMMIT } from './causes.ts'
import { BUNDLES, GIT_REPOS } from './kinds.ts'

export interface GitReposOptions {
  /** What stands in Git at a revision. */
  readonly filesOf: (revision: string) => Files | undefined
  /** Polls are spread by a tenth of their period, as the real ones are (E-1). */
  readonly hasJitter?: boolean
}

export type Files = { readonly [path: string]: string }

/** Stands for the remote repository: its head, and whether it can be reached. */
export const HEAD = 'semel.dev/head'
export const UNREACHABLE = 'semel.dev/unreachable'
const REPO_NAME = 'fleet.cattle.io/repo-name'
const NAME = 'fleet-gitops'
const DEFAULT_POLLING_MS = 15_000

type Wake = { readonly key: string; readonly trigger: Trigger }
/** All that it knows stands in the cluster. */
type State = null

/**
 * The part of Fleet that makes Bundles from GitRepos: a poll every 15 s by default (E-1), of which
 * only those are played that find another commit. A changed GitRepo is worked on at once.
 */
export function gitRepos(options: GitReposOptions): Actor<State, Wake> {
  return {
    name: NAME,
    begin(io) {
      const started: Trigger = { kind: 'start', words: 'fleet started' }
      for (const repo of io.read.list(GIT_REPOS)) plan(options, repo, io, started)
      return null
    },
    observe(_state, { type, resource, object, before }, io) {
      if (resource.resource !== GIT_REPOS.resource || resource.group !== GIT_REPOS.group) return
      if (type !== 'DELETED') return plan(options, object, io, reasonOf(object, before))
      const { namespace = '', name } = object.metadata
      const key = `${namespace}/${name}`
      const trigger = { kind: 'revision', words: `GitRepo ${key} was deleted` } as const
      return io.wakeAt(io.now, { key, trigger }, key)
    },
    wake(_state, { key, trigger }, io) {
      const [namespace = '', name = ''] = key.split('/')
      const repo = io.read.get(GIT_REPOS, namespace, name)
      if (repo !== undefined) return publish(options, repo, trigger, io)
      tell({ namespace, name }, trigger, io)
      return removeOthers({ namespace, name }, new Map(), io)
    },
    copy: (state) => state,
  }
}

/** The next poll, when it will find something new. */
function plan(
  { hasJitter = false }: GitReposOptions,
  repo: KubeObject,
  io: Io<Wake>,
  reason: Trigger | undefined,
): void {
  const head = headOf(repo)
  const { creationTimestamp, generation, namespace = '', name } = repo.metadata
  const isSeen = head === undefined || head === stringAt(repo, ['status', 'commit'])
  const isKnown = integerAt(repo, ['status', 'observedGeneration']) === generation
  if (isSeen && isKnown) return
  const every = pollingOf(repo)
  const wake = { key: `${namespace}/${name}` }
  if (!isKnown || reason?.kind === 'start') {
    const trigger = reason ?? { kind: 'revision', words: `GitRepo ${wake.key} changed` }
    io.wakeAt(io.now, { ...wake, trigger }, wake.key)
    return
  }
  const first = Date.parse(creationTimestamp ?? '') || io.now
  const at = hasJitter
    ? io.now + Math.round(io.chance.next() * every * 1.1)
    : seenAt(io.now, first, every)
  const words = `commit ${head ?? ''} was there at its poll every ${every / 1000}s`
  io.wakeAt(at, { ...wake, trigger: { kind: 'revision', words } }, wake.key)
}

function headOf({ metadata: { annotations } }: KubeObject): string | undefined {
  return annotations?.[UNREACHABLE] === 'true' ? undefined : annotations?.[HEAD]
}

function pollingOf(repo: KubeObject): number {
  const seconds = goDurationSeconds(stringAt(repo, ['spec', 'pollingInterval']) ?? '') ?? 0
  return seconds > 0 ? seconds * 1000 : DEFAULT_POLLING_MS
}

function reasonOf(repo: KubeObject, before: KubeObject | undefined): Trigger | undefined {
  const { namespace = '', name, generation } = repo.metadata
  const label = `GitRepo ${namespace}/${name}`
  if (before === undefined) return { kind: 'revision', words: `${label} was created` }
  if (generation === before.metadata.generation) return undefined
  const isForced = forcedOf(repo) !== forcedOf(before)
  return isForced
    ? { kind: 'request', words: `a person forced a sync of ${label}` }
    : { kind: 'revision', words: `${label} changed` }
}

function forcedOf(repo: KubeObject): number {
  return integerAt(repo, ['spec', 'forceSyncGeneration']) ?? 0
}

/** Bundles as they are in Git; those that Git has no longer are deleted, with their releases. */
function publish(options: GitReposOptions, repo: KubeObject, trigger: Trigger, io: Io<Wake>): void {
  const head = headOf(repo)
  const files = head === undefined ? undefined : options.filesOf(head)
  if (head === undefined || files === undefined) return
  const { namespace = '', name, generation = 0 } = repo.metadata
  tell({ namespace, name }, trigger, io)
  const wanted = bundlesOf(repo, files)
  for (const bundle of wanted.values()) write(bundle, head, name, io)
  removeOthers({ namespace, name }, wanted, io)
  const status = { ...objectAt(repo, ['status']), commit: head, observedGeneration: generation }
  io.request({
    verb: 'patch',
    resource: GIT_REPOS,
    namespace,
    name,
    subresource: 'status',
    patch: { type: 'merge', body: { status } },
    options: { fieldManager: 'fleet' },
  })
}

interface Place {
  readonly namespace: string
  readonly name: string
}

function tell({ namespace, name }: Place, trigger: Trigger, io: Io<Wake>): void {
  const carrier = `GitRepo ${namespace}/${name}`
  const by = { at: io.now, actor: NAME, rule: 'E-1', carrier }
  const own = { ...trigger, words: ofItself(trigger.words, carrier) }
  io.cause({ ...by, effect: 'reconciled', object: carrier, trigger: own })
}

function removeOthers(
  { namespace, name }: Place,
  wanted: ReadonlyMap<string, JsonObject>,
  io: Io<Wake>,
): void {
  const carrier = `GitRepo ${namespace}/${name}`
  for (const { metadata } of io.read.list(BUNDLES, namespace)) {
    if (metadata.labels?.[REPO_NAME] !== name || wanted.has(metadata.name)) continue
    io.request({ verb: 'delete', resource: BUNDLES, namespace, name: metadata.name })
    const object = `Bundle ${namespace}/${metadata.name}`
    io.cause({ at: io.now, actor: NAME, rule: 'E-1', effect: 'deleted Bundle', object, carrier })
  }
}

function write(bundle: JsonObject, commit: string, repo: string, io: Io<Wake>): void {
  const metadata = objectAt(bundle, ['metadata']) ?? {}
  const namespace = stringAt(metadata, ['namespace']) ?? ''
  const name = stringAt(metadata, ['name']) ?? ''
  const labels = { [REPO_NAME]: repo, [COMMIT]: commit }
  const place = { resource: BUNDLES, namespace, options: { fieldManager: 'fleet' } }
  const live = io.read.get(BUNDLES, namespace, name)
  if (live === undefined) {
    io.request({ verb: 'create', ...place, body: { ...bundle, metadata: { ...metadata, labels } } })
    return
  }
  const next = { ...live, spec: bundle['spec'] ?? {}, metadata: { ...live.metadata, labels } }
  const answer = io.request({ verb: 'update', ...place, name, body: next })
  if (!succeeded(answer)) throw new Error(`Bundle ${name} could not be written: ${answer.code}`)
}

/** Every folder with a fleet.yaml, and a path without one that holds manifests, is a bundle. */
function bundlesOf(repo: KubeObject, files: Files): ReadonlyMap<string, JsonObject> {
  const paths = listAt(repo, ['spec', 'paths']).filter((path) => typeof path === 'string')
  const { namespace = '', name } = repo.metadata
  const bundles = new Map<string, JsonObject>()
  for (const root of (paths.length === 0 ? ['.'] : paths).map(folderOf)) {
    for (const folder of bundleFolders(root, files)) {
      const own = filesOf(folder, files)
      const bundleName = givenName(own) ?? nameOf(folder === '' ? name : `${name}/${folder}`)
      bundles.set(bundleName, withSpecOf(repo, bundleOf(bundleName, namespace, own)))
    }
  }
  return bundles
}

/** A fleet.yaml may name its bundle. */
function givenName(files: Files): string | undefined {
  const [own] = objectsOf('fleet.yaml', files['fleet.yaml'] ?? files['fleet.yml'] ?? '')
  return stringAt(own, ['name'])
}

/** `./apps/` is `apps`, `.` and `/` are the root. */
function folderOf(path: string): string {
  return path.replace(/^(\.?\/)+|^\.$/, '').replace(/\/+$/, '')
}

function bundleFolders(root: string, files: Files): readonly string[] {
  const below = Object.keys(files).filter((path) => root === '' || path.startsWith(`${root}/`))
  const own = below.flatMap((path) => {
    const folder = /^(?:(.*)\/)?fleet\.ya?ml$/.exec(path)
    return folder === null ? [] : [folder[1] ?? '']
  })
  const isFree = (path: string): boolean =>
    /\.ya?ml$/.test(path) && !own.some((folder) => isBelow(path, folder))
  return own.includes(root) || !below.some(isFree) ? own : [root, ...own]
}

/** The files of a folder but for those that a deeper fleet.yaml takes. */
function filesOf(folder: string, files: Files): Files {
  const deeper = bundleFolders(folder, files).filter((one) => one !== folder)
  const prefix = folder === '' ? '' : `${folder}/`
  return Object.fromEntries(
    Object.entries(files)
      .filter(([path]) => isBelow(path, folder) && !deeper.some((one) => isBelow(path, one)))
      .map(([path, text]) => [path.slice(prefix.length), text]),
  )
}

function isBelow(path: string, folder: string): boolean {
  return folder === '' || path.startsWith(`${folder}/`)
}

/** As a Helm release may be called. */
function nameOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 53)
}

/** What a GitRepo says for all of its bundles; correctDrift counts before the bundle's own. */
function withSpecOf(repo: KubeObject, bundle: JsonObject): JsonObject {
  const given = objectAt(repo, ['spec']) ?? {}
  const spec: { [key: string]: JsonObject[string] } = { ...objectAt(bundle, ['spec']) }
  const forced = forcedOf(repo)
  if (forced > 0) spec['forceSyncGeneration'] = forced
  const target = stringAt(given, ['targetNamespace']) ?? ''
  if (target !== '') spec['targetNamespace'] = target
  for (const key of ['paused', 'keepResources']) if (given[key] === true) spec[key] = true
  const drift = given['correctDrift']
  if (isObject(drift) && drift['enabled'] === true) spec['correctDrift'] = drift
  return { ...bundle, spec }
}
