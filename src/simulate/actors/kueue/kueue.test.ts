import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { asJob, isFinished, isSuspended } from '../../../cluster/controllers/job/job.ts'
import { booleanAt, listAt, stringAt, type JsonObject } from '../../../core/json.ts'
import { cronJob, job, JOBS, Scene, type JobParts } from '../testing.ts'
import { ArgoScene, FluxScene } from '../testing-engines.ts'
import { kueue } from './index.ts'

const GROUP = 'kueue.x-k8s.io'
const QUEUED = { [`${GROUP}/queue-name`]: 'batch' }

function scene(settings: JsonObject = {}): Scene {
  return new Scene({ second: [[kueue, { kind: 'kueue', ...settings }]] })
}

const queued = (name: string, parts: JobParts = {}): JsonObject =>
  job({ name, seconds: 100, ...parts, labels: { ...QUEUED, ...parts.labels } })

const ONE = { quota: { pods: 1 } }
/** Job and second of each pod, those of one instant by name. */
const pods = (stage: Scene): readonly string[] => {
  const lines = stage.pods.map((line) => line.replace(/-[a-z0-9]+ /, ' '))
  const second = (line: string): number => Number(line.split(' ')[1])
  return lines.toSorted((a, b) => second(a) - second(b) || (a < b ? -1 : 1))
}
const isHeld = (stage: Scene, name: string): boolean | undefined =>
  booleanAt(stage.get(JOBS, name), ['spec', 'suspend'])

function queueObjects(cluster: JsonObject = {}): readonly JsonObject[] {
  const apiVersion = `${GROUP}/v1beta1`
  const resources = [{ name: 'cpu', nominalQuota: '2' }]
  const resourceGroups = [{ coveredResources: ['cpu'], flavors: [{ name: 'plain', resources }] }]
  return [
    {
      apiVersion,
      kind: 'ClusterQueue',
      metadata: { name: 'main' },
      spec: { namespaceSelector: {}, resourceGroups, ...cluster },
    },
    {
      apiVersion,
      kind: 'LocalQueue',
      metadata: { name: 'batch', namespace: 'shop' },
      spec: { clusterQueue: 'main' },
    },
  ]
}

const CPU = (cpu: string): JsonObject => ({ resources: { requests: { cpu } } })

const PATH = ['resources', 'requests', 'cpu']
const cpuOf = (object: JsonObject): string =>
  stringAt(listAt(object, ['spec', 'template', 'spec', 'containers'])[0], PATH) ?? '0'

