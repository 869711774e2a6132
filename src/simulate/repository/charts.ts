import { listAt, stringAt, type Json, type JsonObject } from '../../core/json.ts'
import { textOf } from '../../ownership/json-text.ts'
import { resolvePath } from '../../ownership/tree.ts'
import type { Functions } from '../go-template/exec.ts'
import { mergeValues, renderChart, type ChartRelease } from '../go-template/chart.ts'
import type { Files } from '../scenario/stage.ts'
import { objectsOf } from '../trace/manifests.ts'
import type { Other } from './others.ts'
import { readText } from './others.ts'
import type { Around } from './part.ts'

/** A chart of which only the templates of Jobs are left, with what they make. */
export interface JobChart {
  readonly files: Files
  /** By template, in its order, as a first installation has them. */
  readonly jobs: readonly { readonly path: string; readonly object: JsonObject }[]
  readonly others: readonly Other[]
}

/** All files of a chart folder, named from there; partials of charts in it stand among its own. */
export function chartFiles(folder: string, around: Around): Files {
  const { tree } = around.world
  const prefix = folder === '' ? '' : `${folder}/`
  const files: { [path: string]: string } = {}
  for (const path of tree.under(folder)) {
    const name = path.slice(prefix.length)
    const inner = /^charts\/(.+)\/templates\/(?:.*\/)?([^/]+\.tpl)$/.exec(name)
    if (name.startsWith('charts/') && inner === null) continue
    if (/^crds\/|\.(?:md|tgz)$|^\.helmignore$/.test(name)) continue
    const text = readText(path, around)
    if (text === undefined) continue
    if (inner === null) files[name] = text
    else files[`templates/_${(inner[1] ?? '').replaceAll('/', '-')}-${inner[2] ?? ''}`] = text
  }
  for (const [path, text] of libraryFiles(folder, files, around)) files[path] = text
  return files
}

/** Named templates of charts in other folders of the repository (`file://../common`). */
function libraryFiles(
  folder: string,
  files: Files,
  around: Around,
): readonly (readonly [string, string])[] {
  const [metadata = {}] = objectsOf('Chart.yaml', files['Chart.yaml'] ?? '', around.fullParser)
  return listAt(metadata, ['dependencies']).flatMap((dependency) => {
    const local = /^file:\/\/(.*)$/.exec(stringAt(dependency, ['repository']) ?? '')?.[1]
    const path = local === undefined ? undefined : resolvePath(folder, local)
    if (path === undefined) return []
    return around.world.tree.under(`${path}/templates`).flatMap((file) => {
      const text = file.endsWith('.tpl') ? readText(file, around) : undefined
      return text === undefined
        ? []
        : [[`templates/_${path.replaceAll('/', '-')}-${file.replace(/^.*\//, '')}`, text] as const]
    })
  })
}

/**
 * The chart with the templates of its Jobs alone, so that hooks, weights and what the release puts
 * in stay real; or why it cannot be rendered.
 */
export function jobChart(
  all: Files,
  values: JsonObject,
  release: ChartRelease,
  functions: Functions = {},
): JobChart | { readonly fault: string } {
  const whole = renderChart(all, values, release, functions)
  // What stops at another template than a Job's may be more than this model of templates knows.
  const isRefused = 'fault' in whole && /error calling (?:required|fail)\b/.test(whole.fault)
  const rendered =
    'fault' in whole && !isRefused
      ? renderChart(jobTemplates(all), values, release, functions)
      : whole
  if ('fault' in rendered) return 'fault' in whole ? whole : rendered
  const files = sharedFiles(all)
  const jobs: { path: string; object: JsonObject }[] = []
  const others: Other[] = []
  for (const { path, text } of rendered.files) {
    const objects = objectsOf(path, text)
    const own = objects.filter(isJob)
    for (const object of objects) if (!isJob(object)) others.push({ object, text: textOf(object) })
    for (const object of own) jobs.push({ path, object })
    if (own.length === 0) continue
    const source = all[path] ?? ''
    if (own.length === objects.length) files[path] = source
    else Object.assign(files, alone(path, source, { all, values, release, functions, own }))
  }
  if (rendered !== whole) others.push(...writtenOthers(all))
  return { files, jobs, others }
}

