import { stringAt, type JsonObject } from '../../core/json.ts'
import { objectsOf } from '../trace/manifests.ts'
import type { WorldEvent } from '../world/world.ts'
import type { Files } from './stage.ts'

/** Engines whose own object stands beside what it applies, and how it is known. */
const OWN: Readonly<Record<string, { readonly kind: string; readonly group: string }>> = {
  argocd: { kind: 'Application', group: 'argoproj.io/' },
  'flux-kustomization': { kind: 'Kustomization', group: 'kustomize.toolkit.fluxcd.io/' },
}

const GROUPS =
  /^(?:argoproj\.io|[a-z]+\.toolkit\.fluxcd\.io|fleet\.cattle\.io|fluxcd\.controlplane\.io)\//

/**
 * The engine's own objects: YAML at the top of the folder that no event applies, and objects of
 * engines' kinds in folders that no event names. Without an Application or a Kustomization, one
 * stands for all that is applied.
 */
export function carriersOf(
  engine: string,
  files: Files,
  { applied, events }: { applied: ReadonlySet<string>; events: readonly WorldEvent[] },
): readonly JsonObject[] {
  const isApplied = (path: string): boolean =>
    [...applied].some((one) => path === one || path.startsWith(`${one.replace(/\/$/, '')}/`))
  const found = Object.entries(files)
    .filter(([path]) => /\.ya?ml$/.test(path) && path !== 'scenario.yaml' && !isApplied(path))
    .filter(([path]) => !/(?:^|\/)(?:commits|templates)\//.test(path))
    .flatMap(([path, text]) =>
      objectsOf(path, text).filter(
        (object) => !path.includes('/') || GROUPS.test(stringAt(object, ['apiVersion']) ?? ''),
      ),
    )
  const own = OWN[engine]
  if (own === undefined) return found
  const isOwn = ownOf(own)
  if (found.some(isOwn)) return found
  const inGit = events.flatMap((event) =>
    event.kind === 'commit' ? ownIn(engine, event.files) : [],
  )
  if (inGit.length > 0) return found
  return [...found, standIn(engine, events)]
}

function ownOf({ kind, group }: { kind: string; group: string }): (object: JsonObject) => boolean {
  return (object) =>
    stringAt(object, ['kind']) === kind &&
    stringAt(object, ['apiVersion'])?.startsWith(group) === true
}

/** Applied from the top of the folder, it is what a person or a bootstrap applies to the cluster. */
function ownIn(engine: string, files: Files): readonly JsonObject[] {
  const own = OWN[engine]
  if (own === undefined) return []
  return Object.entries(files)
    .filter(([path]) => /^[^/]+\.ya?ml$/.test(path))
    .flatMap(([path, text]) => objectsOf(path, text))
    .filter(ownOf(own))
}

/** The commits of engines whose own object events apply, with that object as it is from then on. */
export function withCarriers(
  engine: string,
  carriers: readonly JsonObject[],
  events: readonly WorldEvent[],
): readonly WorldEvent[] {
  const isOurs = events.some(
    (event) => event.kind === 'commit' && ownIn(engine, event.files).length > 0,
  )
  if (!isOurs) return events
  return events.map((event) =>
    event.kind === 'commit'
      ? { ...event, carriers: [...carriers, ...ownIn(engine, event.files)] }
      : event,
  )
}

function standIn(engine: string, events: readonly WorldEvent[]): JsonObject {
  const paths = events.flatMap((event) => (event.kind === 'commit' ? Object.keys(event.files) : []))
  const path = commonFolder(paths)
  const metadata = { name: 'scenario' }
  if (engine === 'argocd') {
    return {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata,
      spec: {
        project: 'default',
        source: { repoURL: 'https://git.example.test/scenario.git', path, targetRevision: 'main' },
        destination: { server: 'https://kubernetes.default.svc', namespace: 'default' },
      },
    }
  }
  return {
    apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
    kind: 'Kustomization',
    metadata: { ...metadata, namespace: 'flux-system' },
    spec: {
      interval: '10m',
      path: `./${path}`,
      prune: true,
      sourceRef: { kind: 'GitRepository', name: 'scenario' },
    },
  }
}

function commonFolder(paths: readonly string[]): string {
  const [first = [], ...others] = paths.map((path) => path.split('/').slice(0, -1))
  const length = others.reduce((most, one) => {
    const differs = first.slice(0, most).findIndex((part, at) => part !== one[at])
    return differs < 0 ? most : differs
  }, first.length)
  return length === 0 ? '.' : first.slice(0, length).join('/')
}
