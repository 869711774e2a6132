import {
  isList,
  isObject,
  listAt,
  stringAt,
  type Json,
  type JsonObject,
  type Path,
} from '../../core/json.ts'
import { kindOfResource, whole, type IsName, type Mention } from './mention.ts'

/** Fields of an object that name a Job by the form of the object. */
export function fieldMentions(object: JsonObject, path: Path, isName: IsName): readonly Mention[] {
  return [
    ...objectReference(object, path, isName),
    ...accessRule(object, path, isName),
    ...podLabels(object, path, isName),
    ...labelExpression(object, path, isName),
    ...variable(object, path, isName),
    ...namedField(object, path, isName),
  ]
}

/**
 * `kind: Job` beside `name`: a health check, a dependency, an owner, the target of a patch, a
 * field that Argo CD ignores. Not the object itself, whose name stands in its metadata.
 */
function objectReference(object: JsonObject, path: Path, isName: IsName): readonly Mention[] {
  const { kind, name } = object
  if ((kind !== 'Job' && kind !== 'CronJob') || typeof name !== 'string') return []
  if (object['metadata'] !== undefined || !isBatch(object) || !isName(kind, name)) return []
  const namespace = stringAt(object, ['namespace'])
  return [{ ...whole([...path, 'name'], name), kind, namespace, role: roleOf(path) }]
}

function isBatch(object: JsonObject): boolean {
  const { apiVersion } = object
  if (typeof apiVersion === 'string' && apiVersion !== '') return apiVersion.startsWith('batch/')
  return ['group', 'apiGroup'].every((key) => {
    const group = object[key]
    return typeof group !== 'string' || group === '' || group === 'batch' || group === '*'
  })
}

function roleOf(path: Path): string {
  const field = path.findLast((step) => typeof step === 'string')
  return (field === undefined ? undefined : ROLES.get(field)) ?? `the field ${field ?? 'name'}`
}

const ROLES: ReadonlyMap<string | number, string> = new Map([
  ['dependsOn', 'a dependency'],
  ['healthChecks', 'a health check'],
  ['ignoreDifferences', 'an ignored difference'],
  ['ownerReferences', 'an owner reference'],
  ['select', 'the target of a replacement'],
  ['target', 'the target of a patch'],
])

/** RBAC: `resources: [jobs]` with `resourceNames`. */
function accessRule(object: JsonObject, path: Path, isName: IsName): readonly Mention[] {
  const { resources, resourceNames } = object
  if (!isList(resources) || !isList(resourceNames)) return []
  const groups = listAt(object, ['apiGroups'])
  if (groups.length > 0 && !groups.some((group) => group === 'batch' || group === '*')) return []
  const kinds = resources.map((resource) =>
    typeof resource === 'string' ? kindOfResource(resource.split('/')[0] ?? '') : undefined,
  )
  const kind = kinds.find((one) => one !== undefined)
  const isAll = resources.includes('*')
  if (kind === undefined && !isAll) return []
  const isPure = !isAll && kinds.every((one) => one === kind)
  return resourceNames.flatMap((name, index): readonly Mention[] => {
    if (typeof name !== 'string' || !isName(kind ?? 'Job', name)) return []
    const mention: Mention = {
      ...whole([...path, 'resourceNames', index], name),
      kind: kind ?? 'Job',
      namespace: undefined,
      role: 'a name in an access rule',
    }
    if (isPure) return [mention]
    const others = resources.filter((one) => typeof one === 'string').join(', ')
    return [
      {
        ...mention,
        doubt: `the rule is for several resources (${others}), so the name may mean another object`,
      },
    ]
  })
}

const JOB_NAME_LABELS: readonly string[] = ['batch.kubernetes.io/job-name', 'job-name']

/** The label that the Job controller puts on the pods, where a selector asks for it. */
function podLabels(object: JsonObject, path: Path, isName: IsName): readonly Mention[] {
  return JOB_NAME_LABELS.flatMap((label): readonly Mention[] => {
    const name = object[label]
    if (typeof name !== 'string' || !isName('Job', name)) return []
    const role = `the label ${label}`
    return [{ ...whole([...path, label], name), kind: 'Job', namespace: undefined, role }]
  })
}

function labelExpression(object: JsonObject, path: Path, isName: IsName): readonly Mention[] {
  const { key, values } = object
  if (typeof key !== 'string' || !JOB_NAME_LABELS.includes(key) || !isList(values)) return []
  return values.flatMap((name, index): readonly Mention[] => {
    if (typeof name !== 'string' || !isName('Job', name)) return []
    const role = `the label ${key}`
    return [{ ...whole([...path, 'values', index], name), kind: 'Job', namespace: undefined, role }]
  })
}

/** An environment variable whose name speaks of a job: what its program does with it is unknown. */
function variable(object: JsonObject, path: Path, isName: IsName): readonly Mention[] {
  const { name, value } = object
  if (typeof name !== 'string' || typeof value !== 'string') return []
  if (!/(?:^|_)(?:CRON)?JOBS?(?:_|$)/i.test(name)) return []
  const kind = isName('Job', value) ? 'Job' : 'CronJob'
  if (!isName(kind, value)) return []
  const doubt = 'it is the value of a variable, and only its program knows what it means'
  const role = `the variable ${name}`
  return [{ ...whole([...path, 'value'], value), kind, namespace: undefined, role, doubt }]
}

/** `jobName: NAME` and `jobRef: {name: NAME}` of kinds that nobody here knows. */
function namedField(object: JsonObject, path: Path, isName: IsName): readonly Mention[] {
  return NAMED_FIELDS.flatMap((key): readonly Mention[] => {
    const value = object[key]
    const inner: Json | undefined = isObject(value) ? value['name'] : value
    if (typeof inner !== 'string' || !isName('Job', inner)) return []
    if (isObject(value) && value['kind'] !== undefined) return []
    const here = isObject(value) ? [...path, key, 'name'] : [...path, key]
    const doubt = `only the controller of this object knows what \`${key}\` means`
    const role = `the field ${key}`
    return [{ ...whole(here, inner), kind: 'Job', namespace: undefined, role, doubt }]
  })
}

const NAMED_FIELDS: readonly string[] = ['job', 'jobName', 'jobRef', 'jobReference']
