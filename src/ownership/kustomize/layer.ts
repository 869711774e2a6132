import { stringAt, type JsonObject } from '../../core/json.ts'
import type { YamlDocument } from '../../core/yaml/document.ts'
import { traced } from '../traced.ts'
import {
  readerOf,
  type GeneratedEntry,
  type ImageEntry,
  type LabelEntry,
  type PatchEntry,
  type Sourced,
} from './fields.ts'

/** What one kustomization file says, in the order in which kustomize acts. */
export interface Layer {
  readonly folder: string
  /** Undefined for the one that Flux generates where there is none. */
  readonly document?: YamlDocument
  readonly isComponent: boolean
  readonly resources: readonly Sourced<string>[]
  readonly components: readonly Sourced<string>[]
  /** Charts that kustomize renders, by name. */
  readonly charts: readonly Sourced<string>[]
  readonly generated: readonly GeneratedEntry[]
  readonly patches: readonly PatchEntry[]
  readonly namespace?: Sourced<string>
  readonly namePrefix?: Sourced<string>
  readonly nameSuffix?: Sourced<string>
  readonly labels: readonly LabelEntry[]
  readonly annotations: readonly Sourced<JsonObject>[]
  readonly jsonPatches: readonly PatchEntry[]
  readonly images: readonly ImageEntry[]
  /** Fields that change objects in ways that are not followed. */
  readonly notFollowed: readonly Sourced<string>[]
  /** Fields that hold something of the wrong type; kustomize refuses the file. */
  readonly mistyped: readonly Sourced<string>[]
}

const NOT_FOLLOWED = ['replacements', 'vars', 'transformers', 'generators'] as const

export function readLayer(document: YamlDocument, folder: string): Layer {
  const reader = readerOf(traced(document.value(), { document, path: [] }), folder)
  return {
    folder,
    document,
    isComponent: stringAt(document.value(), ['kind']) === 'Component',
    resources: [...reader.strings('resources'), ...reader.strings('bases')],
    components: reader.strings('components'),
    charts: [
      ...reader.named('helmCharts'),
      ...reader.named('helmChartInflationGenerator', 'chartName'),
    ],
    generated: [
      ...reader.generated('configMapGenerator', 'ConfigMap'),
      ...reader.generated('secretGenerator', 'Secret'),
    ],
    patches: [...reader.strategicPatches('patchesStrategicMerge'), ...reader.patches('patches')],
    ...optional('namespace', reader.text('namespace')),
    ...optional('namePrefix', reader.text('namePrefix')),
    ...optional('nameSuffix', reader.text('nameSuffix')),
    labels: reader.labels(),
    annotations: reader.object('commonAnnotations'),
    jsonPatches: reader.patches('patchesJson6902'),
    images: reader.images('images'),
    notFollowed: NOT_FOLLOWED.flatMap((field) =>
      reader
        .list(field)
        .slice(0, 1)
        .map(({ origin }) => ({ value: field, origin })),
    ),
    mistyped: reader.mistyped,
  }
}

export function emptyLayer(folder: string): Layer {
  return {
    folder,
    isComponent: false,
    resources: [],
    components: [],
    charts: [],
    generated: [],
    patches: [],
    labels: [],
    annotations: [],
    jsonPatches: [],
    images: [],
    notFollowed: [],
    mistyped: [],
  }
}

/** What a Flux Kustomization or an Argo CD Application adds to the kustomization of its folder. */
export interface Additions {
  readonly components: readonly Sourced<string>[]
  readonly patches: readonly PatchEntry[]
  readonly images: readonly ImageEntry[]
  readonly namespace?: Sourced<string>
  readonly namePrefix?: Sourced<string>
  readonly nameSuffix?: Sourced<string>
  readonly labels?: readonly LabelEntry[]
  readonly annotations?: readonly Sourced<JsonObject>[]
}

/** Both engines edit the kustomization file before they build, so theirs wins or comes last. */
export function withAdditions(layer: Layer, additions: Additions): Layer {
  const named = new Set(additions.images.map(({ name }) => name))
  return {
    ...layer,
    ...optional('namespace', additions.namespace ?? layer.namespace),
    ...optional('namePrefix', additions.namePrefix ?? layer.namePrefix),
    ...optional('nameSuffix', additions.nameSuffix ?? layer.nameSuffix),
    components: [...layer.components, ...additions.components],
    patches: [...layer.patches, ...additions.patches],
    images: [...layer.images.filter(({ name }) => !named.has(name)), ...additions.images],
    labels: [...layer.labels, ...(additions.labels ?? [])],
    annotations: [...layer.annotations, ...(additions.annotations ?? [])],
  }
}

export function optional<Key extends string, Value>(
  key: Key,
  value: Value | undefined,
): { [K in Key]?: Value } {
  return (value === undefined ? {} : { [key]: value }) as { [K in Key]?: Value }
}
