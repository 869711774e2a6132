import { describe, expect, it } from 'vitest'
import { stringAt } from '../../../core/json.ts'
import type { Cluster } from '../../../cluster/cluster.ts'
import {
  chart,
  HELM3,
  HELM4,
  hold,
  hookText,
  imageOf,
  JOBS,
  jobText,
  MAPS,
  mapText,
  patchOne,
  removeOne,
  session,
} from './testing.ts'

const INSTALL = 'helm install rel demo'
const UPGRADE = 'helm upgrade rel demo'
const one = chart({ j: jobText(), c: mapText('conf', '1'), d: mapText('dropped', '1') })
const bumped = chart({ j: jobText({ image: '2' }), c: mapText('conf', '2') })

function valueOf(object: ReturnType<ReturnType<typeof session>['get']>): string | undefined {
  return stringAt(object, ['data', 'v'])
}

describe('objects of the chart at an upgrade (H-7 to H-10, H-12)', () => {
  it.each([HELM3, HELM4])(
    'an unchanged Job is left alone, an absent one runs again: Helm $major',
    (version) => {
      const { jobs, answers } = session(
        version,
        [
          { command: INSTALL, chart: one },
          { command: UPGRADE, at: 3 },
          { command: UPGRADE, at: 6 },
        ],
        [[5, removeOne]],
      )
      expect(jobs).toEqual(['one 0', 'one 6'])
      expect(answers.every(({ exit }) => exit === 0)).toBe(true)
    },
  )

  it.each([
    [HELM3, 'Error: UPGRADE FAILED: cannot patch "one" with kind Job: Job.batch "one" is invalid'],
    [
      HELM4,
      'Error: UPGRADE FAILED: server-side apply failed for object shop/one batch/v1, Kind=Job',
    ],
    [{ major: 4, minor: 1 } as const, 'Error: UPGRADE FAILED: Job.batch "one" is invalid'],
  ])(
    'a refused Job fails the release, the rest is changed, nothing is dropped: %o',
    (version, words) => {
      const { jobs, answers, get, history } = session(version, [
        { command: INSTALL, chart: one },
        { command: UPGRADE, chart: bumped, at: 3 },
        { command: UPGRADE, at: 4 },
      ])
      expect(jobs).toEqual(['one 0'])
      expect(answers[1]?.output).toContain(words)
      expect(answers[2]?.exit).toBe(1)
      expect(valueOf(get(MAPS, 'conf'))).toBe('2')
      expect(get(MAPS, 'dropped')).toBeDefined()
      expect(history().map((line) => line.split(':')[0])).toEqual([
        '1 deployed',
        '2 failed',
        '3 failed',
      ])
    },
  )

  it.each([
    [HELM3, '--force'],
    [HELM4, '--force-replace --server-side=false'],
  ])('a forced replacement is refused by every Job there is: %o', (version, flags) => {
    const { answers, jobs } = session(version, [
      { command: INSTALL, chart: one },
      { command: `${UPGRADE} ${flags}`, at: 3 },
    ])
    expect(answers[1]?.output).toContain('failed to replace object: Job.batch "one" is invalid')
    expect(jobs).toEqual(['one 0'])
  })

  it('does not force and apply server-side together', () => {
    const { answers } = session(HELM4, [
      { command: INSTALL, chart: one },
      { command: `${UPGRADE} --force-replace`, at: 3 },
    ])
    expect(answers[1]?.output).toContain('cannot use server-side apply and force replace together')
  })

  it('what somebody changed by hand is put back by Helm 3 and stops Helm 4 (helm/014)', () => {
    const charts = chart({ j: jobText({ spec: 'parallelism: 1' }) })
    const edit = [[2, patchOne({ spec: { parallelism: 2 } })]] as const
    const commands = [
      { command: INSTALL, chart: charts },
      { command: UPGRADE, at: 3 },
    ]
    const helm3 = session(HELM3, commands, edit)
    expect(helm3.answers[1]?.exit).toBe(0)
    expect(helm3.get(JOBS, 'one')?.['spec']).toMatchObject({ parallelism: 1 })
    const helm4 = session(HELM4, [...commands, { command: `${UPGRADE} --force-conflicts` }], edit)
    expect(helm4.answers[1]?.output).toContain('conflict with "kubectl-edit"')
    expect(helm4.answers[2]?.exit).toBe(0)
    expect(helm4.jobs).toEqual(['one 0'])
  })

  it.each([HELM3, HELM4])(
    'a dropped Job goes, one to be kept stays and is taken back: Helm $major',
    (version) => {
      const kept = jobText({ name: 'kept', annotations: { 'helm.sh/resource-policy': 'keep' } })
      const both = chart({ j: jobText(), k: kept, c: mapText('conf', '1') })
      const { get, jobs, answers } = session(version, [
        { command: INSTALL, chart: both },
        { command: UPGRADE, chart: chart({ c: mapText('conf', '1') }), at: 3 },
        { command: UPGRADE, chart: both, at: 5 },
      ])
      expect(jobs).toEqual(['one 0', 'kept 0', 'one 5'])
      expect(answers.every(({ exit }) => exit === 0)).toBe(true)
      expect(get(JOBS, 'kept')).toBeDefined()
    },
  )

  it.each([HELM3, HELM4])(
    'a dying Job counts as present, and no Job is left: Helm $major',
    (version) => {
      const { jobs, answers, get } = session(
        version,
        [
          { command: INSTALL, chart: one },
          { command: `${UPGRADE} --wait --wait-for-jobs --timeout 15s`, at: 3 },
        ],
        [
          [2, hold(['example.test/hold'])],
          [2.1, removeOne],
          [8, hold(null)],
        ],
      )
      expect(answers[1]).toMatchObject({ exit: 0, seconds: 3 })
      expect(jobs).toEqual(['one 0'])
      expect(get(JOBS, 'one')).toBeUndefined()
    },
  )

  it('a release of Helm 3 stays client-side in Helm 4, until it is told otherwise (helm/030)', () => {
    const { get, answers } = session(HELM3, [
      { command: INSTALL, chart: one },
      { command: UPGRADE, at: 3, version: HELM4 },
      { command: `${UPGRADE} --server-side=true`, chart: bumped, at: 4, version: HELM4 },
    ])
    expect(answers.map(({ exit }) => exit)).toEqual([0, 0, 1])
    const entries = get(JOBS, 'one')?.metadata.managedFields ?? []
    const mine = entries.filter(({ manager }) => manager === 'helm')
    expect(mine.map(({ operation }) => operation)).toEqual(['Apply'])
  })
})

