import { Fault } from '../faults.ts'
import { fieldPath, isList, isObject, objectAt, type Json, type Path } from '../json.ts'
import { configMember, type Policy } from './policy.ts'

const SPEC_FIELDS: readonly string[] = [
  'completions',
  'completionMode',
  'podFailurePolicy',
  'backoffLimitPerIndex',
  'successPolicy',
]

/**
 * The lists of the job group specification, as rendered: five fields of the Job's spec, the
 * template's annotations and the whole pod spec. Nothing is normalised but null, because the
 * digests are published: `semel render` gives the same ones.
 */
export const adr012Policy: Policy = {
  id: 'adr-012',
  domain: 'semel.intent/v1',
  cover(kind, spec, config) {
    const jobSpec = kind === 'Job' ? spec : (objectAt(spec, ['jobTemplate', 'spec']) ?? {})
    const annotations = objectAt(jobSpec, ['template', 'metadata', 'annotations']) ?? {}
    const chosen = SPEC_FIELDS.map((field) => [field, jobSpec[field]] as const)
    const covered = plain(
      {
        kind,
        spec: Object.fromEntries(chosen),
        template: {
          ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
          spec: objectAt(jobSpec, ['template', 'spec']),
        },
      },
      [],
    )
    return { ...(isObject(covered) ? covered : {}), ...configMember(config) }
  },
}

/** Without null members; whole numbers only, as the specification has it. */
function plain(value: Json, path: Path): Json {
  if (typeof value === 'number' && !Number.isInteger(value)) throw fraction(value, path)
  if (isList(value)) return value.map((item, index) => plain(item, [...path, index]))
  if (!isObject(value)) return value
  const members = Object.entries(value).flatMap(([key, item]) =>
    item === null || item === undefined ? [] : [[key, plain(item, [...path, key])] as const],
  )
  return Object.fromEntries(members)
}

function fraction(value: number, path: Path): Fault {
  return new Fault('VALUE_NOT_CANONICAL', {
    what: `${fieldPath(path)} is the number ${value}`,
    why: 'the policy adr-012 covers whole numbers only',
    remedy: `write it as text: "${value}"`,
  })
}
