import { at, isObject, listAt, stringAt, type JsonObject } from '../../core/json.ts'
import type { Manifest } from '../../core/manifest.ts'
import { globToRegExp } from '../glob.ts'
import { entryOf, NOTHING, type Built, type Entry } from '../kustomize/built.ts'
import type { Sourced } from '../kustomize/fields.ts'
import { moved } from '../kustomize/steps.ts'
import { fileOf } from '../place.ts'
import { originOf, setField, traced, type Origin, type Traced } from '../traced.ts'
import { parent, resolvePath } from '../tree.ts'
import { fullName } from '../world.ts'
import { inNamespace } from './argocd-application.ts'
import {
  load,
  type Carrier,
  type CarrierEntry,
  type CarrierKind,
  type Load,
  type Say,
  type Surroundings,
} from './carrier.ts'

/**
 * A Fleet GitRepo makes a bundle of each of its paths. Folders with a fleet.yaml are bundles of
 * their own, see `fleetBundles`.
 */
export const fleetGitRepo: CarrierKind = {
  group: 'fleet.cattle.io',
  kind: 'GitRepo',
  carriersOf: (entry, repo) => [gitRepo(entry, repo)],
}

function gitRepo({ manifest, object }: CarrierEntry, repo: Surroundings): Carrier {
  return {
    engine: 'fleet',
    label: `GitRepo ${fullName(object.value)}`,
    path: fileOf(object.trace.origin),
    manifest,
    object,
    loads: () => {
      const namespace = sourcedText(object, ['spec', 'targetNamespace'])
      const bundles = new Set(bundleFolders(repo))
      return pathsOf(object, repo)
        .filter(({ folder }) => !bundles.has(folder))
        .map(({ folder, isForeign }) => {
          const { entries, generated } = contents(folder, repo)
          const placed = entries.map((entry) => moved(entry, namespace))
          return load({ entries: placed, generated }, { isForeign })
        })
    },
  }
}

/** Every folder with a fleet.yaml is a bundle, whichever GitRepo names it. */
export function fleetBundles(repo: Surroundings): readonly Carrier[] {
  const drifts = driftsOf(repo)
  return bundleFolders(repo).flatMap((folder) => {
    const file = folder === '' ? 'fleet.yaml' : `${folder}/fleet.yaml`
    const reading = repo.world.tree.reading(file)
    const [document] = repo.world.documentsIn(file)
    if (reading === undefined || document === undefined) return []
    const value = document.value()
    const written = traced<JsonObject>(isObject(value) ? value : {}, { document, path: [] })
    const object = withDrift(written, folder, drifts)
    const manifest: Manifest = {
      file: reading,
      document,
      root: [],
      object: object.value,
      apiVersion: 'fleet.cattle.io/v1alpha1',
      kind: 'Bundle',
      name: stringAt(value, ['name']) ?? (folder === '' ? '.' : folder),
      namespace: undefined,
    }
    return [
      {
        engine: 'fleet',
        label: 'fleet.yaml',
        path: repo.world.tree.shown(file),
        manifest,
        object,
        loads: (say) => bundleLoads({ object, folder }, repo, say),
      },
    ]
  })
}

/** A GitRepo may switch drift correction on for all of its bundles. */
interface Drift {
  readonly folders: readonly string[]
  readonly value: JsonObject
  readonly origin: Origin
}

function driftsOf(repo: Surroundings): readonly Drift[] {
  return repo.world.manifests.flatMap(({ kind, apiVersion, object, document, root }) => {
    if (kind !== 'GitRepo' || !apiVersion.startsWith('fleet.cattle.io/')) return []
    const value = at(object, ['spec', 'correctDrift'])
    if (!isObject(value) || value['enabled'] !== true) return []
    const whole = traced(object, { document, path: root })
    const folders = pathsOf(whole, repo).map(({ folder }) => folder)
    return [{ folders, value, origin: originOf(whole, ['spec', 'correctDrift']) }]
  })
}

