import { isList, isObject, stringAt, type Json, type JsonObject } from '../../core/json.ts'
import { compareText } from '../../core/text.ts'
import { yamlText } from '../../core/yaml/write-stream.ts'
import { objectsOf } from '../trace/manifests.ts'
import { TemplateSet, type Functions } from './exec.ts'
import { builtins } from './functions.ts'
import { TemplateError } from './node.ts'
import { jsonOf, sprig, valueOf } from './sprig.ts'
import { printed, type Value } from './value.ts'

export interface ChartRelease {
  readonly name: string
  readonly namespace: string
  readonly revision: number
  readonly isInstall: boolean
  /** `Helm` for the command line and helm-controller. */
  readonly service?: string
  /** What a clock, chance and the cluster give; without them a chart that uses one cannot be rendered. */
  readonly functions?: Functions
}

export interface RenderedChart {
  /** By the path of the template, in the order of paths; `NOTES.txt` and partials left out. */
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

/**
 * A chart from its files, as `helm template` renders it: one chart without subcharts, values of the
 * chart below those that are given. What a clock or chance would give comes from `functions`.
 */
export function renderChart(
  files: { readonly [path: string]: string },
  values: JsonObject,
  release: ChartRelease,
  functions: Functions = {},
): RenderedChart | ChartFault {
  const metadata = firstOf('Chart.yaml', files['Chart.yaml'])
  const merged = mergeValues(firstOf('values.yaml', files['values.yaml']), values)
  const live = { ...functions, ...release.functions }
  const set = new TemplateSet({ ...builtins, ...sprig, ...yamlFunctions(), ...live })
  const paths = Object.keys(files)
    .filter((path) => path.startsWith('templates/'))
    .sort(compareText)
  const chartName = stringAt(metadata, ['name']) ?? ''
  try {
    for (const path of paths) set.add(`${chartName}/${path}`, files[path] ?? '')
    const data = dataOf(metadata, merged, release, files)
    const rendered = paths
      .filter((path) => !/(^|\/)_|NOTES\.txt$/.test(path))
      .map((path) => {
        const name = `${chartName}/${path}`
        const own = { ...data, Template: { Name: name, BasePath: `${chartName}/templates` } }
        return { path, text: set.run(name, own) }
      })
    return { files: rendered, metadata, values: merged }
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    return { fault: `template: ${error.template}: ${error.message}` }
  }
}

function dataOf(
  metadata: JsonObject,
  values: JsonObject,
  release: ChartRelease,
  files: { readonly [path: string]: string },
): { readonly [key: string]: Value } {
  const chart: { [key: string]: Value } = {}
  for (const [key, value] of Object.entries(metadata)) {
    chart[key.charAt(0).toUpperCase() + key.slice(1)] = valueOf(value)
  }
  return {
    Values: valueOf(values),
    Chart: chart,
    Release: {
      Name: release.name,
      Namespace: release.namespace,
      Revision: BigInt(release.revision),
      IsInstall: release.isInstall,
      IsUpgrade: !release.isInstall,
      Service: release.service ?? 'Helm',
    },
    Capabilities: { KubeVersion: { Version: 'v1.36.3', Major: '1', Minor: '36' } },
    Files: { ...files },
  }
}

/** Maps deep, everything else replaced; null takes a key away. */
export function mergeValues(below: JsonObject, above: JsonObject): JsonObject {
  const merged: { [key: string]: Json | undefined } = { ...below }
  for (const [key, value] of Object.entries(above)) {
    if (value === null) {
      delete merged[key]
      continue
    }
    const there = merged[key]
    merged[key] = isObject(there) && isObject(value) ? mergeValues(there, value) : value
  }
  return merged
}

function yamlFunctions(): Functions {
  return {
    toYaml: (value) => yamlText(sorted(jsonOf(value) as Json)),
    fromYaml: (text) => valueOf(firstOf('value.yaml', printed(text))),
  }
}

function sorted(value: Json): Json {
  if (isList(value)) return value.map(sorted)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => compareText(one, other))
      .map(([key, item]) => [key, item === undefined ? item : sorted(item)]),
  )
}

function firstOf(path: string, text: string | undefined): JsonObject {
  return text === undefined ? {} : (objectsOf(path, text)[0] ?? {})
}