describe('objects that are there already (H-11)', () => {
  it.each([
    [HELM3, 'Unable'],
    [HELM4, 'unable'],
  ])('stop an installation, unless it takes them over: %o', (version, word) => {
    const { answers, jobs } = session(
      version,
      [{ command: INSTALL, chart: one, at: 2 }, { command: `${INSTALL} --take-ownership` }],
      [[0, createOne]],
    )
    expect(answers[0]?.output).toContain(
      `Error: INSTALLATION FAILED: ${word} to continue with install: Job "one" in namespace ` +
        '"shop" exists and cannot be imported into the current release: invalid ownership metadata',
    )
    expect(answers[1]?.exit).toBe(0)
    expect(jobs).toEqual(['one 0'])
  })
})

describe('waiting for Jobs (H-13)', () => {
  const slow = chart({ j: jobText({ seconds: 7 }) })
  const bad = chart({ j: jobText({ exit: 1, seconds: 3 }) })

  it.each([HELM3, HELM4])('is not done with --wait alone: Helm $major', (version) => {
    const { answers } = session(version, [{ command: `${INSTALL} --wait`, chart: slow }])
    expect(answers[0]).toMatchObject({ exit: 0, seconds: 0 })
  })

  it('is a look every 2 s in Helm 3 and a watch in Helm 4 (helm/015)', () => {
    const command = { command: `${INSTALL} --wait --wait-for-jobs`, chart: slow }
    expect(session(HELM3, [command]).answers[0]?.seconds).toBe(8)
    expect(session(HELM4, [command]).answers[0]?.seconds).toBe(7)
  })

  it('does not see a failure in Helm 3, and does in Helm 4 (helm/015)', () => {
    const command = { command: `${INSTALL} --wait --wait-for-jobs --timeout 15s`, chart: bad }
    expect(session(HELM3, [command]).answers[0]).toEqual({
      kind: 'ended',
      exit: 1,
      seconds: 15,
      output: 'Error: INSTALLATION FAILED: context deadline exceeded',
    })
    expect(session(HELM4, [command]).answers[0]?.seconds).toBe(3)
  })

  it('reports a failure only when the others have ended in Helm 4 (helm/034)', () => {
    const two = chart({
      j: jobText({ name: 'bad', exit: 1 }),
      k: jobText({ name: 'slow', seconds: 9 }),
    })
    const command = { command: `${INSTALL} --wait --wait-for-jobs`, chart: two }
    expect(session(HELM4, [command]).answers[0]).toMatchObject({ exit: 1, seconds: 9 })
  })

  it('misses a Job that its TTL took in Helm 3, and sees its end in Helm 4 (helm/016)', () => {
    const gone = chart({ j: jobText({ spec: 'ttlSecondsAfterFinished: 0' }) })
    const command = { command: `${INSTALL} --wait --wait-for-jobs`, chart: gone }
    expect(session(HELM3, [command]).answers[0]?.output).toBe(
      'Error: INSTALLATION FAILED: jobs.batch "one" not found',
    )
    expect(session(HELM4, [command]).answers[0]?.exit).toBe(0)
  })

  it('takes a suspended Job for started in Helm 3 and not in Helm 4 (helm/034)', () => {
    const paused = chart({ j: jobText({ spec: 'suspend: true' }) })
    const command = { command: `${INSTALL} --wait --timeout 8s`, chart: paused }
    expect(session(HELM3, [command]).answers[0]).toMatchObject({ exit: 0, seconds: 0 })
    expect(session(HELM4, [command]).answers[0]).toMatchObject({ exit: 1, seconds: 8 })
  })
})

