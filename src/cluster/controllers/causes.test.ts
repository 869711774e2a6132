import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../core/json.ts'
import type { Cause } from '../actor.ts'
import { createCluster, type CreateClusterOptions } from '../index.ts'
import { annotationScript } from '../kubelet/annotation-script.ts'
import { kubelet } from '../kubelet/kubelet.ts'
import { controllerManager } from './index.ts'

const zero = Date.UTC(2026, 0, 5)

function room(more: CreateClusterOptions = {}) {
  const causes: Cause[] = []
  const cluster = createCluster({
    now: zero,
    actors: [...controllerManager(), kubelet(annotationScript)],
    listener: { cause: (cause) => causes.push(cause) },
    ...more,
  })
  const resourceOf = (kind: string) => {
    const group = kind.endsWith('Job') ? 'batch' : ''
    return { group, version: 'v1', resource: `${kind.toLowerCase()}s` }
  }
  return {
    cluster,
    create(kind: string, name: string, spec: JsonObject, metadata: JsonObject = {}): string {
      const resource = resourceOf(kind)
      const apiVersion = resource.group === '' ? 'v1' : `${resource.group}/v1`
      const body = { apiVersion, kind, metadata: { ...metadata, name }, spec }
      const answer = cluster.request({
        verb: 'create',
        resource,
        ...(kind === 'Namespace' ? {} : { namespace: 'default' }),
        body,
        user: 'somebody',
      })
      expect(answer.code).toBe(201)
      return (answer.body.metadata as { readonly uid: string }).uid
    },
    patch(kind: string, name: string, body: JsonObject): void {
      const patch = { type: 'merge', body } as const
      const namespace = 'default'
      cluster.request({
        verb: 'patch',
        resource: resourceOf(kind),
        namespace,
        name,
        patch,
        user: 'somebody',
      })
    },
    remove(kind: string, name: string, propagationPolicy = 'Background'): void {
      const options = { propagationPolicy } as { readonly propagationPolicy: 'Background' }
      const place = kind === 'Namespace' ? {} : { namespace: 'default' }
      const resource = resourceOf(kind)
      cluster.request({ verb: 'delete', resource, ...place, name, options, user: 'somebody' })
    },
    until: (seconds: number) => cluster.runUntil(zero + seconds * 1000),
    /** `10 K-17 created pod Pod one-x <- it had failed ...`, without what names pods at random. */
    told: (filter = /./) =>
      causes
        .map(({ at, rule, effect, object, trigger }) => {
          const why = trigger === undefined ? '' : ` <- ${trigger.kind}: ${trigger.words}`
          const about = (object ?? '').replace(/^(Pod .*-)[a-z0-9]{5}$/, '$1x')
          return `${(at - zero) / 1000} ${rule} ${effect} | ${about}${why}`
        })
        .filter((line) => filter.test(line)),
  }
}

function work(duration: string, exit = '0', spec: JsonObject = {}): JsonObject {
  return {
    ...spec,
    template: {
      metadata: { annotations: { 'play/duration': duration, 'play/exit': exit } },
      spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'a:1' }] },
    },
  }
}