describe('Kueue', () => {
  it('creates a queued Job suspended, and starts it when its queue has room (KU-1, KU-3)', () => {
    const stage = scene(ONE)
    const made = stage.create(queued('one'))
    expect(booleanAt(made, ['spec', 'suspend'])).toBe(true)
    stage.create(queued('two'))
    stage.until(300)
    expect(pods(stage)).toEqual(['one 0', 'two 100'])
    expect(stage.told('kueue-controller-manager')).toContain(
      'KU-3 resumed Job, its turn came: Job shop/two',
    )
    const admitted = stage.causes.filter(({ rule, trigger }) => rule === 'KU-3' && trigger)
    expect(admitted[1]?.trigger?.words).toBe('ClusterQueue default had room for it')
  })

  it('leaves a Job without a queue alone, unless it manages all', () => {
    const plain = scene(ONE)
    expect(booleanAt(plain.create(job()), ['spec', 'suspend'])).toBe(false)
    const all = scene({ ...ONE, manageJobsWithoutQueueName: true })
    expect(booleanAt(all.create(job()), ['spec', 'suspend'])).toBe(true)
  })

  it('gives Jobs to the default queue of a namespace that has one (KU-2)', () => {
    const [main, local] = queueObjects()
    const named = { ...local, metadata: { name: 'default', namespace: 'shop' } }
    const stage = scene({ objects: [main ?? {}, named] })
    const made = stage.create(job({ container: CPU('1') }))
    expect(made.metadata.labels?.[`${GROUP}/queue-name`]).toBe('default')
    stage.until(10)
    expect(stage.pods).toHaveLength(1)
  })

  it('counts requests of CPU against the ClusterQueue, and passes by what does not fit (KU-6)', () => {
    const stage = scene({ objects: queueObjects() })
    stage.create(queued('large', { container: CPU('1500m') }))
    stage.create(queued('larger', { container: CPU('1') }))
    stage.create(queued('small', { container: CPU('500m') }))
    stage.until(300)
    expect(pods(stage)).toEqual(['large 0', 'small 0', 'larger 100'])
    const strict = scene({ objects: queueObjects({ queueingStrategy: 'StrictFIFO' }) })
    strict.create(queued('large', { container: CPU('1500m') }))
    strict.create(queued('larger', { container: CPU('1') }))
    strict.create(queued('small', { container: CPU('500m') }))
    strict.until(300)
    expect(pods(strict)).toEqual(['large 0', 'larger 100', 'small 100'])
  })

  it.each<[string, readonly JsonObject[], JobParts]>([
    [
      'of a queue that nobody made',
      queueObjects(),
      { labels: { [`${GROUP}/queue-name`]: 'other' } },
    ],
    [
      'that asks for what no flavor has',
      queueObjects(),
      { container: { resources: { requests: { memory: '1Gi' } } } },
    ],
    [
      'of a ClusterQueue without a namespace selector',
      queueObjects().map((one) => {
        const { namespaceSelector: _, ...spec } = one['spec'] as JsonObject
        return { ...one, spec }
      }),
      { container: CPU('1') },
    ],
    ['of a ClusterQueue on hold', queueObjects({ stopPolicy: 'Hold' }), { container: CPU('1') }],
  ])('lets a Job wait without end %s (KU-6)', (_, objects, parts) => {
    const stage = scene({ objects })
    stage.create(queued('one', parts))
    stage.until(24 * 3600)
    expect(stage.pods).toEqual([])
    expect(isHeld(stage, 'one')).toBe(true)
    expect(stage.cluster.planned()).toEqual([])
  })

  it('suspends a Job to make room for a more important one, which repeats its work (KU-7)', () => {
    const stage = scene({ ...ONE, preemption: 'LowerPriority' })
    stage.create({
      apiVersion: `${GROUP}/v1beta2`,
      kind: 'WorkloadPriorityClass',
      metadata: { name: 'high' },
      value: 100,
    })
    stage.create(queued('low'))
    stage.until(50)
    stage.create(queued('high', { labels: { [`${GROUP}/priority-class`]: 'high' } }))
    stage.until(400)
    expect(pods(stage)).toEqual(['low 0', 'high 50', 'low 150'])
    expect(stage.told('kueue-controller-manager')).toContain(
      'KU-7 suspended Job, its pods go: Job shop/low',
    )
  })

  it('suspends again what a person resumed too early, and resumes what one suspended (KU-4, KU-5)', () => {
    const stage = scene(ONE)
    stage.create(queued('one'))
    stage.create(queued('two'))
    stage.until(10)
    stage.patch(JOBS, 'two', { spec: { suspend: false } })
    stage.until(20)
    expect(isHeld(stage, 'two')).toBe(true)
    stage.patch(JOBS, 'one', { spec: { suspend: true } })
    stage.until(30)
    expect(isHeld(stage, 'one')).toBe(false)
    expect(pods(stage).filter((line) => line.startsWith('one'))).toEqual(['one 0', 'one 20'])
  })

  it('a waiting Job of a CronJob with Forbid keeps the next ones away', () => {
    const stage = scene(ONE)
    stage.create(queued('long', { seconds: 3600 }))
    const cron = { schedule: '*/10 * * * *', concurrencyPolicy: 'Forbid' }
    stage.create(cronJob({ labels: QUEUED, cron }))
    stage.until(2 * 3600)
    const made = stage.created.filter((line) => line.startsWith('nightly'))
    expect(made.map((line) => Math.floor(Number(line.split(' ')[1]))).slice(0, 2)).toEqual([
      600, 3601,
    ])
  })

  it('refuses another queue for a Job that is not suspended (KU-8)', () => {
    const stage = scene()
    stage.create(job())
    expect(() => stage.patch(JOBS, 'work', { metadata: { labels: QUEUED } })).toThrow(
      /vjob\.kb\.io.*denied the request.*field is immutable/,
    )
  })

  it('while it is down no Job is created at all, queued or not (KU-9)', () => {
    const stage = scene()
    stage.cluster.stop('kueue-controller-manager')
    expect(() => stage.create(job())).toThrow(/failed calling webhook/)
    stage.create(cronJob({ cron: { schedule: '*/10 * * * *' } }))
    stage.until(3600)
    expect(stage.created).toEqual([])
    stage.cluster.start('kueue-controller-manager')
    stage.until(2 * 3600)
    expect(stage.created.length).toBeGreaterThan(0)
  })

  it('after a restart takes Jobs that run for admitted (KU-10)', () => {
    const stage = scene(ONE)
    stage.create(queued('one'))
    stage.until(10)
    stage.cluster.stop('kueue-controller-manager')
    stage.cluster.start('kueue-controller-manager')
    stage.create(queued('two'))
    stage.until(300)
    expect(pods(stage)).toEqual(['one 0', 'two 100'])
  })

  it('plans nothing while Jobs run or wait', () => {
    const stage = scene(ONE)
    stage.create(queued('one', { seconds: 3600 }))
    stage.create(queued('two'))
    stage.until(10)
    const owners = stage.cluster.planned().map(({ owner }) => owner)
    expect(owners).toEqual(['kubelet'])
  })

  it('never has more Jobs at work than its quota has room for, and all of them end', () => {
    const one = fc.record({
      at: fc.integer({ min: 0, max: 500 }),
      seconds: fc.integer({ min: 1, max: 200 }),
      cpu: fc.integer({ min: 1, max: 4 }),
    })
    fc.assert(
      fc.property(fc.array(one, { minLength: 1, maxLength: 8 }), fc.boolean(), (jobs, isStrict) => {
        const queueingStrategy = isStrict ? 'StrictFIFO' : 'BestEffortFIFO'
        const stage = scene({ quota: { cpu: '4' }, queueingStrategy })
        for (const [nth, { at, seconds, cpu }] of jobs.toSorted((a, b) => a.at - b.at).entries()) {
          stage.until(at)
          stage.create(queued(`job-${nth}`, { seconds, container: CPU(String(cpu)) }))
        }
        for (let second = 0; second < 3600; second += 20) {
          stage.until(Math.max(500, second))
          const atWork = stage.cluster.api.read
            .list(JOBS)
            .filter((job) => !isFinished(asJob(job)) && !isSuspended(asJob(job)))
          const used = atWork.map((job) => Number(cpuOf(job)))
          expect(used.reduce((sum, cpu) => sum + cpu, 0)).toBeLessThanOrEqual(4)
        }
        const all = stage.cluster.api.read.list(JOBS)
        expect(all.every((job) => isFinished(asJob(job)))).toBe(true)
        expect(stage.pods).toHaveLength(jobs.length)
      }),
      { numRuns: 25 },
    )
  })

  it('is found by its objects, and by a queue that a Job or a CronJob names', () => {
    const [queue = {}] = queueObjects()
    expect(kueue.foundIn([queue])).toEqual([{ kind: 'kueue', objects: [queue] }])
    expect(kueue.foundIn([queued('one')])).toEqual([{ kind: 'kueue' }])
    expect(kueue.foundIn([cronJob({ labels: QUEUED })])).toEqual([{ kind: 'kueue' }])
    expect(kueue.foundIn([job()])).toEqual([])
  })
})

