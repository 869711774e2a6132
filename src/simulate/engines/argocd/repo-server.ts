import { isObject, listAt, objectAt, stringAt, type JsonObject } from '../../../core/json.ts'
import { KUSTOMIZATION_NAMES } from '../../../ownership/kustomize/build.ts'
import { mergeValues, renderChart } from '../../go-template/chart.ts'
import type { Value } from '../../go-template/value.ts'
import { objectsOf } from '../../trace/manifests.ts'
import { build } from '../kustomize-controller/build.ts'
import type { Rendered } from './options.ts'

type Files = { readonly [path: string]: string }

/** What the repo-server makes of a source: a kustomization, a chart, or plain manifests. */
export function renderSource(files: Files, source: JsonObject, now: number): Rendered {
  const path = stringAt(source, ['path']) ?? '.'
  const folder = below(files, path)
  if (KUSTOMIZATION_NAMES.some((name) => folder[name] !== undefined)) {
    return kustomizeObjects(files, path, objectAt(source, ['kustomize']) ?? {})
  }
  if (folder['Chart.yaml'] !== undefined) {
    return chartObjects(folder, source, valuesOf(folder, source), now)
  }
  return { objects: plainObjects(folder), isTimeless: true }
}

/** The files below `spec.source.path`, named from there. */
export function below(files: Files, path: string): Files {
  const folder = path.replace(/^\.?\/?/, '').replace(/\/$/, '')
  if (folder === '') return files
  return Object.fromEntries(
    Object.entries(files)
      .filter(([name]) => name.startsWith(`${folder}/`))
      .map(([name, text]) => [name.slice(folder.length + 1), text]),
  )
}

/** `kustomize build` of a folder, with what the source adds; bases may lie anywhere in the files. */
function kustomizeObjects(files: Files, path: string, options: JsonObject = {}): Rendered {
  const spec = { path, ...additionsOf(options) }
  const built = build({ files, object: { spec }, variables: undefined })
  if (!('objects' in built)) return { fault: built.message }
  return { objects: built.objects.map(withoutFluxLabels), isTimeless: true }
}

/** `spec.source.kustomize` in the words of a Flux Kustomization. */
function additionsOf(options: JsonObject): JsonObject {
  const { namespace, namePrefix, nameSuffix, patches, components } = options
  const images = listAt(options, ['images']).flatMap((text) =>
    typeof text === 'string' ? [imageOf(text)] : [],
  )
  return {
    ...(namespace === undefined ? {} : { targetNamespace: namespace }),
    ...(namePrefix === undefined ? {} : { namePrefix }),
    ...(nameSuffix === undefined ? {} : { nameSuffix }),
    ...(patches === undefined ? {} : { patches }),
    ...(components === undefined ? {} : { components }),
    ...(images.length === 0 ? {} : { images }),
  }
}

/** `name=new:tag`, `name:tag`, `name@sha256:...`. */
function imageOf(text: string): JsonObject {
  const equals = text.indexOf('=')
  const image = text.slice(equals + 1)
  const at = image.indexOf('@')
  const colon = image.indexOf(':', image.lastIndexOf('/'))
  const end = at >= 0 ? at : colon
  const newName = end < 0 ? image : image.slice(0, end)
  const version = end < 0 ? '' : image.slice(end + 1)
  return {
    name: equals < 0 ? newName : text.slice(0, equals),
    ...(equals < 0 ? {} : { newName }),
    ...(version === '' ? {} : at >= 0 ? { digest: version } : { newTag: version }),
  }
}

/** What Flux would add to its objects is taken away again. */
function withoutFluxLabels(object: JsonObject): JsonObject {
  const { labels, ...metadata } = objectAt(object, ['metadata']) ?? {}
  const own = Object.entries(isObject(labels) ? labels : {}).filter(
    ([key]) => !key.startsWith('kustomize.toolkit.fluxcd.io/'),
  )
  const kept = own.length === 0 ? {} : { labels: Object.fromEntries(own) }
  return { ...object, metadata: { ...metadata, ...kept } }
}

/** `valueFiles`, then `values`, then `valuesObject`, then `parameters`: later ones win. */
function valuesOf(folder: Files, source: JsonObject): JsonObject {
  const helm = objectAt(source, ['helm'])
  const texts = listAt(helm, ['valueFiles']).map((name) =>
    typeof name === 'string' ? (folder[name.replace(/^\.\//, '')] ?? '') : '',
  )
  const written = [...texts, stringAt(helm, ['values']) ?? ''].flatMap((text) =>
    objectsOf('values.yaml', text).slice(0, 1),
  )
  const parameters = listAt(helm, ['parameters']).map((one) => {
    const path = (stringAt(one, ['name']) ?? '').split('.')
    const value = stringAt(one, ['value']) ?? ''
    const isText = isObject(one) && one['forceString'] === true
    return path.reduceRight<JsonObject[string]>(
      (inner, key) => ({ [key]: inner }),
      isText ? value : scalarOf(value),
    ) as JsonObject
  })
  const object = objectAt(helm, ['valuesObject']) ?? {}
  return [...written, object, ...parameters].reduce<JsonObject>(mergeValues, {})
}

/** As `helm --set` reads a value. */
function scalarOf(text: string): JsonObject[string] {
  if (text === 'true' || text === 'false') return text === 'true'
  if (text === 'null') return null
  return /^(?:0|-?[1-9]\d{0,14})$/.test(text) ? Number(text) : text
}

/** A folder with a Chart.yaml, as the repo-server templates it; `now` is what `now` says. */
export function chartObjects(
  files: Files,
  source: JsonObject,
  values: JsonObject,
  now: number,
): Rendered {
  const release = {
    name: stringAt(source, ['helm', 'releaseName']) ?? 'release',
    namespace: 'default',
    revision: 1,
    isInstall: true,
  }
  let isTimeless = true
  const chart = renderChart(files, values, release, {
    now: () => {
      isTimeless = false
      return new Date(now).toISOString()
    },
    date: (format: Value) => {
      isTimeless = false
      return dated(typeof format === 'string' ? format : '', now)
    },
  })
  if ('fault' in chart) return { fault: chart.fault }
  const objects = chart.files.flatMap(({ path, text }) => objectsOf(path, text))
  return isTimeless ? { objects, isTimeless } : { objects }
}

/** A folder of plain manifests. */
export function plainObjects(files: Files): readonly JsonObject[] {
  return Object.keys(files)
    .filter((path) => /\.(ya?ml|json)$/.test(path))
    .sort()
    .flatMap((path) => objectsOf(path, files[path] ?? ''))
}

/** Go's reference time, as far as names use it. */
function dated(format: string, now: number): string {
  const [date = '', time = ''] = new Date(now).toISOString().slice(0, 19).split('T')
  const [year = '', month = '', day = ''] = date.split('-')
  const [hour = '', minute = '', second = ''] = time.split(':')
  return format
    .replace('2006', year)
    .replace('01', month)
    .replace('02', day)
    .replace('15', hour)
    .replace('04', minute)
    .replace('05', second)
}
