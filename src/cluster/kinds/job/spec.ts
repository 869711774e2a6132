import type { JsonObject } from '../../../core/json.ts'
import { byteLength } from '../../../core/text.ts'
import type { Rules } from '../../api/kind.ts'
import { type Complaints, givenNumber, givenText, objectOf, textOf } from '../complaints.ts'
import { checkLabelSelector, selectorMatches } from '../labels.ts'
import { domainPathFaults } from '../names.ts'
import { checkTemplate } from '../pod-template/template.ts'
import { internalText, labelsText } from '../wire/internal.ts'
import { checkPodFailurePolicy } from './failure-policy.ts'
import { checkSuccessPolicy } from './success-policy.ts'

const MOST_INDEXES = 100_000
const MOST_IN_HUGE_JOBS = 10_000

/** A Job's spec with its selector, which a CronJob's template may not have. */
export function checkJobSpec(out: Complaints, spec: JsonObject, path: string, rules: Rules): void {
  checkJobTemplateSpec(out, spec, path, rules)
  const selector = objectOf(spec, 'selector')
  if (selector === undefined) out.required(`${path}.selector`)
  else checkLabelSelector(out, selector, `${path}.selector`)
  const labels = objectOf(objectOf(objectOf(spec, 'template'), 'metadata'), 'labels')
  if (selectorMatches(selector, labels ?? {}) === false) {
    const detail = '`selector` does not match template `labels`'
    out.invalidRendered(`${path}.template.metadata.labels`, labelsText(labels), detail)
  }
}

const COUNTS = [
  'parallelism',
  'completions',
  'activeDeadlineSeconds',
  'backoffLimit',
  'ttlSecondsAfterFinished',
  'backoffLimitPerIndex',
  'maxFailedIndexes',
]

export function checkJobTemplateSpec(
  out: Complaints,
  spec: JsonObject,
  path: string,
  rules: Rules,
): void {
  for (const count of COUNTS) out.nonNegative(`${path}.${count}`, spec[count])
  if (spec['maxFailedIndexes'] !== undefined && spec['backoffLimitPerIndex'] === undefined) {
    out.required(`${path}.backoffLimitPerIndex`, 'when maxFailedIndexes is specified')
  }
  checkManagedBy(out, spec, `${path}.managedBy`)
  checkCompletionMode(out, spec, path)
  if (spec['podFailurePolicy'] !== undefined) {
    checkPodFailurePolicy(out, spec, `${path}.podFailurePolicy`)
  }
  checkSuccess(out, spec, `${path}.successPolicy`)
  checkReplacement(out, spec, `${path}.podReplacementPolicy`)
  checkTemplate(out, objectOf(spec, 'template'), `${path}.template`, rules)
  checkRestartPolicy(out, spec, `${path}.template.spec.restartPolicy`)
}

function checkManagedBy(out: Complaints, spec: JsonObject, path: string): void {
  const manager = givenText(spec, 'managedBy')
  if (manager === undefined) return
  if (manager === '') out.required(path)
  else for (const { value, detail } of domainPathFaults(manager)) out.invalid(path, value, detail)
  if (byteLength(manager) > 63) out.tooLong(path, 63)
}

function checkCompletionMode(out: Complaints, spec: JsonObject, path: string): void {
  const mode = givenText(spec, 'completionMode')
  if (mode === 'Indexed') return checkIndexed(out, spec, path)
  if (mode !== undefined && mode !== 'NonIndexed') {
    return out.notSupported(`${path}.completionMode`, mode, ['NonIndexed', 'Indexed'])
  }
  for (const field of ['backoffLimitPerIndex', 'maxFailedIndexes']) {
    const value = givenNumber(spec, field)
    if (value !== undefined) {
      out.invalid(`${path}.${field}`, value, 'requires indexed completion mode')
    }
  }
}

function checkIndexed(out: Complaints, spec: JsonObject, path: string): void {
  const completions = givenNumber(spec, 'completions')
  const parallelism = givenNumber(spec, 'parallelism')
  const failed = givenNumber(spec, 'maxFailedIndexes')
  const atMost = (field: string, value: number | undefined, most: number, when = ''): void => {
    if (value === undefined || value <= most) return
    out.invalid(`${path}.${field}`, value, `must be less than or equal to ${most}${when}`)
  }
  if (completions === undefined) {
    out.required(`${path}.completions`, 'when completion mode is Indexed')
  }
  atMost('parallelism', parallelism, MOST_INDEXES, ' when completion mode is Indexed')
  if (completions !== undefined && failed !== undefined && failed > completions) {
    const detail = 'must be less than or equal to completions'
    out.invalid(`${path}.maxFailedIndexes`, failed, detail)
  }
  atMost('maxFailedIndexes', failed, MOST_INDEXES)
  const isHuge = completions !== undefined && completions > MOST_INDEXES
  if (!isHuge || spec['backoffLimitPerIndex'] === undefined) return
  if (failed === undefined) {
    const detail = `must be specified when completions is above ${MOST_INDEXES}`
    out.required(`${path}.maxFailedIndexes`, detail)
  }
  const when = ` when completions are above ${MOST_INDEXES} and used with backoff limit per index`
  atMost('parallelism', parallelism, MOST_IN_HUGE_JOBS, when)
  atMost('maxFailedIndexes', failed, MOST_IN_HUGE_JOBS, when)
}

function checkSuccess(out: Complaints, spec: JsonObject, path: string): void {
  const policy = objectOf(spec, 'successPolicy')
  if (policy === undefined) return
  if (givenText(spec, 'completionMode') === 'Indexed') return checkSuccessPolicy(out, spec, path)
  const detail = 'requires indexed completion mode'
  out.invalidRendered(path, internalText('SuccessPolicy', policy), detail)
}

function checkReplacement(out: Complaints, spec: JsonObject, path: string): void {
  const policy = givenText(spec, 'podReplacementPolicy')
  if (policy === undefined) return
  const supported =
    spec['podFailurePolicy'] === undefined ? ['Failed', 'TerminatingOrFailed'] : ['Failed']
  if (!supported.includes(policy)) out.notSupported(path, policy, supported)
}

/** A pod template gets Always when nothing is written, and a Job cannot have that (K-4). */
function checkRestartPolicy(out: Complaints, spec: JsonObject, path: string): void {
  const policy = textOf(objectOf(objectOf(spec, 'template'), 'spec'), 'restartPolicy')
  if (policy === 'Always' || policy === '') {
    out.required(path, 'valid values: "OnFailure", "Never"')
  } else if (policy !== 'OnFailure' && policy !== 'Never') {
    out.notSupported(path, policy, ['OnFailure', 'Never'])
  } else if (spec['podFailurePolicy'] !== undefined && policy !== 'Never') {
    const detail = 'only "Never" is supported when podFailurePolicy is specified'
    out.invalidNamed(path, policy, detail)
  }
}