describe('causes of a Job', () => {
  it('K-17, K-19: first pod, retries with their back-off, the reason of its failure', () => {
    const given = room()
    given.create('Job', 'one', work('1000', '1', { backoffLimit: 2 }))
    given.until(100)
    expect(given.told()).toEqual([
      '0 K-17 created pod | Pod default/one-x <- watch: it was created',
      '11 K-17 created pod | Pod default/one-x <- retry: it had failed 1 time and the back-off of 10 s was over',
      '32 K-17 created pod | Pod default/one-x <- retry: it had failed 2 times and the back-off of 20 s was over',
      '33 K-19 failed: BackoffLimitExceeded | Job default/one',
    ])
  })

  it('K-19: a deadline, with the pod that it ends', () => {
    const given = room()
    given.create('Job', 'one', work('60000', '0', { activeDeadlineSeconds: 5 }))
    given.until(100)
    expect(given.told().slice(1)).toEqual([
      '5 K-21 deleted pod of an ending Job | Pod default/one-x',
      '5 K-19 failed: DeadlineExceeded | Job default/one',
    ])
  })

  it('K-20: each further completion, and the end', () => {
    const given = room()
    given.create('Job', 'one', work('1000', '0', { completions: 2 }))
    given.until(100)
    expect(given.told().slice(1)).toEqual([
      '1 K-17 created pod | Pod default/one-x <- watch: 1 of 2 completions were reached',
      '2 K-20 completed Job | Job default/one',
    ])
  })

  it('K-23: suspension and resumption', () => {
    const given = room()
    given.create('Job', 'one', work('60000', '0'))
    given.until(5)
    given.patch('Job', 'one', { spec: { suspend: true } })
    given.until(10)
    given.patch('Job', 'one', { spec: { suspend: false } })
    given.until(15)
    expect(given.told().slice(1)).toEqual([
      '5 K-23 deleted surplus pod | Pod default/one-x',
      '5 K-23 suspended Job | Job default/one <- request: spec.suspend became true',
      '10 K-17 created pod | Pod default/one-x <- request: it was resumed',
      '10 K-23 resumed Job | Job default/one <- request: spec.suspend became false',
    ])
  })

  it('K-80: a quota refuses its pod: told once, however often it is asked for', () => {
    const given = room()
    given.create('ResourceQuota', 'none', { hard: { pods: '0' } })
    given.create('Job', 'one', work('1000'))
    given.until(3600)
    expect(given.told()).toEqual([
      expect.stringMatching(
        /^0 K-80 refused Pod: pods "one-\w+" is forbidden: exceeded quota: none, .* \| Job default\/one$/,
      ),
    ])
  })

  it('K-26: its TTL, with the time of its end', () => {
    const given = room()
    given.create('Job', 'one', work('1000', '0', { ttlSecondsAfterFinished: 60 }))
    given.create('Job', 'two', work('1000', '1', { ttlSecondsAfterFinished: 90, backoffLimit: 0 }))
    given.until(200)
    expect(given.told(/K-26/)).toEqual([
      '61 K-26 deleted Job | Job default/one <- expiry: its TTL of 60 s was over: it had completed at 2026-01-05T00:00:01Z',
      '91 K-26 deleted Job | Job default/two <- expiry: its TTL of 90 s was over: it had failed at 2026-01-05T00:00:01Z',
    ])
  })

  it('K-51: its owner is gone, or waits for it', () => {
    const given = room()
    const own = (name: string): JsonObject => {
      const uid = given.create('ConfigMap', name, {})
      return { apiVersion: 'v1', kind: 'ConfigMap', name, uid, blockOwnerDeletion: true }
    }
    given.create('Job', 'one', work('1000'), { ownerReferences: [own('a')] })
    given.create('Job', 'two', work('1000'), { ownerReferences: [own('b')] })
    given.until(5)
    given.remove('ConfigMap', 'a')
    given.remove('ConfigMap', 'b', 'Foreground')
    given.until(6)
    expect(given.told(/deleted Job|deleted Pod/)).toEqual([
      '5 K-51 deleted Job | Job default/one <- watch: ConfigMap default/a is gone',
      '5 K-51 deleted Job | Job default/two <- watch: ConfigMap default/b is being deleted with all that it owns',
      '5 K-51 deleted Pod | Pod default/one-x <- watch: Job default/one is gone',
      '5 K-51 deleted Pod | Pod default/two-x <- watch: Job default/two is being deleted with all that it owns',
    ])
  })

  it('K-61: its namespace', () => {
    const given = room()
    given.create('Namespace', 'shop', {})
    given.cluster.request({
      verb: 'create',
      resource: { group: 'batch', version: 'v1', resource: 'jobs' },
      namespace: 'shop',
      user: 'somebody',
      body: { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'one' }, spec: work('1000') },
    })
    given.until(5)
    given.remove('Namespace', 'shop')
    given.until(60)
    expect(given.told(/deleted (?:jobs|Job)/)).toEqual([
      '10 K-61 deleted jobs (1) | Namespace shop <- request: somebody deleted Namespace shop',
      '10 K-61 deleted Job | Job shop/one',
    ])
  })
})

