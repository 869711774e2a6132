import { describe, expect, it } from 'vitest'
import type { Pod } from '../pod.ts'
import { annotationScript } from './annotation-script.ts'
import { scenarioScript, type ScenarioOptions } from './scenario-script.ts'

interface Given {
  readonly annotations?: { readonly [key: string]: string }
  readonly owner?: { readonly kind: string; readonly name: string }
  readonly image?: string
  readonly containers?: readonly string[]
}

function pod(given: Given = {}): Pod {
  const { annotations = {}, owner, image = 'registry.example.test/one:1' } = given
  const { containers = ['main'] } = given
  const reference = owner && { apiVersion: 'batch/v1', uid: 'u', controller: true, ...owner }
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'one-abcde',
      namespace: 'default',
      uid: 'p',
      resourceVersion: '1',
      creationTimestamp: '',
      annotations,
      ...(reference === undefined ? {} : { ownerReferences: [reference] }),
    },
    spec: { containers: containers.map((name) => ({ name, image })) },
  }
}

const job = { kind: 'Job', name: 'one' }
const KEY = 'batch.kubernetes.io/job-completion-index'

describe('pods that play their annotations', () => {
  const runs = (given: Given, attempt = 0, ofIndex = attempt) =>
    annotationScript.plan(pod(given), attempt, ofIndex).containers?.['main']?.runs

  it.each([
    ['duration and success', { 'play/duration': '500' }, 0, [{ durationMs: 500, exitCode: 0 }]],
    ['a default duration for a Job', {}, 0, [{ durationMs: 300, exitCode: 0 }]],
    ['the exit code of the attempt', { 'play/exit': '1,0' }, 1, [{ durationMs: 300, exitCode: 0 }]],
    ['the last exit code again', { 'play/exit': '1,2' }, 7, [{ durationMs: 300, exitCode: 2 }]],
    [
      'following codes for restarts in the pod',
      { 'play/exit': '1,1,0' },
      1,
      [
        { durationMs: 300, exitCode: 1 },
        { durationMs: 300, exitCode: 0 },
      ],
    ],
    [
      'the duration of the attempt',
      { 'play/duration': '2000,4000' },
      1,
      [{ durationMs: 4000, exitCode: 0 }],
    ],
  ])('take %s', (_, annotations, attempt, expected) => {
    expect(runs({ owner: job, annotations }, attempt)).toEqual(expected)
  })

  it('take code and duration of their index', () => {
    const annotations = {
      [KEY]: '2',
      'play/duration': '500',
      'play/exit-by-index': '{"2":"1,0"}',
      'play/duration-by-index': '{"2":9000}',
    }
    expect(runs({ owner: job, annotations }, 4, 1)).toEqual([{ durationMs: 9000, exitCode: 0 }])
  })

  it('run until they are stopped when they belong to no Job', () => {
    expect(runs({ owner: { kind: 'ReplicaSet', name: 'web' } })).toEqual([{ exitCode: 0 }])
  })

  it('say how long they take to stop and to start again', () => {
    const annotations = { 'play/linger': '6000', 'play/restart': '2000' }
    const plan = annotationScript.plan(pod({ owner: job, annotations }), 0, 0)
    expect(plan).toMatchObject({ stopMs: 6000, restart: 2000, needsReferences: false })
  })

  it('take nothing from annotations that say nothing', () => {
    const annotations = { [KEY]: '0', 'play/exit-by-index': 'no json', 'play/exit': 'x' }
    expect(runs({ owner: job, annotations })).toEqual([{ durationMs: 300, exitCode: 0 }])
  })
})

describe('pods that play a scenario', () => {
  const run = (options: ScenarioOptions, given: Given, attempt = 0) =>
    scenarioScript(options).plan(pod(given), attempt, attempt)

  it.each([
    ['its Job', 'default/one', { owner: job }],
    ['its Job by a pattern', 'default/o*', { owner: job }],
    ['the CronJob of its Job', 'default/tick', { owner: { kind: 'Job', name: 'tick-29441820' } }],
    ['the Deployment', 'default/web', { owner: { kind: 'ReplicaSet', name: 'web-6f8c9' } }],
  ])('are found by %s', (_, name, given) => {
    const plan = run({ workloads: [{ name, durationMs: 5 }] }, given)
    expect(plan.containers?.['main']?.runs[0]).toEqual({ durationMs: 5, exitCode: 0 })
  })

  it('run until they are stopped when no workload names them', () => {
    expect(run({ workloads: [{ name: 'other/one' }] }, { owner: job })).toEqual({})
  })

  it.each([
    ['tag', { '1': 'fail' } as const, 1],
    ['image', { 'registry.example.test/one:1': 'fail' } as const, 1],
    ['another tag', { '2': 'fail' } as const, 0],
    ['exit code', { '1': 42 } as const, 42],
  ])('end by %s of their image', (_, exits, code) => {
    const plan = run({ workloads: [{ name: 'default/one', durationMs: 5, exits }] }, { owner: job })
    expect(plan.containers?.['main']?.runs[0]?.exitCode).toBe(code)
  })

  it('end by the commit before the image', () => {
    const exits = { c2: 'ok', '1': 'fail' } as const
    const options = { workloads: [{ name: 'default/one', exits }], commitOf: () => 'c2' }
    expect(run(options, { owner: job }).containers?.['main']?.runs[0]?.exitCode).toBe(0)
  })

  it('end by attempt before anything else', () => {
    const attempts = ['fail', 'fail'] as const
    const options = { workloads: [{ name: 'default/one', attempts }] }
    const codes = [0, 1, 2].map(
      (attempt) => run(options, { owner: job }, attempt).containers?.['main']?.runs[0]?.exitCode,
    )
    expect(codes).toEqual([1, 1, 0])
  })

  it('keep an injected proxy running, unless the scenario ends it', () => {
    const containers = ['main', 'istio-proxy']
    const name = 'default/one'
    const plan = run({ workloads: [{ name, durationMs: 5 }] }, { owner: job, containers })
    expect(plan.containers?.['istio-proxy']).toBeUndefined()
    const stopped = { 'istio-proxy': { runs: [{ endsAfter: { container: 'main' } }] } }
    const other = run(
      { workloads: [{ name, durationMs: 5, containers: stopped }] },
      { owner: job, containers },
    )
    expect(other.containers?.['istio-proxy']?.runs[0]?.endsAfter?.container).toBe('main')
  })

  it('hang when they are told to', () => {
    const plan = run({ workloads: [{ name: 'default/one', exits: 'never' }] }, { owner: job })
    expect(plan.containers?.['main']?.runs).toEqual([{}])
  })
})
