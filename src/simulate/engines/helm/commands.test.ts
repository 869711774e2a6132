import { describe, expect, it } from 'vitest'
import { stringAt } from '../../../core/json.ts'
import {
  chart,
  HELM3,
  HELM4,
  hookText,
  imageOf,
  JOBS,
  jobText,
  MAPS,
  mapText,
  session,
} from './testing.ts'

const INSTALL = 'helm install rel demo'
const UPGRADE = 'helm upgrade rel demo'
const one = chart({ j: jobText(), c: mapText('conf', '1'), d: mapText('dropped', '1') })

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
    expect(stringAt(get(MAPS, 'conf'), ['data', 'v'])).toBe('7')
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
})
