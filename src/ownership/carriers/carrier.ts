import type { EngineId, Setting } from '../../engines/engine.ts'
import type { Manifest } from '../../core/manifest.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Place } from '../../core/source.ts'
import type { Built, Entry } from '../kustomize/built.ts'
import type { Kustomize } from '../kustomize/build.ts'
import type { ConfigMaps } from '../config-maps.ts'
import type { Sources } from '../sources.ts'
import type { Traced } from '../traced.ts'
import type { World } from '../world.ts'
import type { Charts } from './helm-chart.ts'

/** Something that makes an engine apply files: an object, a file, a folder. */
export interface Carrier {
  readonly engine: EngineId
  /** `Kustomization flux-system/apps`. */
  readonly label: string
  /** Path of the file that declares it. */
  readonly path: string
  /** The object as it stands in the repository; none for what is only a folder or a file. */
  readonly manifest?: Manifest
  /** The same after what outer carriers change in it. */
  readonly object?: Traced<JsonObject>
  /** Shown beside the engine's own settings: the application that an ApplicationSet makes. */
  readonly settings?: readonly (Setting & { readonly place?: Place })[]
  loads(say: Say): readonly Load[]
}

/** Takes down what cannot be followed; kept only for carriers that count. */
export type Say = World['note']

/** What a carrier applies. */
export interface Load extends Omit<Built, 'complete'> {
  /** Its source is another repository, by its address, so the files here may be others. */
  readonly isForeign: boolean
  /** All files that the load is made of, where that matters and is known. */
  readonly files?: () => readonly string[]
  /** True when the carrier applies nothing but these files, so what they lack is not there. */
  readonly isWhole?: boolean
}

/** How carriers are made of objects of one kind; of one object come one or many. */
export interface CarrierKind {
  readonly group: string
  readonly kind: string
  carriersOf(entry: CarrierEntry, repo: Surroundings): readonly Carrier[]
}

export type CarrierEntry = Pick<Entry, 'manifest' | 'object'>

/** What carriers ask of the rest of the repository. */
export interface Surroundings {
  readonly world: World
  readonly kustomize: Kustomize
  readonly charts: Charts
  readonly sources: Sources
  readonly configMaps: ConfigMaps
  /** Files that Flux's sources leave out. */
  isSourceIgnored(path: string): boolean
}

export function load(built: Omit<Built, 'complete'>, more: Partial<Load> = {}): Load {
  return { entries: built.entries, generated: built.generated, isForeign: false, ...more }
}
