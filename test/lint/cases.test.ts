import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { lintTree, readTree } from './rules-harness.ts'

/** The public situations of fixtures/cases, with what their pages say about our rules. */
const FOLDER = path.join(import.meta.dirname, '../../fixtures/cases')

const judge = (name: string, change: (text: string) => string = (text) => text) => {
  const files = readTree(path.join(FOLDER, name), (file) => !file.startsWith('commits/'))
  const changed = Object.entries(files).map(([file, text]) => [file, change(text)])
  return lintTree(Object.fromEntries(changed) as Record<string, string>)
}

const ofRule = (name: string, rule: string, change?: (text: string) => string) =>
  judge(name, change).filter((finding) => finding.rule === rule)

describe('the cases', () => {
  it.each([
    ['001-flux-ttl-daily-rerun', 'ttl-causes-rerun', 'error', 'about every 25 h'],
    ['002-flux-ttl-one-hour', 'ttl-causes-rerun', 'error', 'about every 70 min'],
    ['004-argocd-ttl-selfheal', 'ttl-causes-rerun', 'error', 'about every 1 h'],
    ['008-argocd-hooksucceeded-reruns', 'hash-with-delete-on-success', 'error', '5d1e77aa'],
    ['012-argocd-ttl0-hook-stuck', 'ttl-zero-under-waiter', 'warning', 'as soon as it finishes'],
    ['015-argocd-suspended-hook-hang', 'suspended-under-waiter', 'error', 'never ends'],
    ['022-helm-hook-already-exists', 'hook-delete-policy-drops-default', 'error', 'first failure'],
    ['023-helm-hook-every-upgrade', 'hook-runs-every-sync', 'warning', 'install and upgrade'],
    ['027-helmrelease-ttl-recreated', 'ttl-causes-rerun', 'warning', 'next upgrade'],
    ['030-flux-immutable-blocks-dependents', 'failed-job-blocks', 'warning', 'memo-monitoring'],
    ['036-fleet-ttl-loop', 'ttl-causes-rerun', 'error', 'about every'],
    [
      '037-fleet-suspended-notready',
      'suspended-under-waiter',
      'warning',
      'readiness of the bundle',
    ],
    [
      '040-resourceset-recreate-loop',
      'recreate-on-failure-without-convergence',
      'warning',
      'without end',
    ],
    ['045-mesh-sidecar-job-never-completes', 'failed-job-blocks', 'warning', 'cards-app'],
    ['054-operator-ttl-100s-loop', 'ttl-causes-rerun', 'warning', 'once per TTL'],
    ['059-flux-failed-job-is-kept', 'failed-job-blocks', 'warning', 'flux-system/stats'],
  ])('%s yields %s', (name, rule, severity, words) => {
    const found = ofRule(name, rule)
    expect(found.map((finding) => finding.severity)).toContain(severity)
    expect(found.map(({ what }) => what).join('\n')).toContain(words)
  })

  it('009 runs at every full sync without the option that its Application sets', () => {
    const rule = 'force-replace-runs-every-sync'
    const without = (text: string): string => text.replace(/^ *syncOptions:.*\n/m, '')
    expect(ofRule('009-argocd-force-replace-every-sync', rule)).toEqual([])
    expect(ofRule('009-argocd-force-replace-every-sync', rule, without)).toHaveLength(1)
  })

  it('015 only informs where the ordinary Job stands alone', () => {
    const folder = path.join(FOLDER, '015-argocd-suspended-hook-hang')
    const files = readTree(folder, (file) => file !== 'deploy/variant-a.yaml')
    const found = lintTree(files).filter(({ rule }) => rule === 'suspended-under-waiter')
    expect(found.map(({ severity }) => severity)).toEqual(['info'])
  })

  it('027 comes back every 70 min with drift detection', () => {
    const drift = (text: string): string => text.replace('mode: disabled', 'mode: enabled')
    const [finding] = ofRule('027-helmrelease-ttl-recreated', 'ttl-causes-rerun', drift)
    expect(finding?.severity).toBe('error')
    expect(finding?.what).toContain('about every 70 min')
  })

  it('001 is not silenced by prune', () => {
    const prune = (text: string): string => text.replace('prune: false', 'prune: true')
    const [finding] = ofRule('001-flux-ttl-daily-rerun', 'ttl-causes-rerun', prune)
    expect(finding?.why).toContain('prune has no say in it')
  })

  it('059 with a TTL says that the TTL is a retry without end', () => {
    const ttl = (text: string): string =>
      text.replace('backoffLimit: 0', 'backoffLimit: 0\n  ttlSecondsAfterFinished: 3600')
    const found = judge('059-flux-failed-job-is-kept', ttl)
    expect(found.map(({ rule }) => rule)).not.toContain('failed-job-blocks')
    expect(found.find(({ rule }) => rule === 'ttl-causes-rerun')?.why).toContain(
      'retry without end',
    )
  })

  it('047 warns of a minutely schedule that is suspended, and not of a resumed one', () => {
    const rule = 'cronjob-missed-schedule'
    const minutely = (text: string): string =>
      text.replace('suspend: false', 'suspend: true').replace('0 2 * * *', '* * * * *')
    expect(ofRule('047-cronjob-unsuspend-catches-up', rule)).toEqual([])
    const [finding] = ofRule('047-cronjob-unsuspend-catches-up', rule, minutely)
    expect(finding?.severity).toBe('warning')
    expect(finding?.why).toContain('after 100 min it has missed more than 100')
  })

  it.each([
    '029-flux-force-on-change',
    '039-quantity-spelling',
    '050-index-digest-vs-child',
    '058-ttl-inside-cronjob-is-fine',
    '060-native-sidecar-completes',
  ])('%s stays silent', (name) => {
    expect(judge(name)).toEqual([])
  })
})
