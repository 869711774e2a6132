import { describe, expect, it } from 'vitest'
import {
  chart,
  HELM3,
  HELM4,
  hold,
  hookText,
  JOBS,
  jobText,
  mapText,
  removeOne,
  session,
} from './testing.ts'

const INSTALL = 'helm install rel demo'
const UPGRADE = 'helm upgrade rel demo'
const DELETE_POLICY = 'helm.sh/hook-delete-policy'

describe('hooks run with the command, whatever changed (H-1, H-2, H-3)', () => {
  it.each([HELM3, HELM4])('once per install and upgrade, by Helm $major', (version) => {
    const same = chart({ h: hookText('pre-install,pre-upgrade'), c: mapText('conf', '1') })
    const { jobs, answers } = session(version, [
      { command: INSTALL, chart: same },
      { command: UPGRADE },
      { command: UPGRADE },
    ])
    expect(jobs).toEqual(['one 0', 'one 1', 'one 2'])
    expect(answers.map(({ exit }) => exit)).toEqual([0, 0, 0])
  })

  it.each([HELM3, HELM4])(
    'by weight, then by name, one after the other: Helm $major',
    (version) => {
      const weighted = (name: string, weight: string): string =>
        hookText('pre-install', { name, annotations: { 'helm.sh/hook-weight': weight } })
      const charts = chart({
        a: weighted('five', '5'),
        b: weighted('minus', '-5'),
        c: weighted('zero-b', '0'),
        d: hookText('pre-install', { name: 'zero-a' }),
        e: weighted('odd', 'x'),
      })
      const { jobs } = session(version, [{ command: INSTALL, chart: charts }])
      expect(jobs).toEqual(['minus 0', 'odd 1', 'zero-a 2', 'zero-b 3', 'five 4'])
    },
  )

  it('leaves out a hook with a word that it does not know', () => {
    const charts = chart({ h: hookText('pre-install,before-everything') })
    const { jobs, answers } = session(HELM4, [{ command: INSTALL, chart: charts }])
    expect(jobs).toEqual([])
    expect(answers[0]?.exit).toBe(0)
  })

  it('stops at a failure and runs nothing after it', () => {
    const charts = chart({
      a: hookText('pre-install', { name: 'a', exit: 1 }),
      b: hookText('pre-install', { name: 'b' }),
      j: jobText({ name: 'plain' }),
    })
    const helm3 = session(HELM3, [{ command: INSTALL, chart: charts }])
    expect(helm3.jobs).toEqual(['a 0'])
    expect(helm3.answers[0]?.output).toBe(
      'Error: INSTALLATION FAILED: failed pre-install: 1 error occurred:\n' +
        '\t* job a failed: BackoffLimitExceeded',
    )
    const helm4 = session(HELM4, [{ command: INSTALL, chart: charts }])
    expect(helm4.jobs).toEqual(['a 0'])
    expect(helm4.answers[0]?.output).toBe(
      'Error: INSTALLATION FAILED: failed pre-install: resource Job/shop/a not ready. ' +
        'status: Failed, message: Job Failed. failed: 1/1',
    )
  })

  it('are not run with --no-hooks, and stay when the release goes', () => {
    const charts = chart({ h: hookText('post-install,pre-upgrade') })
    const { jobs, get } = session(HELM4, [
      { command: INSTALL, chart: charts },
      { command: `${UPGRADE} --no-hooks` },
      { command: 'helm uninstall rel' },
    ])
    expect(jobs).toEqual(['one 0'])
    expect(get(JOBS, 'one')).toBeDefined()
  })
})

describe('the Job of the last run is still there (H-3, H-5)', () => {
  const kept = { annotations: { [DELETE_POLICY]: 'hook-failed' } }
  const same = chart({ h: hookText('pre-install,pre-upgrade', kept) })

  it('is refused by Helm 3', () => {
    const { jobs, answers } = session(HELM3, [
      { command: INSTALL, chart: same },
      { command: UPGRADE },
    ])
    expect(jobs).toEqual(['one 0'])
    expect(answers[1]?.output).toBe(
      'Error: UPGRADE FAILED: pre-upgrade hooks failed: warning: Hook pre-upgrade ' +
        'demo/templates/h.yaml failed: 1 error occurred:\n\t* jobs.batch "one" already exists',
    )
  })

  it('passes for a run with Helm 4 when it is equal (helm/031)', () => {
    const { jobs, answers } = session(HELM4, [
      { command: INSTALL, chart: same },
      { command: UPGRADE },
    ])
    expect(jobs).toEqual(['one 0'])
    expect(answers[1]?.exit).toBe(0)
  })

  it('is refused as immutable by Helm 4 when it differs (helm/003)', () => {
    const other = chart({ h: hookText('pre-install,pre-upgrade', { ...kept, image: '2' }) })
    const { jobs, answers } = session(HELM4, [
      { command: INSTALL, chart: same },
      { command: UPGRADE, chart: other },
    ])
    expect(jobs).toEqual(['one 0'])
    expect(answers[1]?.output).toContain('field is immutable')
  })

  it('is dying: Helm 3 waits for it, Helm 4 takes its old result (helm/024)', () => {
    const charts = chart({ h: hookText('pre-install,pre-upgrade') })
    const commands = [
      { command: INSTALL, chart: charts },
      { command: `${UPGRADE} --timeout 20s`, at: 2 },
    ]
    const between = [
      [1.5, hold(['example.test/hold'])],
      [9.5, hold(null)],
    ] as const
    const helm3 = session(HELM3, commands, between)
    expect(helm3.jobs).toEqual(['one 0', 'one 10'])
    expect(helm3.answers[1]).toMatchObject({ exit: 0, seconds: 11 })
    const helm4 = session(HELM4, commands, between)
    expect(helm4.jobs).toEqual(['one 0'])
    expect(helm4.answers[1]).toMatchObject({ exit: 0, seconds: 2 })
  })

  it('is waited for by Helm 4 too when it is told to wait', () => {
    const charts = chart({ h: hookText('pre-install,pre-upgrade') })
    const { jobs } = session(
      HELM4,
      [
        { command: INSTALL, chart: charts },
        { command: `${UPGRADE} --wait`, at: 2 },
      ],
      [
        [1.5, hold(['example.test/hold'])],
        [9.5, hold(null)],
      ],
    )
    expect(jobs).toEqual(['one 0', 'one 9.5'])
  })
})

