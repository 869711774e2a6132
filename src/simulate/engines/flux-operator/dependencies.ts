import type { Reader } from '../../../cluster/actor.ts'
import type { Cel } from '../../../cluster/api/contract.ts'
import type { Instant } from '../../../cluster/time.ts'
import { kstatus } from '../../health/index.ts'
import type { KindFinder } from '../kinds.ts'
import { isReady } from './apply.ts'
import { GROUP } from './kinds.ts'
import type { Dependency } from './settings.ts'

/**
 * O-12: why a dependency does not count yet. Without an expression plain kstatus decides, for which
 * a Job that has started is good already; it is absent as soon as its TTL removed it.
 */
export function blockedBy(
  dependencies: readonly Dependency[],
  world: { read: Reader; find: KindFinder; cel: Cel | undefined; now: Instant },
): string | undefined {
  for (const dependency of dependencies) {
    const { apiVersion, kind, namespace, name, needsReady, readyExpr } = dependency
    const place = namespace === '' ? `${kind}/${name}` : `${kind}/${namespace}/${name}`
    const label = `dependency ${apiVersion}/${place}`
    const served = world.find(apiVersion, kind, world.read)
    if (served === undefined) {
      return `${label} not found: no matches for kind "${kind}" in version "${apiVersion}"`
    }
    const live = world.read.get(served, served.namespaced ? namespace : undefined, name)
    if (live === undefined) {
      const group = served.group === '' ? '' : `.${served.group}`
      return `${label} not found: ${served.resource}${group} "${name}" not found`
    }
    if (!needsReady) continue
    if (readyExpr !== '') {
      const met = evaluate(readyExpr, live, world.cel)
      if (met !== true) return met === false ? `${label} not ready: expression '${readyExpr}'` : met
    } else if (served.group === GROUP) {
      if (!isReady(live)) return `${label} not ready`
    } else {
      const { status } = kstatus(live, world.now)
      if (status !== 'Current') return `${label} not ready: status ${status}`
    }
  }
  return undefined
}

/** Text: why it could not be evaluated. */
function evaluate(
  expression: string,
  object: Parameters<Cel['evaluate']>[1],
  cel: Cel | undefined,
): boolean | string {
  if (cel === undefined) return 'readyExpr cannot be evaluated: no CEL was handed in'
  const result = cel.evaluate(expression, object)
  if ('fault' in result)
    return `failed to evaluate the CEL expression '${expression}': ${result.fault}`
  return result.value === true
}
