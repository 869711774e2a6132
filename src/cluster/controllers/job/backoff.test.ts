import { describe, expect, it } from 'vitest'
import type { Pod } from '../../pod.ts'
import { timestamp } from '../../time.ts'
import { nextBackoff, remainingMs } from './backoff.ts'

const zero = Date.UTC(2026, 0, 5)

function ended(second: number): Pod {
  const state = {
    terminated: { exitCode: 1, reason: 'Error', finishedAt: timestamp(zero + second * 1000) },
  }
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `at-${second}`,
      uid: `at-${second}`,
      resourceVersion: '1',
      creationTimestamp: timestamp(zero),
    },
    spec: { containers: [{ name: 'main' }] },
    status: {
      phase: 'Failed',
      containerStatuses: [
        { name: 'main', image: '', imageID: '', ready: false, restartCount: 0, state },
      ],
    },
  }
}

const at = (second: number): number => zero + second * 1000

describe('the record of failures since the last success (K-17)', () => {
  it('stays as it was when nothing has ended', () => {
    const before = { failures: 2, lastFailureAt: at(7) }
    expect(nextBackoff(before, [], [])).toBe(before)
  })

  it('counts failures that ended together each for itself', () => {
    const record = nextBackoff(undefined, [], [ended(3), ended(5), ended(4)])
    expect(record).toEqual({ failures: 3, lastFailureAt: at(5) })
  })

  it('adds to what was there', () => {
    const record = nextBackoff({ failures: 2, lastFailureAt: at(1) }, [], [ended(9)])
    expect(record).toEqual({ failures: 3, lastFailureAt: at(9) })
  })

  it('is forgotten at a success', () => {
    expect(nextBackoff({ failures: 2, lastFailureAt: at(1) }, [ended(9)], [])).toBeUndefined()
  })

  it('forgets a failure of the same second as a success', () => {
    expect(nextBackoff(undefined, [ended(9)], [ended(9)])).toBeUndefined()
  })

  it('keeps only the failures after the last success', () => {
    const record = nextBackoff(
      { failures: 4, lastFailureAt: at(1) },
      [ended(8)],
      [ended(7), ended(9), ended(11)],
    )
    expect(record).toEqual({ failures: 2, lastFailureAt: at(11) })
  })
})

describe('the delay after failures (K-17)', () => {
  it.each([
    [1, 10],
    [2, 20],
    [3, 40],
    [6, 320],
    [7, 600],
    [60, 600],
  ])('after %i failures is %i s', (failures, seconds) => {
    expect(remainingMs({ failures, lastFailureAt: at(0) }, at(0))).toBe(seconds * 1000)
  })

  it('counts from the end of the last failed pod', () => {
    expect(remainingMs({ failures: 1, lastFailureAt: at(0) }, at(4))).toBe(6000)
  })

  it('is over at its end, and without failures there is none', () => {
    expect(remainingMs({ failures: 1, lastFailureAt: at(0) }, at(10))).toBe(0)
    expect(remainingMs({ failures: 1, lastFailureAt: at(0) }, at(99))).toBe(0)
    expect(remainingMs(undefined, at(0))).toBe(0)
  })
})
