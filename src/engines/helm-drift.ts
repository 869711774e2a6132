import { isTemplated } from '../core/templates.ts'
import { listAt, objectAt, stringAt, type JsonObject } from '../core/json.ts'
import { markOf } from './metadata.ts'

/**
 * Whether a HelmRelease's drift detection leaves the object out: by mark, or by an ignore rule with
 * the root path (R-5, trace 059). A mark that only rendering knows counts as set.
 */
export function isOutOfDrift(carrier: JsonObject | undefined, object: JsonObject): boolean {
  if (markOf(object, 'helm.toolkit.fluxcd.io/driftDetection', 'disabled') !== 'off') return true
  return listAt(carrier, ['spec', 'driftDetection', 'ignore']).some(
    (rule) =>
      listAt(rule, ['paths']).includes('') && isSelected(objectAt(rule, ['target']), object),
  )
}

/**
 * A kustomize selector: anchored patterns, all of which must match. A selector by labels or
 * annotations, a pattern that is not tried and a templated name count as matching: that claims
 * least.
 */
function isSelected(target: JsonObject | undefined, object: JsonObject): boolean {
  if (target === undefined) return true
  const fields: readonly (readonly [key: string, value: string])[] = [
    ['group', 'batch'],
    ['version', 'v1'],
    ['kind', stringAt(object, ['kind']) ?? ''],
    ['name', stringAt(object, ['metadata', 'name']) ?? ''],
    ['namespace', stringAt(object, ['metadata', 'namespace']) ?? ''],
  ]
  return fields.every(([key, value]) => {
    const pattern = stringAt(target, [key]) ?? ''
    // The release may put the object into its own namespace, which the chart does not name.
    if (pattern === '' || (key === 'namespace' && value === '')) return true
    return isTemplated(value) || matches(pattern, value)
  })
}

/** Go's patterns take linear time, ours do not: only plain ones are tried, without groups. */
function matches(pattern: string, value: string): boolean {
  const repeats = pattern.match(/[*+]/g)?.length ?? 0
  if (repeats > 3 || !/^[\w.|*+-]+$/.test(pattern)) return true
  try {
    return new RegExp(`^(?:${pattern})$`).test(value)
  } catch {
    return true
  }
}
