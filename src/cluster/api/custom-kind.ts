import {
  at,
  isList,
  isObject,
  stringAt,
  type Json,
  type JsonObject,
  type Path,
} from '../../core/json.ts'
import { labelKeyFaults } from '../kinds/names.ts'
import type { KubeObject } from '../object.ts'
import type { Cel } from './contract.ts'
import type { FieldError, Kind, Rules, ScalePaths } from './kind.ts'
import { withSchemaDefaults } from './structural/defaults.ts'
import { hasRules, ruleErrors } from './structural/rules.ts'
import { typeOfSchema } from './structural/schema.ts'
import { schemaErrors } from './structural/validate.ts'

/** The kinds that a CustomResourceDefinition serves: one for each served version. */
export function kindsOf(definition: KubeObject, cel: Cel | undefined): readonly Kind[] {
  const versions = at(definition, ['spec', 'versions'])
  return (isList(versions) ? versions : [])
    .filter((version) => at(version, ['served']) === true)
    .map((version) => kindOf(definition, version as JsonObject, cel))
}

function kindOf(definition: KubeObject, version: JsonObject, cel: Cel | undefined): Kind {
  const text = (...path: string[]): string => stringAt(definition, ['spec', ...path]) ?? ''
  const found = at(version, ['schema', 'openAPIV3Schema'])
  const schema = isObject(found) ? found : {}
  const hasStatus = isObject(at(version, ['subresources', 'status']))
  const scale = at(version, ['subresources', 'scale'])
  const shortNames = at(definition, ['spec', 'names', 'shortNames'])
  const paths = isObject(scale) ? scalePaths(scale) : undefined
  const judge = judgeOf(schema, cel, paths)
  return {
    group: text('group'),
    version: stringAt(version, ['name']) ?? '',
    resource: text('names', 'plural'),
    kind: text('names', 'kind'),
    singular: text('names', 'singular'),
    ...(isList(shortNames) ? { shortNames: shortNames.map(String) } : {}),
    namespaced: text('scope') === 'Namespaced',
    schema: typeOfSchema(schema),
    hasStatus,
    hasGeneration: true,
    defaultPropagation: 'Background',
    createsOnUpdate: false,
    nameRule: 'subdomain',
    unconditionalUpdate: false,
    ...(paths === undefined ? {} : { subresources: ['scale'], scale: paths }),
    ...selectableFieldsOf(version),
    defaults: (object) => withSchemaDefaults(object, schema) as JsonObject,
    prepareForCreate: (object) => (hasStatus ? withoutStatus(object) : object),
    prepareForStatusUpdate: ({ metadata, status }, old) => withStatus(old, metadata, status),
    validateCreate: (object, rules) => ofVersion(judge(object, undefined), rules),
    validateUpdate: (next, old, rules) => ofVersion(judge(next, old), rules),
    validateStatusUpdate: (next, old, rules) => ofVersion(statusErrors(next, old, schema), rules),
    warnings: (object, old) => warningsOf(object, old, hasRules(schema) && cel === undefined),
  }
}

/** A number that is not whole where no format is named is told twice from 1.36 on. */
function ofVersion(errors: readonly FieldError[], { minor }: Rules): readonly FieldError[] {
  return minor >= 36 ? errors : errors.filter(({ detail }) => !detail.includes('(default format)'))
}

type Judge = (object: KubeObject, old: KubeObject | undefined) => readonly FieldError[]

function judgeOf(schema: JsonObject, cel: Cel | undefined, paths: ScalePaths | undefined): Judge {
  const isRuled = hasRules(schema)
  return (object, old) => {
    const replicas = paths === undefined ? [] : replicaErrors(object, paths)
    const errors = [...schemaErrors(object, schema, '', old), ...replicas]
    if (!isRuled) return errors
    if (errors.some(({ type }) => BLOCKING.has(type))) return [...errors, UNCHECKED]
    return cel === undefined
      ? errors
      : [...errors, ...ruleErrors(cel, object, schema, { path: '', old })]
  }
}

