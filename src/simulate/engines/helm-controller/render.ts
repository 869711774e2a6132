import { listAt, objectAt, stringAt, type JsonObject } from '../../../core/json.ts'
import type { FullParser } from '../../../core/yaml/document.ts'
import { withCommonMetadata } from '../../../engines/metadata.ts'
import {
  renderChart,
  type ChartFault,
  type ChartRelease,
  type RenderedChart,
  type RenderedFile,
} from '../../go-template/chart.ts'
import { objectsOf } from '../../trace/manifests.ts'
import { build } from '../kustomize-controller/build.ts'
import type { ChartInput } from '../helm/contract.ts'
import { GROUP } from './kinds.ts'

const OWNERS = ['kustomize.toolkit.fluxcd.io/name', 'kustomize.toolkit.fluxcd.io/namespace']

/**
 * The chart as Helm renders it, and then what the controller adds: post-renderers, common metadata
 * and the labels of the HelmRelease. Hooks pass through it too.
 */
export function renderFor(
  owner: JsonObject,
  chart: ChartInput,
  release: ChartRelease,
  fullParser?: FullParser,
): RenderedChart | ChartFault {
  const found = renderChart(chart.files, chart.values, release)
  if ('fault' in found) return found
  const chartName = stringAt(found.metadata, ['name']) ?? ''
  const files: RenderedFile[] = []
  for (const { path, text } of found.files) {
    const objects = objectsOf(path, text, fullParser)
    const nameless = objects.find((object) => (nameOf(object) ?? '') === '')
    if (nameless !== undefined) return { fault: refusal(nameless, `${chartName}/${path}`) }
    const rendered = postRendered(objects, owner, fullParser)
    if ('fault' in rendered) return rendered
    files.push({ path, text: '', objects: rendered.objects.map((object) => owned(object, owner)) })
  }
  return { ...found, files }
}

/** JSON is YAML too. */
function textOf(objects: readonly JsonObject[]): string {
  return objects.map((object) => `---\n${JSON.stringify(object)}\n`).join('')
}

function nameOf(object: JsonObject): string | undefined {
  return stringAt(object, ['metadata', 'name'])
}

/** Trace 073: the words of the post-render step, whose type has no generateName. */
function refusal(object: JsonObject, file: string): string {
  const text = (...path: string[]): string => stringAt(object, path) ?? ''
  const annotations = {
    ...objectAt(object, ['metadata', 'annotations']),
    'postrenderer.helm.sh/postrender-filename': file,
  }
  const type = `{${text('apiVersion')} ${text('kind')}}`
  const name = `{ ${text('metadata', 'namespace')}}`
  const labels = objectAt(object, ['metadata', 'labels']) ?? {}
  return `error while running post render on files: missing metadata.name in object {${type} {${name} ${goMap(labels)} ${goMap(annotations)}}}`
}

function goMap(pairs: JsonObject): string {
  const texts = Object.keys(pairs)
    .sort()
    .map((key) => `${key}:${stringAt(pairs, [key]) ?? ''}`)
  return `map[${texts.join(' ')}]`
}

/** Every post-renderer is a kustomization over all that came before it. */
function postRendered(
  objects: readonly JsonObject[],
  owner: JsonObject,
  fullParser: FullParser | undefined,
): { readonly objects: readonly JsonObject[] } | ChartFault {
  let done = objects
  for (const entry of listAt(owner, ['spec', 'postRenderers'])) {
    const kustomize = objectAt(entry, ['kustomize'])
    if (kustomize === undefined || done.length === 0) continue
    const { patches, images } = kustomize
    const kustomization = {
      apiVersion: 'kustomize.config.k8s.io/v1beta1',
      kind: 'Kustomization',
      resources: ['all.yaml'],
      ...(patches === undefined ? {} : { patches }),
      ...(images === undefined ? {} : { images }),
    }
    const built = build({
      files: { 'kustomization.yaml': JSON.stringify(kustomization), 'all.yaml': textOf(done) },
      object: {},
      variables: undefined,
      ...(fullParser === undefined ? {} : { fullParser }),
    })
    if ('reason' in built) return { fault: built.message }
    done = built.objects.map(withoutOwner)
  }
  return { objects: done }
}

/** That builder signs for kustomize-controller, which has no part in this. */
function withoutOwner(object: JsonObject): JsonObject {
  const { labels, ...metadata } = objectAt(object, ['metadata']) ?? {}
  const kept = Object.entries((labels ?? {}) as JsonObject).filter(([key]) => !OWNERS.includes(key))
  return {
    ...object,
    metadata: kept.length === 0 ? metadata : { ...metadata, labels: Object.fromEntries(kept) },
  }
}

function owned(object: JsonObject, owner: JsonObject): JsonObject {
  const metadata = objectAt(object, ['metadata']) ?? {}
  const labels = {
    ...objectAt(metadata, ['labels']),
    [`${GROUP}/name`]: nameOf(owner) ?? '',
    [`${GROUP}/namespace`]: stringAt(owner, ['metadata', 'namespace']) ?? '',
  }
  const marked = withCommonMetadata({ ...object, metadata: { ...metadata, labels } }, owner)
  const { annotations, ...rest } = objectAt(marked, ['metadata']) ?? {}
  const isEmpty = Object.keys((annotations ?? {}) as JsonObject).length === 0
  return isEmpty ? { ...marked, metadata: rest } : marked
}