describe('going back (H-14)', () => {
  const old = chart({ j: jobText({ name: 'one-aaaa' }) })
  const next = chart({ j: jobText({ name: 'one-bbbb', exit: 1 }) })

  it.each([HELM3, HELM4])(
    'creates the old Job again and deletes the new one: Helm $major',
    (version) => {
      const { jobs, get, history } = session(version, [
        { command: INSTALL, chart: old },
        { command: UPGRADE, chart: next, at: 3 },
        { command: 'helm rollback rel 1', at: 6 },
      ])
      expect(jobs).toEqual(['one-aaaa 0', 'one-bbbb 3', 'one-aaaa 6'])
      expect(get(JOBS, 'one-bbbb')).toBeUndefined()
      expect(history()).toEqual([
        '1 superseded: Install complete',
        '2 superseded: Upgrade complete',
        '3 deployed: Rollback to 1',
      ])
    },
  )

  it.each([
    [HELM3, '--atomic', 'atomic'],
    [HELM4, '--rollback-on-failure', 'rollback-on-failure'],
  ])(
    'by itself after a failure runs the old work again: %o %s (helm/027)',
    (version, flag, word) => {
      const { jobs, answers, history } = session(version, [
        { command: INSTALL, chart: old },
        { command: `${UPGRADE} ${flag} --wait-for-jobs --timeout 15s`, chart: next, at: 3 },
      ])
      expect(jobs.map((job) => job.split(' ')[0])).toEqual(['one-aaaa', 'one-bbbb', 'one-aaaa'])
      expect(answers[1]?.output).toContain(
        `Error: UPGRADE FAILED: release rel failed, and has been rolled back due to ${word} being set: `,
      )
      expect(history().map((line) => line.split(':')[0])).toEqual([
        '1 superseded',
        '2 failed',
        '3 deployed',
      ])
    },
  )

  it('uninstalls after a failed installation', () => {
    const { answers, get, history } = session(HELM4, [
      { command: `${INSTALL} --rollback-on-failure --wait-for-jobs`, chart: next },
    ])
    expect(answers[0]?.output).toContain(
      'release rel failed, and has been uninstalled due to rollback-on-failure being set: ',
    )
    expect(get(JOBS, 'one-bbbb')).toBeUndefined()
    expect(history()).toEqual([])
  })

  it('runs the hooks of the revision that it goes back to', () => {
    const hook = (image: string): string => hookText('pre-rollback', { name: 'rb', image })
    const { get } = session(HELM4, [
      { command: INSTALL, chart: chart({ h: hook('1') }) },
      { command: UPGRADE, chart: chart({ h: hook('2') }) },
      { command: 'helm rollback rel 1' },
    ])
    expect(imageOf(get(JOBS, 'rb'))).toBe('registry.example.test/one:1')
  })

  it('knows no revision that is not there', () => {
    const { answers } = session(HELM4, [
      { command: INSTALL, chart: old },
      { command: 'helm rollback rel 7' },
    ])
    expect(answers[1]?.output).toBe('Error: release has no 7 version')
  })
})

describe('a client that is killed (H-15, helm/022)', () => {
  it.each([HELM3, HELM4])(
    'leaves a pending release and a Job that goes on: Helm $major',
    (version) => {
      const charts = chart({ h: hookText('pre-upgrade', { seconds: 5 }), c: mapText('conf', '1') })
      const { answers, jobs, history } = session(version, [
        { command: INSTALL, chart: charts },
        { command: UPGRADE, at: 1, killAt: 3 },
        { command: UPGRADE, at: 8 },
        { command: 'helm rollback rel 1', at: 9 },
        { command: UPGRADE, at: 10 },
      ])
      expect(answers.map(({ exit }) => exit)).toEqual([0, null, 1, 0, 0])
      expect(answers[2]?.output).toBe(
        'Error: UPGRADE FAILED: another operation (install/upgrade/rollback) is in progress',
      )
      expect(jobs).toEqual(['one 1', 'one 10'])
      expect(history().map((line) => line.split(':')[0])).toEqual([
        '1 superseded',
        '2 pending-upgrade',
        '3 superseded',
        '4 deployed',
      ])
    },
  )
})

