import type { JsonObject } from '../../../core/json.ts'
import type { Rules } from '../../api/kind.ts'
import { numberOf, objectOf, textOf } from '../complaints.ts'
import { dnsLabelFaults } from '../names.ts'
import { templateWarnings } from '../pod-template/warnings.ts'

const USE = 'this is used in Pod names and hostnames, which can result in surprising behavior'

/** A name with dots, or too long for a label, is allowed but makes odd host names (K-5). */
export function nameWarnings(name: string): readonly string[] {
  const faults = dnsLabelFaults(name)
  if (faults.length === 0) return faults
  return [`metadata.name: ${USE}; a DNS label is recommended: [${faults.join(' ')}]`]
}

export function jobWarnings(spec: JsonObject, path: string, rules: Rules): readonly string[] {
  const template = templateWarnings(objectOf(spec, 'template') ?? {}, `${path}.template`, rules)
  const isHuge =
    textOf(spec, 'completionMode') === 'Indexed' &&
    numberOf(spec, 'completions') > 100_000 &&
    numberOf(spec, 'parallelism') > 10_000
  if (!isHuge) return template
  const text =
    'In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, ' +
    'Kubernetes might not be able to track completedIndexes when a big number of indexes fail'
  return [`${path}: ${text}`, ...template]
}