function withDrift(
  object: Traced<JsonObject>,
  folder: string,
  drifts: readonly Drift[],
): Traced<JsonObject> {
  const holds = (path: string): boolean =>
    path === '' || folder === path || folder.startsWith(`${path}/`)
  const drift = drifts.find(({ folders }) => folders.some(holds))
  return drift === undefined
    ? object
    : setField(object, ['correctDrift'], drift.value, drift.origin)
}

interface Bundle {
  readonly object: Traced<JsonObject>
  readonly folder: string
}

function bundleLoads(bundle: Bundle, repo: Surroundings, say: Say): readonly Load[] {
  const { object } = bundle
  const built = bundleContents(bundle, repo, say)
  const forced = sourcedText(object, ['namespace'])
  const usual = sourcedText(object, ['defaultNamespace'])
  const entries = built.entries.map((entry) => inNamespace(moved(entry, forced), usual))
  return entries.length === 0 ? [] : [load({ entries, generated: built.generated })]
}

function bundleContents({ object, folder }: Bundle, repo: Surroundings, say: Say): Built {
  const chart = stringAt(object.value, ['helm', 'chart'])
  const origin = originOf(object, ['helm', 'chart'])
  const repository = stringAt(object.value, ['helm', 'repo'])
  if (repository !== undefined && repository !== '') {
    const what = `the chart ${chart ?? ''} comes from a chart repository`
    say(origin, what, 'its Jobs cannot be seen from here')
    return NOTHING
  }
  if (chart !== undefined && chart !== '') {
    const path = resolvePath(folder, chart)
    if (path !== undefined && repo.charts.has(path)) return repo.charts.load(path)
    const what = `there is no chart folder ${chart} in this repository`
    say(origin, what, 'its Jobs cannot be seen from here')
    return NOTHING
  }
  const dir = stringAt(object.value, ['kustomize', 'dir'])
  const path = dir === undefined ? undefined : resolvePath(folder, dir)
  return path !== undefined && repo.kustomize.hasFile(path)
    ? repo.kustomize.build(path)
    : contents(folder, repo)
}

/** What the folder looks like: a chart, a kustomization, or manifests at any depth. */
function contents(folder: string, repo: Surroundings): Built {
  if (repo.charts.has(folder)) return repo.charts.load(folder)
  if (repo.kustomize.hasFile(folder)) return repo.kustomize.build(folder)
  const inner = bundleFolders(repo).filter((other) => other !== folder)
  const entries = repo.world.heldBelow(folder).flatMap((path): readonly Entry[] => {
    const rest = folder === '' ? path : path.slice(folder.length + 1)
    if (!/\.(ya?ml|json)$/.test(path) || rest.startsWith('overlays/')) return []
    if (inner.some((other) => isInside(other, path, folder))) return []
    if (rest.split('/').some((step) => step.startsWith('.'))) return []
    return repo.world.heldIn(path).map((manifest) => entryOf(manifest, 'kubernetes'))
  })
  return { ...NOTHING, entries }
}

function isInside(bundle: string, path: string, folder: string): boolean {
  return bundle.length > folder.length && path.startsWith(`${bundle}/`)
}

function bundleFolders({ world }: Surroundings): readonly string[] {
  return world.tree.named('fleet.yaml').map(parent)
}

/** Without paths, the whole repository; a path may be a pattern. */
function pathsOf({ value }: Traced<JsonObject>, { world, sources }: Surroundings): readonly Path[] {
  const source = sources.git(stringAt(value, ['spec', 'repo']))
  const paths = listAt(value, ['spec', 'paths']).filter((path) => typeof path === 'string')
  return (paths.length === 0 ? [''] : paths).flatMap((path) => {
    if (/[*?[]/.test(path)) {
      const expression = globToRegExp(resolvePath('', path) ?? '', { crossing: false })
      return world.tree.folders
        .filter((folder) => expression?.test(folder) === true)
        .map((folder) => ({ folder, isForeign: false }))
    }
    const found = sources.locate(source, path)
    return 'folder' in found ? [found] : []
  })
}

interface Path {
  readonly folder: string
  readonly isForeign: boolean
}

function sourcedText(
  object: Traced<JsonObject>,
  path: readonly string[],
): Sourced<string> | undefined {
  const value = stringAt(object.value, path)
  return value === undefined || value === '' ? undefined : { value, origin: originOf(object, path) }
}
