import type { JsonObject } from '../../../core/json.ts'
import type { Rules } from '../../api/kind.ts'
import {
  type Complaints,
  givenNumber,
  givenText,
  numberOf,
  objectOf,
  objectsOf,
  textOf,
  textsOf,
} from '../complaints.ts'
import { goStringJson } from '../../api/go-text.ts'
import { equalValues } from '../wire/equal.ts'
import { internalText } from '../wire/internal.ts'
import { firstOverlap, readIndexes } from './indexes.ts'

const PATH = 'status'
const CONDITIONS = 'status.conditions'

export function isTrue(status: JsonObject, type: string): boolean {
  return objectsOf(status, 'conditions').some(
    (condition) => condition['type'] === type && condition['status'] === 'True',
  )
}

function isFalse(status: JsonObject, type: string): boolean {
  return objectsOf(status, 'conditions').some(
    (condition) => condition['type'] === type && condition['status'] === 'False',
  )
}

function isFinished(status: JsonObject): boolean {
  return isTrue(status, 'Complete') || isTrue(status, 'Failed')
}

/**
 * A write to a Job's status. Since 1.32, when other controllers may own a Job, the server looks at
 * every step that changes; what was wrong before and stays as it was is let through (K-21, K-24).
 */
export function checkStatusUpdate(
  out: Complaints,
  next: JsonObject,
  old: JsonObject,
  rules: Rules,
): void {
  const spec = objectOf(next, 'spec') ?? {}
  const status = objectOf(next, 'status') ?? {}
  const before = objectOf(old, 'status') ?? {}
  const seen: Step = { spec, status, before, strict: rules.minor >= 32, minor: rules.minor }
  checkCounts(out, status)
  if (seen.strict) checkStep(out, seen)
  checkSuccessCriteria(out, seen)
  checkTransitions(out, seen)
}

interface Step {
  readonly spec: JsonObject
  readonly status: JsonObject
  readonly before: JsonObject
  readonly strict: boolean
  readonly minor: number
}

function checkCounts(out: Complaints, status: JsonObject): void {
  for (const count of ['active', 'succeeded', 'failed', 'ready', 'terminating']) {
    out.nonNegative(`${PATH}.${count}`, status[count])
  }
  const uncounted = objectOf(status, 'uncountedTerminatedPods')
  const seen = new Set<string>()
  for (const list of ['succeeded', 'failed']) {
    textsOf(uncounted, list).forEach((uid, at) => {
      const here = `${PATH}.uncountedTerminatedPods.${list}[${at}]`
      if (uid === '') out.invalidNamed(here, uid, 'must not be empty')
      else if (seen.has(uid)) {
        const rendered = goStringJson(uid)
        out.list.push({ type: 'Duplicate', field: here, value: uid, rendered, detail: '' })
      }
      seen.add(uid)
    })
  }
}

function checkStep(out: Complaints, step: Step): void {
  const { status, before, spec } = step
  const changed = (type: string): boolean => isTrue(status, type) !== isTrue(before, type)
  const differs = (field: string): boolean => !equalValues(status[field], before[field])
  const complete = changed('Complete')
  const failed = changed('Failed')
  const finished = isFinished(status) !== isFinished(before)
  const indexes = differs('completedIndexes')
  const failedIndexes = differs('failedIndexes')
  if (complete || failed) checkPair(out, status, 'Failed')
  if (complete || changed('FailureTarget')) checkPair(out, status, 'FailureTarget')
  checkTimes(out, step, { complete, start: differs('startTime'), end: differs('completionTime') })
  if ((failed || failedIndexes) && isTrue(status, 'Failed') && !isTrue(status, 'FailureTarget')) {
    const detail = 'cannot set Failed=True condition without the FailureTarget=true condition'
    out.invalidHere(CONDITIONS, detail)
  }
  if (
    (complete || changed('SuccessCriteriaMet')) &&
    isTrue(status, 'Complete') &&
    !isTrue(status, 'SuccessCriteriaMet')
  ) {
    const detail =
      'cannot set Complete=True condition without the SuccessCriteriaMet=true condition'
    out.invalidHere(CONDITIONS, detail)
  }
  if (isFinished(status)) checkFinished(out, step, finished)
  checkIndexes(out, { spec, status, indexes, failedIndexes })
  checkPods(out, step, finished)
}

