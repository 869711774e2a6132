import type { JsonObject, Path } from '../core/json.ts'
import type { Manifest } from '../core/manifest.ts'
import type { Place } from '../core/source.ts'
import type { FileReading } from '../core/yaml/document.ts'
import type { Engine, Setting, Traits } from '../engines/engine.ts'
import type { Applied } from './expand.ts'

/** One link of the way from an engine to a file, outermost first. */
export interface Link {
  /** `Kustomization flux-system/apps`, `Application argocd/shop`, `kustomization.yaml`, `fleet.yaml`. */
  readonly label: string
  /** Path of the file that declares it. */
  readonly path: string
  readonly manifest?: Manifest
  readonly settings: readonly (Setting & { readonly place?: Place })[]
}

/** A Job or CronJob as one engine will see it. Several owners of one file give several subjects. */
export interface Subject {
  readonly kind: 'Job' | 'CronJob'
  /** The text it comes from. */
  readonly manifest: Manifest
  /**
   * The object after namespace, name prefix and suffix, patches and substitution, as far as these
   * can be followed without rendering. Text in `{{ }}`, `<< >>` or `${ }` is unknown: see
   * core/templates.ts.
   */
  readonly object: JsonObject
  readonly engine: Engine
  /** The object that configures the engine: a Kustomization, an Application ... */
  readonly carrier?: Manifest
  /** The same with what applies it, and with all that it applies; absent where nobody carries it. */
  readonly applied?: Applied
  readonly traits: Traits
  readonly chain: readonly Link[]
  /** ConfigMaps and Secrets on the way whose names get a hash: as the template refers to them. */
  readonly generatedNames: readonly GeneratedName[]
  /** The other subjects of the same manifest. */
  readonly rivals: readonly Subject[]
  /** What the carrier applies beside it; the same one for all subjects that it carries. */
  readonly company: Company
  /** True when `--engine` or semel.yaml said so, not the repository. */
  readonly engineGiven: boolean
  /** The text of a named template of its chart: `shop.labels`. */
  definition(name: string): string | undefined
  /** Where a field of `object` was written: in the manifest, or in the patch that set it. */
  placeOf(path: Path, which?: 'key' | 'value'): Place
  /** True when rendering may add entries to the mapping at `path`, so absence says nothing. */
  isOpen(path: Path): boolean
}

/** The spec of the pod's Job: `spec` of a Job, `spec.jobTemplate.spec` of a CronJob. */
export function jobSpecPath(subject: Subject): Path {
  return subject.kind === 'Job' ? ['spec'] : ['spec', 'jobTemplate', 'spec']
}

export interface GeneratedName {
  readonly kind: 'ConfigMap' | 'Secret'
  readonly name: string
  /** Those that the generator gives it, a hook's among them. */
  readonly annotations: JsonObject
  readonly place: Place
}

/** The objects that a carrier applies beside its Jobs, read when a rule asks for them. */
export interface Company {
  /** Those of these kinds whose text holds one of `texts`. May give more of them. */
  mentioning(texts: readonly string[], kinds: readonly string[]): readonly Companion[]
}

export interface Companion {
  readonly kind: string
  readonly manifest: Manifest
  /** As the engine will see it, without the data of ConfigMaps and Secrets. */
  readonly object: JsonObject
  /** What it was called on its way; references that kustomize will rewrite use any of these. */
  readonly names: readonly string[]
  /** The files (and the step) that it came through, outermost first. */
  readonly links: readonly Link[]
  placeOf(path: Path, which?: 'key' | 'value'): Place
  isOpen(path: Path): boolean
}

export interface Repository {
  readonly files: readonly FileReading[]
  readonly manifests: readonly Manifest[]
  readonly subjects: readonly Subject[]
  /** What ownership could not follow (a chart in another repository, a missing path ...). */
  readonly notes: readonly { readonly place: Place; readonly what: string; readonly why: string }[]
  /** Set when some text needs the full parser and there was none: load one and build again. */
  readonly needsFullParser?: true
}