/** What the scale subresource would read has to be a number that it can hold. */
function replicaErrors(object: KubeObject, paths: ScalePaths): readonly FieldError[] {
  return [paths.specReplicas, paths.statusReplicas].flatMap((path) => {
    const field = `.${path.join('.')}`
    const error = (value: Json, detail: string): readonly FieldError[] => [
      { type: 'Invalid', field, value, detail },
    ]
    let here: Json | undefined = object
    for (const step of path) {
      if (here === undefined || here === null) return []
      if (!isObject(here)) {
        const wanted = 'map[string]interface{}'
        return error(0, `${field} accessor error: ${accessorText(here)}, expected ${wanted}`)
      }
      here = here[step]
    }
    if (here === undefined) return []
    if (typeof here !== 'number' || !Number.isInteger(here)) {
      return error(0, `${field} accessor error: ${accessorText(here)}, expected int64`)
    }
    if (here < 0) return error(here, 'should be a non-negative integer')
    return here > 2_147_483_647 ? error(here, 'should be less than or equal to 2147483647') : []
  })
}

function accessorText(value: Json): string {
  const types = { string: 'string', boolean: 'bool', number: 'float64', bigint: 'int64' } as const
  if (value === null) return '<nil> is of the type <nil>'
  if (typeof value === 'object')
    return `${JSON.stringify(value)} is of the type ${isList(value) ? '[]interface {}' : 'map[string]interface {}'}`
  return `${String(value)} is of the type ${types[typeof value as keyof typeof types]}`
}

/** Rules are not asked about objects whose form is wrong. */
const BLOCKING: ReadonlySet<FieldError['type']> = new Set([
  'NotSupported',
  'Required',
  'TooLong',
  'TooMany',
  'TypeInvalid',
])
const UNCHECKED: FieldError = {
  type: 'Invalid',
  field: '<nil>',
  value: null,
  detail:
    'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
}

function statusErrors(
  next: KubeObject,
  old: KubeObject,
  schema: JsonObject,
): readonly FieldError[] {
  const part = at(schema, ['properties', 'status'])
  const { status } = next
  if (status === undefined || !isObject(part)) return []
  return schemaErrors(status, part, 'status', old['status'])
}

/** Of metadata the status path takes over nothing but the managers. */
function withStatus(
  old: KubeObject,
  { managedFields }: KubeObject['metadata'],
  status: Json | undefined,
): KubeObject {
  const { managedFields: _, ...kept } = old.metadata
  const metadata = managedFields === undefined ? kept : { ...kept, managedFields }
  const { status: __, ...rest } = old
  const next = { ...rest, metadata }
  return status === undefined ? next : { ...next, status }
}

function withoutStatus(object: KubeObject): KubeObject {
  const { status: _, ...rest } = object
  return rest
}

function warningsOf(
  object: KubeObject,
  old: KubeObject | undefined,
  isUnjudged: boolean,
): readonly string[] {
  const before = old?.metadata.finalizers ?? []
  const added = (object.metadata.finalizers ?? []).filter((name) => !before.includes(name)).sort()
  const warnings = added.flatMap(finalizerWarnings)
  if (!isUnjudged) return warnings
  return [
    ...warnings,
    `${object.kind}: x-kubernetes-validations are not judged: this model was given no CEL`,
  ]
}

function finalizerWarnings(name: string): readonly string[] {
  const warn = (text: string): string => `metadata.finalizers: "${name}": ${text}`
  const warnings = labelKeyFaults(name).map(warn)
  if (name.includes('/') || ['orphan', 'foregroundDeletion', 'kubernetes'].includes(name)) {
    return warnings
  }
  const what = name.includes('.')
    ? 'prefer a domain-qualified finalizer name including a path (/)'
    : 'prefer a domain-qualified finalizer name'
  return [...warnings, warn(`${what} to avoid accidental conflicts with other finalizer writers`)]
}

function scalePaths(scale: JsonObject): ScalePaths {
  const selector = stringAt(scale, ['labelSelectorPath'])
  return {
    specReplicas: pathOf(stringAt(scale, ['specReplicasPath']) ?? ''),
    statusReplicas: pathOf(stringAt(scale, ['statusReplicasPath']) ?? ''),
    ...(selector === undefined ? {} : { selector: pathOf(selector) }),
  }
}

/** `.spec.replicas` */
function pathOf(text: string): Path {
  return text.replace(/^\./, '').split('.')
}

function selectableFieldsOf(version: JsonObject): Partial<Kind> {
  const list = version['selectableFields']
  if (!isList(list) || list.length === 0) return {}
  const paths = list.map((entry) => (stringAt(entry, ['jsonPath']) ?? '').replace(/^\./, ''))
  return {
    fieldSelectors: paths,
    selectableFields: (object) =>
      Object.fromEntries(paths.map((path) => [path, scalarText(at(object, path.split('.')))])),
  }
}

function scalarText(value: Json | undefined): string {
  return value === undefined || value === null || typeof value === 'object' ? '' : String(value)
}
