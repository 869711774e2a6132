import { didYouMean } from '../../core/nearest.ts'
import {
  fieldPath,
  isObject,
  listAt,
  objectAt,
  stringAt,
  type Json,
  type JsonObject,
  type Path,
} from '../../core/json.ts'
import { ENGINES, TAG_POLICIES, type RenderOptions } from '../../render/options.ts'
import { render } from '../../render/render.ts'

/** An item of `results`, as the function specification has it. */
export interface KrmResult {
  readonly message: string
  readonly severity: 'error' | 'warning' | 'info'
  readonly resourceRef?: JsonObject
  readonly field?: { readonly path: string }
  readonly file?: JsonObject
}

export interface Generated {
  /** Empty when anything is an error. */
  readonly objects: readonly JsonObject[]
  readonly results: readonly KrmResult[]
  readonly isFailed: boolean
}

/**
 * What an object of kind JobGroups (semel.dev/v1alpha1) renders: `spec` has the values and what
 * stands on the command line otherwise. Every result names the field of this object.
 */
export function generate(config: Json | undefined): Generated {
  if (!isJobGroups(config)) {
    return failed([{ severity: 'error', message: `${NO_JOB_GROUPS}, is ${kindOf(config)}` }])
  }
  const about = aboutOf(config)
  const { options, values, wrong } = settingsOf(config)
  const rendered = options === undefined ? undefined : render(values, options)
  const results = [
    ...wrong.map(({ path, message }): KrmResult => ({
      severity: 'error',
      message,
      ...about,
      field: { path: fieldPath(path) },
    })),
    ...(rendered?.problems ?? []).map(({ code, severity, path, at, text, remedy }): KrmResult => {
      const where = path.length === 0 ? 'values' : fieldPath(path)
      const field = { path: fieldPath(['spec', 'values', ...at]) }
      const end = text.endsWith('?') ? '' : '.'
      const message = `${code}: ${where}: ${text}${end} Remedy: ${remedy}`
      return { severity, message, ...about, field }
    }),
  ]
  const isFailed = results.some(({ severity }) => severity === 'error')
  if (isFailed || rendered === undefined) return failed(results)
  const objects = [...rendered.configMaps, ...rendered.objects.map(({ object }) => object)]
  return { objects, results, isFailed }
}

/**
 * A KRM function (config.kubernetes.io/v1): the items stay, and those of an earlier run give way
 * to what is rendered now. All of one JobGroups stand in one file, by which they are known again.
 */
export function answerList(list: JsonObject): {
  readonly list: JsonObject
  readonly made: Generated
} {
  const config = list['functionConfig']
  const made = generate(config)
  const before = listAt(list, ['items'])
  const items = made.isFailed ? before : itemsOf(before, made.objects, fileOf(config))
  const results = [...listAt(list, ['results']), ...made.results.map((one): Json => ({ ...one }))]
  const { results: _, ...rest } = list
  return { list: { ...rest, items, ...(results.length === 0 ? {} : { results }) }, made }
}

export function isJobGroups(value: Json | undefined): value is JsonObject {
  const group = stringAt(value, ['apiVersion'])?.split('/')[0]
  return isObject(value) && value['kind'] === 'JobGroups' && group === 'semel.dev'
}

const NO_JOB_GROUPS = 'functionConfig must be a JobGroups of semel.dev/v1alpha1'

function kindOf(config: Json | undefined): string {
  const kind = stringAt(config, ['kind'])
  return kind === undefined ? 'missing' : `${kind} of ${stringAt(config, ['apiVersion']) ?? ''}`
}

function failed(results: readonly KrmResult[]): Generated {
  return { objects: [], results, isFailed: true }
}

interface Wrong {
  readonly path: Path
  readonly message: string
}

interface Settings {
  /** Undefined when something is wrong with them, so that no name is made up. */
  readonly options: RenderOptions | undefined
  readonly values: Json
  readonly wrong: readonly Wrong[]
}

const KEYS = ['release', 'engine', 'tagPolicy', 'configMaps', 'sharedValues', 'values'] as const
const RELEASE_KEYS = ['name', 'namespace', 'chart', 'appVersion'] as const

