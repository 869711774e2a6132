import { type Json, type JsonObject } from '../../core/json.ts'
import { compareText } from '../../core/text.ts'
import type { FullParser } from '../../core/yaml/document.ts'
import { readFile } from '../../core/yaml/read-file.ts'
import { SERVED_API_VERSIONS } from './api-versions.ts'
import { capabilities, chartObject, filesObject } from './chart-objects.ts'
import { readChart, withDependencies, type ChartTree } from './chart-tree.ts'
import { coalesced } from './chart-values.ts'
import { TemplateSet, type Functions } from './exec.ts'
import { builtins } from './functions.ts'
import { TemplateError } from './node.ts'
import { parseVersion, satisfies } from './semver.ts'
import { yamlFunctions } from './sprig-json.ts'
import { sprig, valueOf } from './sprig.ts'
import { put, type Value, type ValueMap } from './value.ts'

export { mergeValues } from './chart-values.ts'

export interface ChartRelease {
  readonly name: string
  readonly namespace: string
  readonly revision: number
  readonly isInstall: boolean
  /** `Helm` for the command line and helm-controller. */
  readonly service?: string
  /** What a clock, chance and the cluster give; without them a chart that uses one cannot be rendered. */
  readonly functions?: Functions
  /** `v1.36.3`; where it is given, `kubeVersion` of the chart is held against it. */
  readonly kubeVersion?: string
  /** `batch/v1`, `batch/v1/Job`; default: those of an API server without extensions. */
  readonly apiVersions?: readonly string[]
  /** For YAML with anchors and the like. */
  readonly fullParser?: FullParser
}

export interface RenderedChart {
  /**
   * By the path of the template, in the order of paths; `NOTES.txt` and partials left out. Those of
   * charts inside have paths such as `charts/db/templates/job.yaml`.
   */
  readonly files: readonly RenderedFile[]
  readonly metadata: JsonObject
  readonly values: JsonObject
}

export interface RenderedFile {
  readonly path: string
  readonly text: string
  /** What the text holds, where somebody has read it already. */
  readonly objects?: readonly JsonObject[]
}

/** A chart cannot be rendered: the words that Helm's user would read. */
export interface ChartFault {
  readonly fault: string
}

const KUBE_VERSION = 'v1.36.3'

/**
 * A chart from its files, as `helm template` renders it, with the unpacked charts in its `charts`
 * folder. What a clock or chance would give comes from `functions`. Values are not held against a
 * values.schema.json; packed charts (`.tgz`) are not seen.
 */
export function renderChart(
  files: { readonly [path: string]: string },
  values: JsonObject,
  release: ChartRelease,
  functions: Functions = {},
): RenderedChart | ChartFault {
  try {
    const read = readerOf(release.fullParser)
    const chart = withDependencies(readChart(files, read), values)
    const refusal = versionFault(chart, release)
    if (refusal !== undefined) return { fault: refusal }
    const merged = coalesced(chart, values)
    const live = { ...functions, ...release.functions }
    const yaml = yamlFunctions((text) => read('value.yaml', text))
    const set = new TemplateSet({ ...builtins, ...sprig, ...yaml, ...live })
    return { files: filesOf(chart, merged, release, set), metadata: chart.metadata, values: merged }
  } catch (error) {
    if (error instanceof TemplateError) {
      return { fault: `template: ${error.template}: ${error.message}` }
    }
    if (error instanceof ChartError) return { fault: error.message }
    throw error
  }
}

/** Files of a chart that say something else than Helm reads. */
class ChartError extends Error {}

function readerOf(
  fullParser: FullParser | undefined,
): (path: string, text: string) => Json | undefined {
  return (path, text) => {
    const source = { path, bytes: new TextEncoder().encode(text) }
    const { documents, errors } = readFile(source, {
      wanted: { all: true, needles: [] },
      fullParser,
    })
    const [error] = errors
    if (error !== undefined) throw new ChartError(`cannot read ${path}: ${error.what}`)
    return documents[0]?.value()
  }
}

function versionFault({ metadata }: ChartTree, { kubeVersion }: ChartRelease): string | undefined {
  const range = metadata['kubeVersion']
  if (kubeVersion === undefined || typeof range !== 'string' || range === '') return undefined
  try {
    if (satisfies(range, parseVersion(kubeVersion))) return undefined
  } catch {
    // What is no range fits nothing.
  }
  return `chart requires kubeVersion: ${range} which is incompatible with Kubernetes ${kubeVersion}`
}

interface Entry {
  readonly name: string
  readonly path: string
  readonly text: string
  readonly data: ValueMap
  readonly basePath: string
}

function filesOf(
  chart: ChartTree,
  values: JsonObject,
  release: ChartRelease,
  set: TemplateSet,
): readonly RenderedFile[] {
  const entries: Entry[] = []
  collect(chart, { values: valueOf(values), release, place: '', path: '' }, entries)
  entries.sort(compareEntries)
  for (const { name, text } of entries) set.add(name, text)
  const rendered: RenderedFile[] = []
  for (const { name, path, data, basePath } of entries) {
    if (/(^|\/)_[^/]*$/.test(path)) continue
    put(data, 'Template', { Name: name, BasePath: basePath })
    const text = set.run(name, data)
    if (!path.endsWith('NOTES.txt')) rendered.push({ path, text })
  }
  return rendered.sort((one, other) => compareText(one.path, other.path))
}

/** Helm's order: what lies deeper comes first, so that parents define names last. */
function compareEntries({ name: one }: Entry, { name: other }: Entry): number {
  const depth = (name: string): number => name.split('/').length
  return depth(other) - depth(one) || compareText(other, one)
}

interface Around {
  readonly values: Value
  readonly release: ChartRelease
  /** `demo/charts/` of the chart around it, or nothing. */
  readonly place: string
  readonly path: string
}

function collect(
  chart: ChartTree,
  { values, release, place, path }: Around,
  entries: Entry[],
): ValueMap {
  const subcharts: { [name: string]: Value } = {}
  const data: ValueMap = {
    Values: values,
    Chart: chartObject(chart, place === ''),
    Release: releaseOf(release),
    Capabilities: capabilities(
      release.kubeVersion ?? KUBE_VERSION,
      release.apiVersions ?? SERVED_API_VERSIONS,
    ),
    Files: filesObject(chart.files),
    Subcharts: subcharts,
  }
  const full = `${place}${chart.name}`
  for (const child of chart.charts) {
    const own = (values as ValueMap)[child.name] ?? {}
    const inner = {
      values: own,
      release,
      place: `${full}/charts/`,
      path: `${path}charts/${child.name}/`,
    }
    put(subcharts, child.name, collect(child, inner, entries))
  }
  const isLibrary = chart.metadata['type'] === 'library'
  for (const [name, text] of Object.entries(chart.templates)) {
    if (isLibrary && !/(^|\/)_[^/]*$/.test(name)) continue
    const basePath = `${full}/templates`
    entries.push({ name: `${full}/${name}`, path: `${path}${name}`, text, data, basePath })
  }
  return data
}

function releaseOf(release: ChartRelease): Value {
  return {
    Name: release.name,
    Namespace: release.namespace,
    Revision: BigInt(release.revision),
    IsInstall: release.isInstall,
    IsUpgrade: !release.isInstall,
    Service: release.service ?? 'Helm',
  }
}