describe('the Job goes while its end is waited for (H-5)', () => {
  const charts = chart({
    h: hookText('pre-install', { seconds: 30 }),
    j: jobText({ name: 'plain' }),
  })
  const command = { command: `${INSTALL} --timeout 20s`, chart: charts }

  it('is a success to Helm 3 (helm/023)', () => {
    const { answers, jobs } = session(HELM3, [command], [[3, removeOne]])
    expect(answers[0]).toMatchObject({ exit: 0, seconds: 3 })
    expect(jobs).toEqual(['one 0', 'plain 3'])
  })

  it('is a timeout to Helm 4 (helm/023)', () => {
    const { answers, jobs } = session(HELM4, [command], [[3, removeOne]])
    expect(answers[0]).toMatchObject({ exit: 1, seconds: 20 })
    expect(answers[0]?.output).toContain('status: NotFound, message: Resource not found')
    expect(jobs).toEqual(['one 0'])
  })

  it.each([HELM3, HELM4])(
    'is seen to have ended before a TTL of 0 takes it: Helm $major',
    (version) => {
      const short = chart({ h: hookText('pre-install', { spec: 'ttlSecondsAfterFinished: 0' }) })
      const { answers, get } = session(version, [{ command: INSTALL, chart: short }])
      expect(answers[0]).toMatchObject({ exit: 0, seconds: 1 })
      expect(get(JOBS, 'one')).toBeUndefined()
      const bad = hookText('pre-install', { spec: 'ttlSecondsAfterFinished: 0', exit: 1 })
      const failing = session(version, [{ command: INSTALL, chart: chart({ h: bad }) }])
      expect(failing.answers[0]).toMatchObject({ exit: 1, seconds: 1 })
    },
  )
})

describe('delete policies for the outcome (H-4)', () => {
  const first = hookText('pre-install', {
    name: 'a',
    annotations: { [DELETE_POLICY]: 'hook-succeeded' },
  })
  const second = (exit: number): string =>
    hookText('pre-install', { name: 'b', exit, annotations: { [DELETE_POLICY]: 'hook-failed' } })

  it('deletes what succeeded only after all have', () => {
    const charts = chart({ a: first, b: second(0) })
    const { get } = session(HELM4, [{ command: INSTALL, chart: charts }])
    expect(get(JOBS, 'a')).toBeUndefined()
    expect(get(JOBS, 'b')).toBeDefined()
  })

  it.each([
    [{ major: 3, minor: 17 } as const, 'stays'],
    [HELM3, 'goes'],
    [HELM4, 'goes'],
  ])('after a failure the earlier one of %o %s (helm/005)', (version, fate) => {
    const charts = chart({ a: first, b: second(1) })
    const { get } = session(version, [{ command: INSTALL, chart: charts }])
    expect(get(JOBS, 'a') === undefined ? 'goes' : 'stays').toBe(fate)
    expect(get(JOBS, 'b')).toBeUndefined()
  })
})

describe('what cannot end', () => {
  it.each([HELM3, HELM4])(
    'a suspended hook is waited for until the timeout: Helm $major',
    (version) => {
      const charts = chart({ h: hookText('pre-install', { spec: 'suspend: true' }) })
      const { answers } = session(version, [{ command: `${INSTALL} --timeout 12s`, chart: charts }])
      expect(answers[0]).toMatchObject({ exit: 1, seconds: 12 })
    },
  )

  it.each([HELM3, HELM4])('without a name nothing is created: Helm $major', (version) => {
    const nameless = hookText('pre-install').replace('name: one', 'generateName: one-')
    const { answers, jobs } = session(version, [
      { command: INSTALL, chart: chart({ h: nameless }) },
    ])
    expect(answers[0]?.output).toBe(
      'Error: INSTALLATION FAILED: failed pre-install: resource name may not be empty',
    )
    expect(jobs).toEqual([])
  })
})
