import { expect, it } from 'vitest'
import { REALISTIC } from '../../cluster/actor.ts'
import { busyLatencies, type PlayedSoFar } from './busy.ts'
import type { ObservedJob, ObservedPod, Trace } from './format.ts'

function job(created: number, pods: readonly ObservedPod[], end: number | undefined): ObservedJob {
  const conditions = end === undefined ? [] : [{ type: 'Complete', status: 'True', t: end }]
  const times = { created, deletionRequested: null, deleted: null }
  return { name: 'one', namespace: 'shop', uid: 'J1', ...times, conditions, pods }
}

function pod(created: number, ended: number | null): ObservedPod {
  return { created, started: created, ended, exit: ended === null ? null : 0, deleted: null }
}

function latencies(recorded: ObservedJob, model: ObservedJob, now: number) {
  const trace = { tolerance: { seconds: 1 }, observed: { jobs: [recorded] } } as unknown as Trace
  const soFar: PlayedSoFar = { now: now * 1000, zero: 0, jobs: [model] }
  return busyLatencies(trace, () => soFar)
}

it('a Job whose pod came late is looked at late in the model', () => {
  const recorded = job(1, [pod(2.5, 3)], 4)
  expect(latencies(recorded, job(1.2, [], undefined), 1.2).jobSync).toBe(1500)
})

it('an ordinary delay stays what it is', () => {
  const recorded = job(1, [pod(1.3, 1.8)], 2.4)
  const { jobSync } = latencies(recorded, job(1, [], undefined), 1)
  const { podBatch } = latencies(recorded, job(1, [pod(1, null)], undefined), 1)
  expect({ jobSync, podBatch }).toEqual({
    jobSync: REALISTIC.jobSync,
    podBatch: REALISTIC.podBatch,
  })
})

it('an end that was seen late is seen late in the model, once the pod of a long run has ended', () => {
  const recorded = job(0, [pod(0, 5)], 7)
  expect(latencies(recorded, job(0, [pod(0, null)], undefined), 1).podBatch).toBe(1000)
  expect(latencies(recorded, job(0, [pod(0, 5)], undefined), 5).podBatch).toBe(2000)
})

it('a Job that went before the controller had looked gets no pod', () => {
  const recorded = { ...job(0, [], undefined), deletionRequested: 0.6, deleted: 0.6 }
  expect(latencies(recorded, job(0, [], undefined), 0).jobSync).toBe(1600)
})
