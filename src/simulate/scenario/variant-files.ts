import { stringAt, type Json, type JsonObject } from '../../core/json.ts'
import { objectsOf } from '../trace/manifests.ts'
import { keysOf, withField } from './fields.ts'
import { isRemark } from './remarks.ts'
import type { Files } from './stage.ts'
import { OF_WORK, type Variant } from './variants.ts'

/** Engines that have no object of their own: a variant's `spec.x` is about the work. */
const WITHOUT_OBJECT: ReadonlySet<string> = new Set([
  'kubernetes',
  'kubernetes-cronjob',
  'kubectl',
  'kubectl-schedule',
  'kustomize',
  'generic-reconciler',
  'package-operator',
])

/**
 * `job.spec.ttlSecondsAfterFinished: 3600` of a variant, in every Job manifest, and likewise for
 * other kinds; and a comment `# variant NAME: line` is that line in the variant of that name.
 */
export function variantFiles(files: Files, { name, changes, settings }: Variant): Files {
  const fields = fieldsOf(changes, stringAt(settings, ['kind']) ?? '')
  const mark = `# variant ${name}: `
  const changed: { [path: string]: string } = {}
  for (const [path, text] of Object.entries(files)) {
    const written = name === '' || !text.includes(mark) ? text : text.replaceAll(mark, '')
    const objects = fields.length > 0 && isPlain(path) ? objectsOf(path, written) : []
    changed[path] = objects.some((object) => fields.some((field) => isOf(object, field)))
      ? objects.map((object) => JSON.stringify(withFields(object, fields))).join('\n---\n')
      : written
  }
  return changed
}

/** What a variant says that nothing in the folder has; undefined: all of it has its place. */
export function variantProblem(files: Files, { changes, settings }: Variant): string | undefined {
  const kind = stringAt(settings, ['kind']) ?? ''
  for (const [key, value] of Object.entries(changes)) {
    if (!key.includes('.') || /^(?:spec|engine|metadata|values)\./.test(key)) {
      if (key.includes('.') || OF_WORK.has(key) || isRemark(key) || key === 'engine') continue
      continue
    }
    if (key.startsWith('provider') || value === undefined) continue
    // A Job that Terraform makes stands in no YAML; its stage knows it.
    if (key.startsWith('job.') && Object.keys(files).some((path) => path.endsWith('.tf'))) continue
    const [field] = fieldsOf({ [key]: value }, kind)
    const isThere =
      field !== undefined &&
      Object.entries(files).some(
        ([path, text]) =>
          isPlain(path) && objectsOf(path, text).some((object) => isOf(object, field)),
      )
    if (!isThere) return `${key} is about no object that stands in the folder as it is applied`
  }
  return undefined
}

function isPlain(path: string): boolean {
  return /\.ya?ml$/.test(path) && path !== 'scenario.yaml'
}

interface Field {
  /** In small letters; undefined: of any work. */
  readonly kind: string | undefined
  readonly path: readonly string[]
  readonly value: Json | undefined
}

function fieldsOf(changes: JsonObject, engine: string): readonly Field[] {
  return Object.entries(changes).flatMap(([key, value]): readonly Field[] => {
    const [, root = '', rest = ''] = /^([A-Za-z]+)\.(.+)$/.exec(key) ?? []
    if (root === '' || root === 'engine' || root === 'values') return []
    if (root === 'spec' || root === 'metadata') {
      if (!WITHOUT_OBJECT.has(engine)) return []
      return [{ kind: undefined, path: keysOf(key), value }]
    }
    return [{ kind: root.toLowerCase(), path: keysOf(rest), value }]
  })
}

function isOf(object: JsonObject, { kind }: Field): boolean {
  const own = stringAt(object, ['kind'])?.toLowerCase() ?? ''
  return kind === undefined ? /^(?:cron)?job$/.test(own) : own === kind
}

function withFields(object: JsonObject, fields: readonly Field[]): JsonObject {
  return fields
    .filter((field) => isOf(object, field))
    .reduce<JsonObject>((made, { path, value }) => withField(made, path, value), object)
}
