import { afterAll, describe, expect, it } from 'vitest'
import { compareText } from '../../src/core/text.ts'
import { hasCondition, newNamespace, real, until } from './rig/real.ts'
import type { Body, Fields } from './rig/client.ts'

/** The rig itself: what the player tells is enough for the real controllers to do their work. */
const { client } = real()
afterAll(() => client.close())

interface Wish {
  readonly play?: Readonly<Record<string, string>>
  readonly spec?: Fields
  readonly pod?: Fields
}

/** Runs a Job until it has one of the conditions that end it. */
async function finish({ play = {}, spec = {}, pod = {} }: Wish): Promise<Finished> {
  const namespace = await newNamespace(client, 'player')
  const template = {
    metadata: { annotations: { 'play/duration': '50', ...play } },
    spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'a:1' }], ...pod },
  }
  const metadata = { name: 'job', namespace }
  const body = { apiVersion: 'batch/v1', kind: 'Job', metadata, spec: { ...spec, template } }
  const jobs = `/apis/batch/v1/namespaces/${namespace}/jobs`
  const created = await client.request('POST', jobs, body)
  expect(created.code, created.body.message).toBe(201)
  const job = await until(
    client,
    `${jobs}/job`,
    (seen) => hasCondition(seen, 'Complete') || hasCondition(seen, 'Failed'),
  )
  const pods = await client.request('GET', `/api/v1/namespaces/${namespace}/pods`)
  return { job, pods: pods.body.items ?? [] }
}

interface Finished {
  readonly job: Body
  readonly pods: readonly Body[]
}

const statusOf = (body: Body): Fields => body.status as Fields

describe.concurrent('pods without a kubelet', () => {
  it('complete a Job', async () => {
    const { job, pods } = await finish({})
    expect(hasCondition(job, 'Complete')).toBe(true)
    expect(statusOf(job)).toMatchObject({ succeeded: 1, ready: 0 })
    expect(pods.map((pod) => statusOf(pod)['phase'])).toEqual(['Succeeded'])
  })

  it('fail by attempt until one succeeds', async () => {
    const { job, pods } = await finish({ play: { 'play/exit': '3,0' } })
    expect(statusOf(job)).toMatchObject({ succeeded: 1, failed: 1 })
    const phases = pods.map((pod) => String(statusOf(pod)['phase']))
    expect(phases.toSorted(compareText)).toEqual(['Failed', 'Succeeded'])
  })

  it('use up the backoff limit', async () => {
    const { job } = await finish({ play: { 'play/exit': '1' }, spec: { backoffLimit: 0 } })
    expect(statusOf(job)['conditions']).toContainEqual(
      expect.objectContaining({ type: 'Failed', reason: 'BackoffLimitExceeded' }),
    )
  })

  it('start a container again in place under OnFailure', async () => {
    const { job, pods } = await finish({
      play: { 'play/exit': '1,1,0' },
      pod: { restartPolicy: 'OnFailure' },
    })
    expect(hasCondition(job, 'Complete')).toBe(true)
    expect(statusOf(pods[0] ?? {})['containerStatuses']).toMatchObject([{ restartCount: 2 }])
  })

  it('work through the indexes of an Indexed Job', async () => {
    const { job } = await finish({
      play: { 'play/exit': '0' },
      spec: { completionMode: 'Indexed', completions: 3, parallelism: 2 },
    })
    expect(statusOf(job)).toMatchObject({ completedIndexes: '0-2', succeeded: 3 })
  })

  it('run init containers first, and fail when one fails', async () => {
    const pod = { initContainers: [{ name: 'wait', image: 'w:1' }] }
    const good = await finish({ pod })
    expect(statusOf(good.pods[0] ?? {})['initContainerStatuses']).toMatchObject([
      { name: 'wait', state: { terminated: { exitCode: 0 } } },
    ])
    const bad = await finish({ pod, play: { 'play/exit.wait': '7' }, spec: { backoffLimit: 0 } })
    expect(hasCondition(bad.job, 'Failed')).toBe(true)
    expect(statusOf(bad.pods[0] ?? {})['containerStatuses']).toMatchObject([
      { name: 'main', state: { waiting: { reason: 'PodInitializing' } } },
    ])
  })

  it('end native sidecars after the last container', async () => {
    const sidecar = { name: 'proxy', image: 'p:1', restartPolicy: 'Always' }
    const { job, pods } = await finish({ pod: { initContainers: [sidecar] } })
    expect(hasCondition(job, 'Complete')).toBe(true)
    expect(statusOf(pods[0] ?? {})['initContainerStatuses']).toMatchObject([
      { name: 'proxy', state: { terminated: { exitCode: 0 } } },
    ])
  })

  it('do not end while a sidecar that is a plain container runs', async () => {
    const containers = [
      { name: 'main', image: 'a:1' },
      { name: 'proxy', image: 'p:1' },
    ]
    const { job, pods } = await finish({
      play: { 'play/duration.proxy': 'forever' },
      pod: { containers },
      spec: { activeDeadlineSeconds: 2 },
    })
    expect(statusOf(job)['conditions']).toContainEqual(
      expect.objectContaining({ type: 'Failed', reason: 'DeadlineExceeded' }),
    )
    expect(pods).toEqual([])
  })
})