describe('the end of a release', () => {
  it.each([HELM3, HELM4])(
    'deletes its objects but hooks and what is kept: Helm $major',
    (version) => {
      const kept = jobText({ name: 'kept', annotations: { 'helm.sh/resource-policy': 'Keep' } })
      const charts = chart({ j: jobText(), k: kept, h: hookText('post-install', { name: 'hook' }) })
      const { answers, get, history } = session(version, [
        { command: INSTALL, chart: charts },
        { command: 'helm uninstall rel', at: 5 },
      ])
      expect(answers[1]?.output).toBe(
        'These resources were kept due to the resource policy:\n[Job] kept\nrelease "rel" uninstalled',
      )
      expect(get(JOBS, 'one')).toBeUndefined()
      expect(get(JOBS, 'kept')).toBeDefined()
      expect(get(JOBS, 'hook')).toBeDefined()
      expect(history()).toEqual([])
    },
  )

  it('is refused when there is none, and its name is free afterwards', () => {
    const { answers } = session(HELM4, [
      { command: 'helm uninstall rel' },
      { command: INSTALL, chart: one },
      { command: INSTALL },
      { command: 'helm uninstall rel' },
      { command: INSTALL, at: 5 },
    ])
    expect(answers.map(({ exit }) => exit)).toEqual([1, 0, 1, 0, 0])
    expect(answers[0]?.output).toBe('Error: uninstall: Release not loaded: rel: release: not found')
    expect(answers[2]?.output).toBe(
      'Error: INSTALLATION FAILED: cannot reuse a name that is still in use',
    )
  })
})

describe('other commands', () => {
  it('a test runs its hooks each time and nothing else (helm/021)', () => {
    const charts = chart({ h: hookText('test'), j: jobText({ name: 'plain' }) })
    const { jobs, answers } = session(HELM4, [
      { command: INSTALL, chart: charts },
      { command: 'helm test rel' },
      { command: 'helm test rel' },
    ])
    expect(jobs).toEqual(['plain 0', 'one 0', 'one 1'])
    expect(answers[2]?.output).toContain('Phase:          Succeeded')
  })

  it('upgrade --install installs what is not there', () => {
    const { answers } = session(HELM4, [{ command: `${UPGRADE} --install`, chart: one }])
    expect(answers[0]?.output).toBe(
      'Release "rel" does not exist. Installing it now.\n' +
        'STATUS: deployed\nREVISION: 1\nDESCRIPTION: Install complete',
    )
  })

  it('keeps values of the release when an upgrade gives none', () => {
    const templated = chart({ c: mapText('conf', '{{ .Values.v }}') })
    const { get } = session(HELM4, [
      { command: `${INSTALL} --set v=7`, chart: templated },
      { command: UPGRADE },
    ])
    expect(valueOf(get(MAPS, 'conf'))).toBe('7')
  })

  it('says what it does not know instead of guessing', () => {
    const { answers } = session(HELM4, [{ command: `${INSTALL} --post-renderer x`, chart: one }])
    expect(answers[0]).toMatchObject({ exit: 1 })
    expect(answers[0]?.output).toBe('Error: helm install with --post-renderer is not modelled')
  })

  it('keeps ten revisions', () => {
    const commands = Array.from({ length: 14 }, () => ({ command: UPGRADE }))
    const { history } = session(HELM4, [{ command: INSTALL, chart: one }, ...commands])
    expect(history()).toHaveLength(10)
    expect(history().at(-1)).toBe('15 deployed: Upgrade complete')
  })

  it('names the rule of everything that it does', () => {
    const { causes } = session(HELM4, [{ command: INSTALL, chart: one }])
    const own = causes.filter(({ actor }) => actor === 'helm')
    expect(own.map(({ rule, effect, object }) => `${rule} ${effect} ${object ?? ''}`)).toContain(
      'H-7 created Job Job/shop/one',
    )
  })
})

function createOne(cluster: Cluster): void {
  const metadata = { name: 'one' }
  const container = { name: 'main', image: 'registry.example.test/one:1' }
  const annotations = { 'play/duration': '1000', 'play/exit': '0' }
  const template = {
    metadata: { annotations },
    spec: { restartPolicy: 'Never', containers: [container] },
  }
  const spec = { backoffLimit: 0, template }
  cluster.request({
    verb: 'create',
    resource: JOBS,
    namespace: 'shop',
    body: { apiVersion: 'batch/v1', kind: 'Job', metadata, spec },
    user: 'test',
    options: { fieldManager: 'kubectl-client-side-apply' },
  })
}
