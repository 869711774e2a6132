import { canonicalJson } from '../core/canonical-json.ts'
import type { Fingerprint } from '../core/fingerprint.ts'
import { isList, isObject, type Json } from '../core/json.ts'
import { changedFields, type FieldChange } from './fields.ts'

export interface FieldDifference extends FieldChange {
  /** As they were hashed, in JSON; undefined where the field is missing. */
  readonly before: string | undefined
  readonly after: string | undefined
}

/** Which fields make two fingerprints differ; empty when they are equal. */
export function diffFingerprints(
  before: Fingerprint,
  after: Fingerprint,
): readonly FieldDifference[] {
  const one = JSON.parse(before.canonical) as Json
  const other = JSON.parse(after.canonical) as Json
  const changes = changedFields(before.fields, after.fields)
  const isOtherPolicy = before.policy !== after.policy
  const all: readonly FieldChange[] = isOtherPolicy
    ? [{ path: 'policy', change: 'changed' }, ...changes]
    : changes
  return all.map((change) =>
    change.path === 'policy' && isOtherPolicy
      ? { ...change, before: before.policy, after: after.policy }
      : {
          ...change,
          before: textOf(valueAtField(one, change.path)),
          after: textOf(valueAtField(other, change.path)),
        },
  )
}

/**
 * The value that a path of field digests stands for: `spec.template.spec.containers[migrate].image`.
 * Of a list itself its items' names, because their order is what the digest is of.
 */
export function valueAtField(value: Json, path: string): Json | undefined {
  let here: Json | undefined = value
  for (const step of stepsOf(path)) {
    if (isList(here)) here = itemAt(here, step)
    else here = isObject(here) && Object.hasOwn(here, step) ? here[step] : undefined
  }
  if (!isList(here) || !here.every(isObject) || !OPENED_LIST.test(path)) return here
  return here.map((item) => item['name'] ?? null)
}

/** Of the lists whose items have digests of their own. */
const OPENED_LIST = /(?:^|\.)(?:containers|env|initContainers|volumes)$/

/** `a.b[c]["d.e"]` as a, b, c and d.e. */
function stepsOf(path: string): readonly string[] {
  const steps: string[] = []
  for (const match of path.matchAll(/"((?:[^"\\]|\\.)*)"|[^.[\]"]+|\[([^"\]]*)\]/g)) {
    const [whole, quoted, bare] = match
    if (quoted !== undefined) steps.push(JSON.parse(`"${quoted}"`) as string)
    else steps.push(bare ?? whole)
  }
  return steps
}

function itemAt(list: readonly Json[], step: string): Json | undefined {
  const index = /^#(\d+)$/.exec(step)?.[1]
  if (index !== undefined) return list[Number(index)]
  return list.find((item) => isObject(item) && item['name'] === step)
}

function textOf(value: Json | undefined): string | undefined {
  return value === undefined ? undefined : canonicalJson(value)
}
