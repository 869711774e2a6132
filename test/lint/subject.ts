import type { JsonObject, Path } from '../../src/core/json.ts'
import { stringAt } from '../../src/core/json.ts'
import type { Manifest } from '../../src/core/manifest.ts'
import type { Place, Source } from '../../src/core/source.ts'
import type { FileReading, YamlDocument } from '../../src/core/yaml/document.ts'
import type { Engine, Hook, Traits, Waiter } from '../../src/engines/engine.ts'
import type { RuleContext, TtlContract } from '../../src/lint/rule.ts'
import type { Company, Link, Repository, Subject } from '../../src/ownership/subject.ts'

/** Of an engine that does no harm: it applies, restores nothing and waits for nobody. */
const CALM: Traits = {
  applies: true,
  restoresAbsent: { when: 'never', rule: 'test' },
  templateChange: 'refused',
  updatesBy: 'apply',
  removesUndeclared: true,
  generateName: 'refused',
  assumed: false,
}

export interface Made {
  readonly kind?: 'Job' | 'CronJob'
  readonly name?: string
  /** Instead of a name. */
  readonly generateName?: string
  readonly file?: string
  readonly spec?: JsonObject
  readonly annotations?: JsonObject
  readonly labels?: JsonObject
  readonly traits?: Partial<Traits>
  /** Paths below which rendering may add entries, as `fieldPath` would write them. */
  readonly open?: readonly string[]
  readonly carrier?: JsonObject
  readonly title?: string
  /** name: value, as if each were written in the carrier. */
  readonly settings?: Readonly<Record<string, string>>
  /** One for several subjects that one carrier applies. */
  readonly company?: Company
  /** Named templates of the chart. */
  readonly definitions?: Readonly<Record<string, string>>
  /** What the engine answers for an object that carries a hook annotation. */
  readonly hookTraits?: Partial<Traits>
}

/** A Job (or CronJob) `shop/migrate` as a rule sees it, made by hand. */
export function made(options: Made = {}): Subject {
  const { kind = 'Job', name = 'migrate', file = 'apps/job.yaml', spec = {} } = options
  const object: JsonObject = {
    apiVersion: 'batch/v1',
    kind,
    metadata: {
      ...(options.generateName === undefined ? { name } : { generateName: options.generateName }),
      namespace: 'shop',
      ...(options.annotations === undefined ? {} : { annotations: options.annotations }),
      ...(options.labels === undefined ? {} : { labels: options.labels }),
    },
    spec,
  }
  const traits: Traits = { ...CALM, ...options.traits }
  const manifest = manifestOf(object, file)
  const carrier =
    options.carrier === undefined ? undefined : manifestOf(options.carrier, 'flux/carrier.yaml')
  const links: readonly Link[] =
    carrier === undefined && options.settings === undefined
      ? []
      : [
          {
            label: 'Kustomization flux-system/apps',
            path: 'flux/carrier.yaml',
            settings: Object.entries(options.settings ?? {}).map(([key, value]) => ({
              name: key,
              value,
              place: placeIn('flux/carrier.yaml'),
            })),
          },
        ]
  return {
    kind,
    manifest,
    object,
    engine: engineOf(options, traits),
    ...(carrier === undefined ? {} : { carrier }),
    traits,
    chain: links,
    rivals: [],
    company: options.company ?? { mentioning: () => [] },
    generatedNames: [],
    engineGiven: false,
    definition: (name) => options.definitions?.[name],
    placeOf: () => placeIn(file),
    isOpen: (path: Path) => (options.open ?? []).includes(path.join('.')),
  }
}

export function repositoryOf(
  subjects: readonly Subject[],
  others: readonly JsonObject[] = [],
): Repository {
  const manifests = [
    ...subjects.map(({ manifest }) => manifest),
    ...others.map((object) => manifestOf(object, 'flux/carrier.yaml')),
  ]
  return { files: [], manifests, subjects, notes: [] }
}

export function context(ttl?: TtlContract): RuleContext {
  return { contract: ttl === undefined ? {} : { ttl } }
}

export function hook(parts: Partial<Hook> = {}): Hook {
  return {
    annotation: 'argocd.argoproj.io/hook',
    phases: ['PreSync'],
    runsOn: 'every full sync',
    deletePolicies: ['before-hook-creation'],
    policyAnnotations: [],
    existing: 'reused',
    ...parts,
  }
}

export function waiter(parts: Partial<Waiter> = {}): Waiter {
  return {
    who: 'the health check',
    timeoutSeconds: 300,
    pollSeconds: 5,
    suspended: 'done',
    absent: 'success',
    afterFailure: 'stays-failed',
    rule: 'test',
    ...parts,
  }
}

export function placeIn(path: string): Place {
  const source: Source = { path, bytes: new Uint8Array() }
  return { source, span: { start: 0, end: 0 } }
}

export function manifestOf(object: JsonObject, path: string): Manifest {
  const source: Source = { path, bytes: new TextEncoder().encode(JSON.stringify(object)) }
  const span = { start: 0, end: source.bytes.length }
  const document: YamlDocument = {
    source,
    span,
    index: 0,
    parser: 'json',
    value: () => object,
    locate: () => ({ value: span }),
    duplicateKeys: [],
    ambiguousScalars: () => [],
  }
  const file: FileReading = {
    source,
    documentsSeen: 1,
    documents: [document],
    droppedText: [],
    errors: [],
  }
  return {
    file,
    document,
    root: [],
    object,
    apiVersion: stringAt(object, ['apiVersion']) ?? '',
    kind: stringAt(object, ['kind']) ?? '',
    name: stringAt(object, ['metadata', 'name']),
    namespace: stringAt(object, ['metadata', 'namespace']),
  }
}

function engineOf(options: Made, traits: Traits): Engine {
  return {
    id: traits.assumed ? 'unknown' : 'flux',
    title: options.title ?? 'Flux',
    carrierKinds: [],
    settings: () => [],
    traits: (_carrier, object) =>
      stringAt(object, ['metadata', 'annotations', 'helm.sh/hook']) === undefined
        ? traits
        : { ...traits, ...options.hookTraits },
  }
}
