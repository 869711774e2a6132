import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../core/json.ts'
import { Complaints } from '../complaints.ts'
import { checkStatusUpdate } from './status.ts'

const START = '2026-11-01T00:00:00Z'
const DONE = conditions('SuccessCriteriaMet', 'Complete')
const COMPLETE = { startTime: START, completionTime: START, conditions: DONE }

function conditions(...types: readonly string[]): readonly JsonObject[] {
  return types.map((type) => ({ type, status: 'True' }))
}

function faults(status: JsonObject, before: JsonObject = {}): readonly string[] {
  const out = new Complaints()
  const spec = { completions: 1, parallelism: 1, completionMode: 'NonIndexed' }
  checkStatusUpdate(out, { spec, status }, { spec, status: before }, { minor: 36 })
  return out.list.map(({ detail }) => detail)
}

describe('a status is taken', () => {
  test.each<readonly [string, JsonObject, JsonObject]>([
    ['complete at once', COMPLETE, {}],
    ['with and without counters', { ...COMPLETE, succeeded: 1 }, {}],
    [
      'failed with its target',
      { startTime: START, conditions: conditions('FailureTarget', 'Failed') },
      {},
    ],
    [
      'as it was, however wrong',
      { conditions: conditions('Complete') },
      { conditions: conditions('Complete') },
    ],
    ['without ready pods, whatever is active', { active: 1 }, {}],
  ])('%s', (_, status, before) => {
    expect(faults(status, before)).toEqual([])
  })
})

describe('a status is refused', () => {
  test.each<readonly [string, JsonObject, JsonObject]>([
    [
      'cannot set Complete=True condition without the SuccessCriteriaMet=true condition',
      { ...COMPLETE, conditions: conditions('Complete') },
      {},
    ],
    ['startTime is required for finished job', { completionTime: START, conditions: DONE }, {}],
    ['completionTime is required for Complete jobs', { startTime: START, conditions: DONE }, {}],
    [
      'cannot set Failed=True condition without the FailureTarget=true condition',
      { startTime: START, conditions: conditions('Failed') },
      {},
    ],
    [
      'cannot disable the terminal Complete=True condition',
      { startTime: START, conditions: conditions('SuccessCriteriaMet') },
      { startTime: START, conditions: DONE },
    ],
    ['cannot decrease the failed counter', { failed: 1 }, { failed: 2 }],
    ['active>0 is invalid for finished job', { ...COMPLETE, active: 1 }, {}],
    ['field is immutable for unsuspended job once set', {}, { startTime: START }],
    ['cannot set more ready pods than active', { ready: 1 }, {}],
  ])('%s', (fault, status, before) => {
    expect(faults(status, before)).toEqual([fault])
  })
})