/** Without templates that surely make no Job. */
function jobTemplates(all: Files): Files {
  return Object.fromEntries(
    Object.entries(all).filter(([path, text]) => !isOtherTemplate(path, text)),
  )
}

function isOtherTemplate(path: string, text: string): boolean {
  return path.startsWith('templates/') && !/(^|\/)_/.test(path) && !/\bJob\b|CronJob/.test(text)
}

/** Templates that were not rendered stand for what they make. */
function writtenOthers(all: Files): readonly Other[] {
  const object = { apiVersion: 'v1', kind: 'Template', metadata: {} }
  return Object.entries(all).flatMap(([path, text]) =>
    isOtherTemplate(path, text) ? [{ object, text }] : [],
  )
}

export function isJob(object: JsonObject): boolean {
  const kind = object['kind']
  const apiVersion = stringAt(object, ['apiVersion']) ?? ''
  return (kind === 'Job' || kind === 'CronJob') && apiVersion.startsWith('batch/')
}

/** What templates may read: partials, and other files where one of the templates asks for them. */
function sharedFiles(all: Files): { [path: string]: string } {
  const isAsked = Object.entries(all).some(
    ([path, text]) => path.startsWith('templates/') && text.includes('.Files'),
  )
  const kept = Object.entries(all).filter(([path]) =>
    path.startsWith('templates/')
      ? /(^|\/)_/.test(path)
      : isAsked || path === 'Chart.yaml' || path === 'values.yaml',
  )
  return Object.fromEntries(kept)
}

interface Alone {
  readonly all: Files
  readonly values: JsonObject
  readonly release: ChartRelease
  readonly functions: Functions
  readonly own: readonly JsonObject[]
}

/** The documents of a template that make Jobs; where they hang together, what they made. */
function alone(path: string, source: string, of: Alone): Files {
  const { all, values, release, functions, own } = of
  const parts = source.split(/^---[ \t]*$/m)
  const partials = sharedFiles(all)
  const kept: { [path: string]: string } = {}
  const made: JsonObject[] = []
  for (const [index, part] of parts.entries()) {
    const name = path.replace(/(\.[^./]*)?$/, `.${index}$1`)
    const rendered = renderChart({ ...partials, [name]: part }, values, release, functions)
    if ('fault' in rendered) return frozen(path, own)
    const objects = rendered.files.flatMap((file) => objectsOf(file.path, file.text))
    if (objects.length === 0) continue
    if (!objects.some(isJob)) continue
    if (!objects.every(isJob)) return frozen(path, own)
    kept[name] = part
    made.push(...objects)
  }
  return textOf(made) === textOf(own) ? kept : frozen(path, own)
}

/** Objects as templates that say nothing to a template engine. */
export function frozen(path: string, objects: readonly JsonObject[]): Files {
  const texts = objects.map((object) =>
    JSON.stringify(object, (_, part: unknown) => (typeof part === 'bigint' ? Number(part) : part))
      .replaceAll('{{', '\u0000')
      .replaceAll('\u0000', '{{ "{{" }}'),
  )
  return { [path]: `${texts.join('\n---\n')}\n` }
}

/** `--set a.b=value` and the parameters of an Application, for names without lists. */
export function valuesAt(path: string, text: string, isText: boolean): JsonObject {
  const plain = /^-?(?:0|[1-9]\d{0,14})$/.test(text) ? Number(text) : text
  const value: Json = isText ? text : text === 'true' ? true : text === 'false' ? false : plain
  return path
    .split('.')
    .toReversed()
    .reduce<Json>((inner, key) => ({ [key]: inner }), value) as JsonObject
}

export function merged(all: readonly JsonObject[]): JsonObject {
  return all.reduce(mergeValues, {})
}

/** The first mapping of a values file. */
export function valuesIn(text: string, around: Around): JsonObject {
  const { fullParser } = around
  return objectsOf('values.yaml', text, fullParser)[0] ?? {}
}