describe('Kueue beside Flux', () => {
  const flux = (spec: JsonObject): FluxScene => {
    const object = queued('work', { seconds: 3000, spec })
    const files = { 'job.yaml': JSON.stringify(object) }
    return new FluxScene(files, { second: [[kueue, { kind: 'kueue' }]] })
  }

  it('a Job whose manifest says suspend: true loses its pod at every interval (KU-5)', () => {
    const stage = flux({ suspend: true })
    stage.until(3 * 3600)
    // Work of 50 minutes, begun anew every 10 minutes, never ends.
    expect(stage.pods.map((line) => Number(line.split(' ')[1])).slice(0, 4)).toEqual([
      0, 600, 1200, 1800,
    ])
    expect(stage.pods).toHaveLength(19)
  })

  it('a Job whose manifest does not speak of suspend runs once', () => {
    const stage = flux({})
    stage.until(3 * 3600)
    expect(stage.pods).toHaveLength(1)
  })
})

describe('Kueue beside Argo CD with self-heal', () => {
  it('a manifest that says suspend: false is fought over while the Job waits', () => {
    const work = queued('work', { seconds: 60, spec: { suspend: false } })
    const app = { syncPolicy: { automated: { selfHeal: true } } }
    const stage = new ArgoScene(
      { 'job.yaml': JSON.stringify(work) },
      { second: [[kueue, ONE]] },
      app,
    )
    stage.create(queued('first', { seconds: 1200 }))
    stage.until(3600)
    const ofWork = pods(stage).filter((line) => line.startsWith('work'))
    // The first sync, and self-heal after its 0, 2, 6, 18, 54, 162, 300 s: each pod is killed.
    expect(ofWork.slice(0, 6)).toEqual([
      'work 0',
      'work 2',
      'work 8',
      'work 26',
      'work 80',
      'work 242',
    ])
    expect(ofWork.at(-1)).toBe('work 1200')
    expect(stage.runs('work')).toEqual([0])
  })
})