function checkPair(out: Complaints, status: JsonObject, other: string): void {
  if (!isTrue(status, 'Complete') || !isTrue(status, other)) return
  out.invalidHere(CONDITIONS, `cannot set Complete=True and ${other}=true conditions`)
}

function checkTimes(
  out: Complaints,
  { status }: Step,
  changed: { readonly complete: boolean; readonly start: boolean; readonly end: boolean },
): void {
  const end = givenText(status, 'completionTime')
  const start = givenText(status, 'startTime')
  const here = `${PATH}.completionTime`
  const isComplete = isTrue(status, 'Complete')
  if (changed.complete || changed.end) {
    if (end !== undefined && !isComplete) {
      const detail = 'cannot set completionTime when there is no Complete=True condition'
      out.invalidNamed(here, end, detail)
    }
    if (end === undefined && isComplete) {
      out.required(here, 'completionTime is required for Complete jobs')
    }
  }
  if (!changed.start && !changed.end) return
  if (start !== undefined && end !== undefined && Date.parse(end) < Date.parse(start)) {
    out.invalidNamed(here, end, 'must be equal to or after `startTime`')
  }
}

function checkFinished(out: Complaints, { status, before, spec }: Step, finished: boolean): void {
  const differs = (field: string): boolean => !equalValues(status[field], before[field])
  const active = numberOf(status, 'active')
  if ((finished || differs('active')) && active > 0) {
    out.invalid(`${PATH}.active`, active, 'active>0 is invalid for finished job')
  }
  const neverRan = spec['suspend'] === true && spec['completions'] === 0
  if ((finished || differs('startTime')) && !neverRan && status['startTime'] === undefined) {
    out.required(`${PATH}.startTime`, 'startTime is required for finished job')
  }
  const uncounted = objectOf(status, 'uncountedTerminatedPods')
  const count = textsOf(uncounted, 'failed').length + textsOf(uncounted, 'succeeded').length
  if ((finished || differs('uncountedTerminatedPods')) && count > 0) {
    const text = internalText('UncountedTerminatedPods', uncounted)
    const detail = 'must be empty for finished job'
    out.invalidRendered(`${PATH}.uncountedTerminatedPods`, text, detail)
  }
}

interface IndexStep {
  readonly spec: JsonObject
  readonly status: JsonObject
  readonly indexes: boolean
  readonly failedIndexes: boolean
}

function checkIndexes(out: Complaints, step: IndexStep): void {
  const { spec, status, indexes, failedIndexes } = step
  if (!indexes && !failedIndexes) return
  const completed = textOf(status, 'completedIndexes')
  const failed = givenText(status, 'failedIndexes')
  const completions = spec['completions'] === undefined ? undefined : numberOf(spec, 'completions')
  const perIndex = spec['backoffLimitPerIndex'] !== undefined
  if (indexes && completions !== undefined) {
    const read = readIndexes(completed, completions)
    if (typeof read === 'string') {
      const detail = `error parsing completedIndexes: ${read}`
      out.invalid(`${PATH}.completedIndexes`, completed, detail)
    }
  }
  if (failedIndexes && completions !== undefined && perIndex && failed !== undefined) {
    const read = readIndexes(failed, completions)
    if (typeof read === 'string') {
      out.invalidNamed(`${PATH}.failedIndexes`, failed, `error parsing failedIndexes: ${read}`)
    }
  }
  if (indexes && completed !== '' && textOf(spec, 'completionMode') !== 'Indexed') {
    const detail = 'cannot set non-empty completedIndexes when non-indexed completion mode'
    out.invalid(`${PATH}.completedIndexes`, completed, detail)
  }
  if (failed === undefined) return
  if (failedIndexes && !perIndex) {
    const detail = 'cannot set non-null failedIndexes when backoffLimitPerIndex is null'
    out.invalid(`${PATH}.failedIndexes`, failed, detail)
  }
  const overlap = firstOverlap(completed, failed, completions ?? 0)
  if (completions !== undefined && overlap !== undefined) {
    const detail = `failedIndexes and completedIndexes overlap at index: ${overlap}`
    out.invalid(`${PATH}.failedIndexes`, failed, detail)
  }
}

