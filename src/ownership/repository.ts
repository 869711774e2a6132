import type { Manifest } from '../core/manifest.ts'
import type { Source } from '../core/source.ts'
import type { FileReading, FullParser } from '../core/yaml/document.ts'
import type { EngineId } from '../engines/engine.ts'
import { argocdApplication } from './carriers/argocd-application.ts'
import { argocdApplicationSet } from './carriers/argocd-applicationset.ts'
import type { CarrierKind, Surroundings } from './carriers/carrier.ts'
import { fleetBundles, fleetGitRepo } from './carriers/fleet.ts'
import { fluxInstance } from './carriers/flux-instance.ts'
import { fluxKustomization } from './carriers/flux-kustomization.ts'
import { createCharts } from './carriers/helm-chart.ts'
import { helmRelease } from './carriers/helm-release.ts'
import { kro } from './carriers/kro.ts'
import { resourceSet } from './carriers/resourceset.ts'
import { unowned } from './carriers/unowned.ts'
import { createCompanies } from './company.ts'
import { createConfigMaps } from './config-maps.ts'
import { createDefinitions } from './definitions.ts'
import { expandCarriers } from './expand.ts'
import { createKustomize } from './kustomize/build.ts'
import { renderedCharts, renderedKustomize, type RenderedFolders } from './rendered.ts'
import { createSources } from './sources.ts'
import type { Repository } from './subject.ts'
import { subjectsOf } from './subjects.ts'
import { createWorld } from './world.ts'

export interface RepositoryInput {
  /** What was read, with the documents that matter to Jobs. */
  readonly files: readonly FileReading[]
  /** Every file of the tree, relative to the root, with `/`. */
  readonly listing: readonly string[]
  /** The folder at which paths in carriers start, as the files of this run are named. */
  readonly root: string
  /** A file of the listing that nobody wanted so far; without it such files are unknown. */
  readonly read?: (path: string) => Source | undefined
  readonly fullParser?: FullParser
  /** The engine that semel.yaml gives for a file, as the files of this run are named. */
  readonly overrides?: (path: string) => EngineId | undefined
  /** The engine of `--engine`, for every file. */
  readonly engine?: EngineId
  /** Files, relative to the root, that `.sourceignore` keeps out of Flux's sources. */
  readonly isSourceIgnored?: (path: string) => boolean
  /** Folders that a tool has rendered: their Jobs take the place of those that are written. */
  readonly rendered?: RenderedFolders
}

const NOTHING_RENDERED: RenderedFolders = new Map()

const KINDS: readonly CarrierKind[] = [
  argocdApplication,
  argocdApplicationSet,
  fleetGitRepo,
  fluxInstance,
  fluxKustomization,
  helmRelease,
  kro,
  resourceSet,
]

/**
 * For each Job and CronJob of a repository the engines that carry it, the way by which they come
 * to it, and the object as they will see it. A Job that nobody carries is a subject too. Nothing
 * is rendered; what cannot be followed is noted, and nothing in the files makes this throw.
 */
export function buildRepository(input: RepositoryInput): Repository {
  const world = createWorld(input)
  const { rendered = NOTHING_RENDERED } = input
  const repo: Surroundings = {
    world,
    kustomize: renderedKustomize(createKustomize(world), rendered, world),
    charts: renderedCharts(createCharts(world), rendered),
    sources: createSources(world),
    configMaps: createConfigMaps(world),
    isSourceIgnored: input.isSourceIgnored ?? (() => false),
  }
  const applied = expandCarriers(KINDS, fleetBundles(repo), repo)
  const subjects = subjectsOf(applied, (owned) => unowned(owned, repo), {
    world,
    engineOf: (path) => input.engine ?? input.overrides?.(path),
    definitionsOf: createDefinitions(world),
    companyOf: createCompanies({ repo, rendered, kinds: KINDS, fullParser: input.fullParser }),
  })
  const inner = new Set<Manifest>(subjects.map(({ manifest }) => manifest))
  for (const manifest of world.manifests) inner.delete(manifest)
  return {
    files: input.files,
    manifests: [...world.manifests, ...inner],
    subjects,
    notes: world.notes,
    ...(world.needsFullParser() && { needsFullParser: true as const }),
  }
}