function settingsOf(config: JsonObject): Settings {
  const wrong: Wrong[] = []
  const spec = objectAt(config, ['spec']) ?? {}
  const given = spec['release']
  const release = isObject(given) ? given : { name: given }
  unknownKeys(spec, KEYS, ['spec'], wrong)
  if (isObject(given)) unknownKeys(release, RELEASE_KEYS, ['spec', 'release'], wrong)
  const at = (key: string): Path => ['spec', 'release', ...(isObject(given) ? [key] : [])]
  const text = (key: string, fallback?: string): string | undefined => {
    const value = release[key] ?? fallback
    if (value === undefined || typeof value === 'string') return value
    wrong.push({ path: at(key), message: `${key} must be text. Put it into quotes` })
    return undefined
  }
  const appVersion = text('appVersion')
  const options = {
    release: {
      name: text('name', stringAt(config, ['metadata', 'name'])) ?? '',
      namespace: text('namespace', stringAt(config, ['metadata', 'namespace'])) ?? 'default',
      chart: text('chart') ?? 'app',
      ...(appVersion === undefined ? {} : { appVersion }),
    },
    engine: oneOf(spec, 'engine', ENGINES, wrong) ?? 'any',
    tagPolicy: oneOf(spec, 'tagPolicy', TAG_POLICIES, wrong) ?? 'warn',
    configMaps: flag(spec, 'configMaps', wrong),
    sharedValues: flag(spec, 'sharedValues', wrong),
  }
  if (options.release.name === '' && wrong.length === 0) {
    const message = 'the release has no name. Set spec.release.name: names begin with it'
    wrong.push({ path: ['spec', 'release'], message })
  }
  const values = spec['values']
  if (values === undefined) {
    wrong.push({ path: ['spec'], message: 'there are no values. Write them below spec.values' })
  }
  return { options: wrong.length > 0 ? undefined : options, values: values ?? {}, wrong }
}

function unknownKeys(map: JsonObject, known: readonly string[], path: Path, wrong: Wrong[]): void {
  for (const key of Object.keys(map).filter((one) => !known.includes(one))) {
    const hint = didYouMean(key, known)
    const message = `unknown key '${key}'.${hint === '' ? ' Remove it' : hint}`
    wrong.push({ path: [...path, key], message })
  }
}

function oneOf<T extends string>(
  spec: JsonObject,
  key: string,
  allowed: readonly T[],
  wrong: Wrong[],
): T | undefined {
  const value = spec[key]
  const found = allowed.find((one) => one === value)
  if (found === undefined && value !== undefined && value !== null) {
    const message = `${key} must be one of ${allowed.join(', ')}, is ${JSON.stringify(value)}`
    wrong.push({ path: ['spec', key], message })
  }
  return found
}

function flag(spec: JsonObject, key: string, wrong: Wrong[]): boolean {
  const value = spec[key] ?? false
  if (typeof value === 'boolean') return value
  wrong.push({ path: ['spec', key], message: `${key} must be true or false, without quotes` })
  return false
}

/** The object and the file that a result belongs to, as kustomize and kpt note them. */
function aboutOf(config: JsonObject): Pick<KrmResult, 'resourceRef' | 'file'> {
  const resourceRef = {
    apiVersion: config['apiVersion'],
    kind: config['kind'],
    name: stringAt(config, ['metadata', 'name']) ?? '',
  }
  const path = pathOf(config)
  return path === undefined ? { resourceRef } : { resourceRef, file: { path } }
}

const PATHS = ['internal.config.kubernetes.io/path', 'config.kubernetes.io/path'] as const
const INDEXES = ['internal.config.kubernetes.io/index', 'config.kubernetes.io/index'] as const

function pathOf(object: Json): string | undefined {
  const annotations = objectAt(object, ['metadata', 'annotations']) ?? {}
  return PATHS.map((key) => stringAt(annotations, [key])).find((path) => path !== undefined)
}

/** kpt writes the items there; kustomize takes the note away. */
function fileOf(config: Json | undefined): string {
  return `${stringAt(config, ['metadata', 'name']) ?? 'jobs'}.semel.yaml`
}

function itemsOf(
  before: readonly Json[],
  objects: readonly JsonObject[],
  file: string,
): readonly Json[] {
  const others = before.filter((item) => pathOf(item) !== file)
  const placed = objects.map((object, index): JsonObject => {
    const metadata = objectAt(object, ['metadata']) ?? {}
    const places = [
      ...PATHS.map((key) => [key, file] as const),
      ...INDEXES.map((key) => [key, String(index)] as const),
    ]
    const annotations = { ...objectAt(metadata, ['annotations']), ...Object.fromEntries(places) }
    return { ...object, metadata: { ...metadata, annotations } }
  })
  return [...others, ...placed]
}
