import { at, isObject, stringAt, type JsonObject } from '../../core/json.ts'
import { isTemplated } from '../../core/templates.ts'
import type { Built, Entry } from '../kustomize/built.ts'
import { readerOf, type Sourced } from '../kustomize/fields.ts'
import { emptyLayer } from '../kustomize/layer.ts'
import { transformEntries } from '../kustomize/steps.ts'
import { fileOf } from '../place.ts'
import { itemsOf, originOf, partOf, traced, type Origin, type Traced } from '../traced.ts'
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
import { withCommonMetadata } from './flux-kustomization.ts'
import { missing } from './missing.ts'

/** A HelmRelease applies a chart; a chart folder of this repository is followed. */
export const helmRelease: CarrierKind = {
  group: 'helm.toolkit.fluxcd.io',
  kind: 'HelmRelease',
  carriersOf: (entry, repo) => [carrier(entry, repo)],
}

function carrier({ manifest, object }: CarrierEntry, repo: Surroundings): Carrier {
  return {
    engine: 'helm-controller',
    label: `HelmRelease ${fullName(object.value)}`,
    path: fileOf(object.trace.origin),
    manifest,
    object,
    loads: (say) => loads(object, repo, say),
  }
}

function loads(object: Traced<JsonObject>, repo: Surroundings, say: Say): readonly Load[] {
  const chart = chartOf(object, repo, say)
  if (chart === undefined) return []
  const located = locate(chart, repo, say)
  if (located === undefined) return []
  const built = repo.charts.load(located.folder)
  if (built.entries.length === 0) return []
  const namespace = namespaceOf(object)
  const rendered = postRendered(built, object, repo).map((entry) =>
    withCommonMetadata(inNamespace(entry, namespace), object),
  )
  return [load({ entries: rendered, generated: built.generated }, { isForeign: located.isForeign })]
}

/** A chart by its name or path, with the source that it is taken from. */
interface Chart {
  readonly text: string
  readonly origin: Origin
  readonly kind: string
  readonly name: string
  readonly namespace: string | undefined
}

function chartOf(object: Traced<JsonObject>, repo: Surroundings, say: Say): Chart | undefined {
  const own = stringAt(object.value, ['metadata', 'namespace'])
  const reference = at(object.value, ['spec', 'chartRef'])
  if (!isObject(reference)) return specChart(object, ['spec', 'chart', 'spec'], own)
  const kind = stringAt(reference, ['kind']) ?? ''
  const name = stringAt(reference, ['name']) ?? ''
  const namespace = stringAt(reference, ['namespace']) ?? own
  const origin = originOf(object, ['spec', 'chartRef'])
  if (kind !== 'HelmChart') return { text: name, origin, kind, name, namespace }
  const found = repo.sources.object(kind, name, namespace)
  if (found === undefined) {
    const what = `the HelmChart ${name} is not in this repository`
    say(origin, what, 'the chart, and so its Jobs, cannot be told from here')
    return undefined
  }
  const whole = traced(found.object, { document: found.document, path: found.root })
  return specChart(whole, ['spec'], found.namespace ?? namespace)
}

function specChart(
  object: Traced<JsonObject>,
  base: readonly string[],
  own: string | undefined,
): Chart | undefined {
  const text = stringAt(object.value, [...base, 'chart'])
  if (text === undefined) return undefined
  const reference = at(object.value, [...base, 'sourceRef'])
  return {
    text,
    origin: originOf(object, [...base, 'chart']),
    kind: stringAt(reference, ['kind']) ?? 'HelmRepository',
    name: stringAt(reference, ['name']) ?? '',
    namespace: stringAt(reference, ['namespace']) ?? own,
  }
}

function locate(
  { text, kind, name, namespace, origin }: Chart,
  { sources, charts }: Surroundings,
  say: Say,
): { readonly folder: string; readonly isForeign: boolean } | undefined {
  if (kind !== 'GitRepository' && kind !== 'Bucket') {
    say(
      origin,
      `the chart ${text} comes from the ${kind} ${name}`,
      'its Jobs cannot be seen from here',
    )
    return undefined
  }
  if (isTemplated(text)) {
    say(origin, `the chart is ${text}`, 'only rendering can tell which folder that is')
    return undefined
  }
  const found = sources.locate(sources.flux({ kind, name }, namespace), text)
  if ('folder' in found && charts.has(found.folder)) return found
  const how = 'folder' in found ? (found.isForeign ? 'foreign' : 'nowhere') : found.missing
  say(origin, ...missing(how, `the chart ${text}`, 'Flux'))
  return undefined
}

function namespaceOf(object: Traced<JsonObject>): Sourced<string> | undefined {
  for (const path of [
    ['spec', 'targetNamespace'],
    ['metadata', 'namespace'],
  ]) {
    const value = stringAt(object.value, path)
    if (value !== undefined && value !== '') {
      return isTemplated(value) ? undefined : { value, origin: originOf(object, path) }
    }
  }
  return undefined
}

/** Post-renderers are small kustomizations over the whole release, hooks included. */
function postRendered(
  built: Built,
  object: Traced<JsonObject>,
  { world }: Surroundings,
): readonly Entry[] {
  const spec = partOf(object, 'spec')
  const list = spec === undefined ? undefined : partOf(spec, 'postRenderers')
  if (list === undefined) return built.entries
  return itemsOf(list).reduce<readonly Entry[]>((entries, item) => {
    const kustomize = partOf(item, 'kustomize')
    if (kustomize === undefined || !isObject(kustomize.value)) return entries
    const reader = readerOf(kustomize, '')
    const layer = {
      ...emptyLayer(''),
      patches: [...reader.strategicPatches('patchesStrategicMerge'), ...reader.patches('patches')],
      jsonPatches: reader.patches('patchesJson6902'),
      images: reader.images('images'),
    }
    return transformEntries({ ...built, entries, complete: false }, layer, world)
  }, built.entries)
}