describe('causes of a CronJob', () => {
  const cron = (duration: string, more: JsonObject = {}, job: JsonObject = {}): JsonObject => ({
    schedule: '*/10 * * * *',
    jobTemplate: { spec: work(duration, '0', job) },
    ...more,
  })
  const name = (minutes: number): string => `tick-${zero / 60_000 + minutes}`

  it('K-29, K-38: its ticks, and the limit of its history', () => {
    const given = room()
    given.create('CronJob', 'tick', cron('1000', { successfulJobsHistoryLimit: 1 }))
    given.until(1300)
    expect(given.told(/deleted Job|created Job/)).toEqual([
      `600.1 K-29 created Job | Job default/${name(10)} <- schedule: its tick of 2026-01-05T00:10:00Z was due`,
      `1200.1 K-29 created Job | Job default/${name(20)} <- schedule: its tick of 2026-01-05T00:20:00Z was due`,
      `1201.1 K-38 deleted Job | Job default/${name(10)} <- watch: its successfulJobsHistoryLimit of 1 was exceeded`,
    ])
  })

  it('K-30: a tick that is caught up says how late', () => {
    const given = room()
    given.create('CronJob', 'tick', cron('1000'))
    given.cluster.stop('cronjob-controller')
    given.until(2000)
    given.cluster.start('cronjob-controller')
    given.until(2001)
    expect(given.told(/created Job/)).toEqual([
      `2000 K-30 created Job | Job default/${name(30)} <- schedule: its tick of 2026-01-05T00:30:00Z was due, 200 s ago`,
    ])
  })

  it('K-30: a tick that is too late is skipped, and told once', () => {
    const given = room()
    given.create('CronJob', 'tick', cron('1000', { startingDeadlineSeconds: 100 }))
    given.cluster.stop('cronjob-controller')
    given.until(2000)
    given.cluster.start('cronjob-controller')
    given.patch('CronJob', 'tick', { metadata: { labels: { touched: 'yes' } } })
    given.until(2300)
    expect(given.told()).toEqual([
      '2000 K-30 skipped a run: its startingDeadlineSeconds of 100 were over | CronJob default/tick <- schedule: its tick of 2026-01-05T00:30:00Z was due, 200 s ago',
    ])
  })

  it('K-31: Forbid skips each tick once, Replace deletes what runs', () => {
    const forbid = room()
    forbid.create('CronJob', 'tick', cron('1500000', { concurrencyPolicy: 'Forbid' }))
    forbid.until(1900)
    const why = `skipped a run: ${name(10)} is active, and concurrencyPolicy is Forbid`
    expect(forbid.told(/skipped/)).toEqual([
      `1200.1 K-31 ${why} | CronJob default/tick <- schedule: its tick of 2026-01-05T00:20:00Z was due`,
      `1800.1 K-31 ${why} | CronJob default/tick <- schedule: its tick of 2026-01-05T00:30:00Z was due`,
    ])
    const replace = room()
    replace.create('CronJob', 'tick', cron('1500000', { concurrencyPolicy: 'Replace' }))
    replace.until(1300)
    expect(replace.told(/deleted Job/)).toEqual([
      `1200.1 K-31 deleted Job | Job default/${name(10)} <- schedule: its tick of 2026-01-05T00:20:00Z was due, and concurrencyPolicy is Replace`,
    ])
  })

  it('K-40: a creation that is refused is told once for its tick', () => {
    const given = room()
    given.create('ResourceQuota', 'none', { hard: { 'count/jobs.batch': '0' } })
    given.create('CronJob', 'tick', cron('1000'))
    given.until(1100)
    expect(given.told()).toEqual([
      expect.stringMatching(/^600\.1 K-40 refused Job: .*exceeded quota: none, .* <- schedule: /),
    ])
  })
})
