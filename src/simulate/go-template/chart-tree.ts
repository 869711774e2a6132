import { isObject, listAt, stringAt, type Json, type JsonObject } from '../../core/json.ts'
import { coalesced, joined, valueAt } from './chart-values.ts'
import { parseVersion, satisfies } from './semver.ts'

export type ChartFiles = { readonly [path: string]: string }
export type ReadYaml = (path: string, text: string) => Json | undefined

/** A chart and the charts in it, as loaded from one folder. */
export interface ChartTree {
  /** Its alias where the parent gives one. */
  readonly name: string
  readonly metadata: JsonObject
  readonly values: JsonObject
  /** By their path inside of the chart. */
  readonly templates: ChartFiles
  /** What `.Files` sees. */
  readonly files: ChartFiles
  readonly charts: readonly ChartTree[]
}

const OWN_FILES =
  /^(?:Chart\.yaml|Chart\.lock|values\.yaml|values\.schema\.json|requirements\.(?:yaml|lock)|\.helmignore)$/

/** What Helm leaves out of every chart. */
const IGNORED = /^templates\/\.[^/]+$/

export function readChart(files: ChartFiles, read: ReadYaml, folder = ''): ChartTree {
  const object = (name: string): JsonObject => {
    const text = files[name]
    const value = text === undefined ? undefined : read(`${folder}${name}`, text)
    return isObject(value) ? value : {}
  }
  const own = object('Chart.yaml')
  const required = listAt(object('requirements.yaml'), ['dependencies'])
  const metadata = required.length === 0 ? own : { ...own, dependencies: required }
  const templates: { [path: string]: string } = {}
  const others: { [path: string]: string } = {}
  const inner = new Map<string, { [path: string]: string }>()
  for (const [path, text] of Object.entries(files)) {
    const [, name, rest] = /^charts\/([^/]+)\/(.+)$/.exec(path) ?? []
    if (IGNORED.test(path)) continue
    if (path.startsWith('templates/')) templates[path] = text
    else if (name !== undefined && rest !== undefined) {
      const chart = inner.get(name) ?? {}
      chart[rest] = text
      inner.set(name, chart)
    } else if (!path.startsWith('charts/') && !OWN_FILES.test(path)) others[path] = text
  }
  const charts = [...inner]
    .filter(([name, own]) => !/^[_.]/.test(name) && own['Chart.yaml'] !== undefined)
    .map(([name, own]) => readChart(own, read, `${folder}charts/${name}/`))
  return {
    name: stringAt(metadata, ['name']) ?? '',
    metadata,
    values: object('values.yaml'),
    templates,
    files: others,
    charts,
  }
}

/** Without charts that conditions and tags switch off, with aliases and imported values. */
export function withDependencies(chart: ChartTree, given: JsonObject): ChartTree {
  return withImports(enabled(chart, given, ''))
}

function enabled(chart: ChartTree, given: JsonObject, prefix: string): ChartTree {
  const wanted = dependenciesOf(chart)
  if (wanted.length === 0) return { ...chart, charts: chart.charts.map((one) => one) }
  const free = chart.charts.filter((one) => !wanted.some((dependency) => isMet(dependency, one)))
  const bound = wanted.flatMap((dependency) => {
    const found = chart.charts.find((one) => isMet(dependency, one))
    if (found === undefined) return []
    const alias = stringAt(dependency, ['alias']) ?? ''
    return [{ dependency, tree: alias === '' ? found : { ...found, name: alias } }]
  })
  const all = { ...chart, charts: [...free, ...bound.map(({ tree }) => tree)] }
  const values = coalesced(all, given)
  const isOn = (dependency: JsonObject): boolean => isEnabled(dependency, values, prefix)
  const offNames = wanted
    .filter((dependency) => !isOn(dependency))
    .map((one) => stringAt(one, ['alias']) ?? stringAt(one, ['name']))
  const charts = all.charts
    .filter(({ name }) => !offNames.includes(name))
    .map((one) => {
      const table = values[one.name]
      return enabled(one, isObject(table) ? table : {}, '')
    })
  return { ...all, charts }
}

/** Numbers too, which people write without quotes. */
export function plainText(object: JsonObject, key: string): string {
  const value = object[key]
  if (value === undefined || value === null || typeof value === 'object') return ''
  return String(value)
}

function dependenciesOf({ metadata }: ChartTree): readonly JsonObject[] {
  return listAt(metadata, ['dependencies']).filter(isObject)
}

function isMet(dependency: JsonObject, { metadata }: ChartTree): boolean {
  if (stringAt(dependency, ['name']) !== stringAt(metadata, ['name'])) return false
  const range = plainText(dependency, 'version')
  try {
    return satisfies(range, parseVersion(plainText(metadata, 'version')))
  } catch {
    return false
  }
}

/** The first condition that is true or false decides; else one true tag, or no false one. */
function isEnabled(dependency: JsonObject, values: JsonObject, prefix: string): boolean {
  for (const path of (stringAt(dependency, ['condition']) ?? '').split(',')) {
    const value = path.trim() === '' ? undefined : valueAt(values, prefix + path.trim())
    if (typeof value === 'boolean') return value
  }
  const tags = listAt(dependency, ['tags']).map((tag) =>
    valueAt(values, `tags.${typeof tag === 'string' ? tag : ''}`),
  )
  return tags.includes(true) || !tags.includes(false)
}

function withImports(chart: ChartTree): ChartTree {
  const charts = chart.charts.map(withImports)
  const values = coalesced({ ...chart, charts }, {})
  let imported: JsonObject = {}
  for (const dependency of dependenciesOf(chart)) {
    const name = stringAt(dependency, ['alias']) ?? stringAt(dependency, ['name']) ?? ''
    for (const one of listAt(dependency, ['import-values'])) {
      const isNamed = typeof one === 'string'
      const child = isNamed ? `exports.${one}` : (stringAt(one, ['child']) ?? '')
      const parent = isNamed ? '.' : (stringAt(one, ['parent']) ?? '.')
      const table = valueAt(values, `${name}.${child}`)
      if (isObject(table)) imported = joined(imported, at(parent, table))
    }
  }
  return { ...chart, charts, values: joined(chart.values, imported) }
}

function at(path: string, table: JsonObject): JsonObject {
  if (path === '.' || path === '') return table
  return path.split('.').reduceRight<JsonObject>((inner, key) => ({ [key]: inner }), table)
}
