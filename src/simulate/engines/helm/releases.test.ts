import { describe, expect, it } from 'vitest'
import { stringAt } from '../../../core/json.ts'
import type { Cluster } from '../../../cluster/cluster.ts'
import {
  chart,
  HELM3,
  HELM4,
  hold,
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

describe('a chart with a clock in it', () => {
  const text = jobText({ name: 'job-{{ now | date "150405" }}' })

  it('is another Job at each upgrade, and the one before is deleted', () => {
    const typed = [
      { command: 'helm install rel ./chart', chart: chart({ one: text }) },
      { command: 'helm upgrade rel ./chart', at: 60 },
    ]
    const { jobs, get } = session(HELM4, typed)
    expect(jobs).toEqual(['job-100000 0', 'job-100100 60'])
    expect(get(JOBS, 'job-100000')).toBeUndefined()
  })
})