function checkPods(out: Complaints, { status, before }: Step, finished: boolean): void {
  const differs = (field: string): boolean => !equalValues(status[field], before[field])
  const terminating = numberOf(status, 'terminating')
  if ((finished || differs('terminating')) && isFinished(status) && terminating > 0) {
    const detail = 'terminating>0 is invalid for finished job'
    out.invalid(`${PATH}.terminating`, terminating, detail)
  }
  const ready = givenNumber(status, 'ready')
  if (ready === undefined || (!differs('ready') && !differs('active'))) return
  if (ready > numberOf(status, 'active')) {
    out.invalid(`${PATH}.ready`, ready, 'cannot set more ready pods than active')
  }
}

/** The mark of success goes with no failure; every Job may have it, with a success policy or not. */
function checkSuccessCriteria(out: Complaints, { status, spec }: Step): void {
  const met = isTrue(status, 'SuccessCriteriaMet')
  const refuse = (detail: string): void => out.invalidHere(CONDITIONS, detail)
  if (met && isTrue(status, 'Failed')) {
    refuse('cannot set SuccessCriteriaMet=True and Failed=true conditions')
  }
  if (met && isTrue(status, 'FailureTarget')) {
    refuse('cannot set SuccessCriteriaMet=True and FailureTarget=true conditions')
  }
  if (spec['successPolicy'] !== undefined && !met && isTrue(status, 'Complete')) {
    refuse('cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True')
  }
}

/** What was said once stays said. */
function checkTransitions(out: Complaints, step: Step): void {
  if (step.strict) checkStrictTransitions(out, step)
  const { status, before } = step
  if (isTrue(before, 'SuccessCriteriaMet') && !isTrue(status, 'SuccessCriteriaMet')) {
    out.invalidHere(CONDITIONS, 'cannot disable the SuccessCriteriaMet=True condition')
  }
  const late =
    isTrue(before, 'Complete') &&
    !isTrue(before, 'SuccessCriteriaMet') &&
    isTrue(status, 'SuccessCriteriaMet')
  if (!late) return
  const detail = 'cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions'
  out.invalidHere(CONDITIONS, detail)
}

function checkStrictTransitions(out: Complaints, step: Step): void {
  const { status, before, spec, minor } = step
  for (const type of ['Failed', 'Complete', 'FailureTarget']) {
    if (isTrue(before, type) && !isTrue(status, type)) {
      out.invalidHere(CONDITIONS, `cannot disable the terminal ${type}=True condition`)
    }
  }
  const elastic =
    textOf(spec, 'completionMode') === 'Indexed' && spec['completions'] === spec['parallelism']
  for (const counter of elastic ? ['failed'] : ['failed', 'succeeded']) {
    const count = numberOf(status, counter)
    if (count < numberOf(before, counter)) {
      out.invalid(`${PATH}.${counter}`, count, `cannot decrease the ${counter} counter`)
    }
  }
  const [end, endBefore] = [givenText(status, 'completionTime'), before['completionTime']]
  if (end !== undefined && endBefore !== undefined && end !== endBefore) {
    out.invalidNamed(`${PATH}.completionTime`, end, 'field is immutable')
  }
  const [start, startBefore] = [status['startTime'], before['startTime']]
  const resumes = isTrue(before, 'Suspended') && isFalse(status, 'Suspended')
  if (startBefore === undefined || start === startBefore || resumes) return
  if (spec['suspend'] === true) return
  if (start === undefined && minor < 36) {
    out.required(`${PATH}.startTime`, 'startTime cannot be removed for unsuspended job')
    return
  }
  const detail = 'field is immutable for unsuspended job once set'
  out.invalidNamed(`${PATH}.startTime`, start ?? null, detail)
}
