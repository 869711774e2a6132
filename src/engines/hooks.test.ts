import { describe, expect, it } from 'vitest'
import { job } from '../../test/engines/objects.ts'
import { helmHook } from './helm-hooks.ts'
import {
  ARGO_HOOK,
  ARGO_POLICY,
  HELM_HOOK,
  HELM_POLICY,
  helmPolicies,
  mergedPolicies,
  readArgoHook,
  readHelmHook,
} from './hooks.ts'

describe('hooks as Argo CD reads them', () => {
  it.each([
    ['PreSync', ['PreSync']],
    ['PreSync,PostSync', ['PreSync', 'PostSync']],
    [' PreSync , PreSync ', ['PreSync']],
    ['PreSync, PostSinc', ['PreSync']],
    ['Skip,PreSync', ['PreSync']],
    ['SyncFail', ['SyncFail']],
    ['PreDelete', ['PreDelete']],
  ])('takes %j for a hook of %j (A-31, trace 025)', (text, phases) => {
    expect(readArgoHook(job({ [ARGO_HOOK]: text }))).toEqual({
      kind: 'hook',
      annotation: ARGO_HOOK,
      phases,
    })
  })

  it.each([
    ['pre-install,pre-upgrade', ['PreSync']],
    ['post-install', ['PostSync']],
    ['pre-install,post-install', ['PreSync', 'PostSync']],
    ['pre-install,test', ['PreSync']],
    ['post-delete', ['PostDelete']],
  ])('maps the Helm hook %j to %j (A-31)', (text, phases) => {
    expect(readArgoHook(job({ [HELM_HOOK]: text }))).toEqual({
      kind: 'hook',
      annotation: HELM_HOOK,
      phases,
    })
  })

  it.each([
    { [ARGO_HOOK]: 'Presync' },
    { [ARGO_HOOK]: 'presync' },
    { [ARGO_HOOK]: '' },
    { [ARGO_HOOK]: 'Skip' },
    { [HELM_HOOK]: 'test' },
    { [HELM_HOOK]: 'pre-rollback' },
    { [HELM_HOOK]: 'Pre-Install' },
    { [HELM_HOOK]: 'constructor' },
  ])('leaves an object with %j out altogether (A-31, trace 025)', (annotations) => {
    expect(readArgoHook(job(annotations))).toMatchObject({ kind: 'ignored' })
  })

  it('lets its own type win over the Helm type (A-32, trace 024)', () => {
    const both = job({ [ARGO_HOOK]: 'PostSync', [HELM_HOOK]: 'pre-install' })
    expect(readArgoHook(both)).toMatchObject({ annotation: ARGO_HOOK, phases: ['PostSync'] })
  })

  it('falls back to the Helm type when its own word is unknown', () => {
    const both = job({ [ARGO_HOOK]: 'Presync', [HELM_HOOK]: 'pre-install' })
    expect(readArgoHook(both)).toMatchObject({ annotation: HELM_HOOK, phases: ['PreSync'] })
  })

  it('takes a Job without annotation, or with crd-install, for a plain one', () => {
    expect(readArgoHook(job())).toEqual({ kind: 'none' })
    expect(readArgoHook(job({ [HELM_HOOK]: 'crd-install' }))).toEqual({ kind: 'none' })
  })

  it.each([ARGO_HOOK, HELM_HOOK])('says that a templated %s is unknown', (key) => {
    expect(readArgoHook(job({ [key]: '{{ .Values.hook }}' }))).toMatchObject({ kind: 'unknown' })
  })
})

describe('hooks as Helm reads them', () => {
  it.each([
    ['pre-install,pre-upgrade', ['pre-install', 'pre-upgrade']],
    ['Pre-Install', ['pre-install']],
    ['test-success', ['test']],
    ['post-delete', ['post-delete']],
  ])('takes %j for a hook of %j', (text, phases) => {
    expect(readHelmHook(job({ [HELM_HOOK]: text }))).toMatchObject({ kind: 'hook', phases })
  })

  it.each(['pre-instal', 'pre-install,typo', 'crd-install', 'test-failure', '', 'pre-install,'])(
    'leaves the object out for %j: one unknown word is enough',
    (text) => {
      expect(readHelmHook(job({ [HELM_HOOK]: text }))).toMatchObject({ kind: 'ignored' })
    },
  )

  it('does not look at the annotation of Argo CD', () => {
    expect(readHelmHook(job({ [ARGO_HOOK]: 'PreSync' }))).toEqual({ kind: 'none' })
  })

  it.each([
    ['pre-install,pre-upgrade', 'every install and upgrade', undefined],
    ['post-upgrade', 'every upgrade', undefined],
    ['pre-install', 'every install', 'install'],
    ['pre-rollback,post-rollback', 'every rollback', 'rollback'],
    ['post-delete', 'every uninstall', 'uninstall'],
    ['test', 'every test run', 'test run'],
    ['pre-install,post-delete', 'every install and uninstall', 'install and uninstall'],
  ])('runs %j on %s (H-1)', (text, runsOn, onlyOn) => {
    const reading = helmHook(job({ [HELM_HOOK]: text }))
    expect(reading.kind === 'hook' && [reading.hook.runsOn, reading.hook.onlyOn]).toEqual([
      runsOn,
      onlyOn,
    ])
  })

  it('claims no occasion for an event that only rendering knows', () => {
    const reading = helmHook(job({ [HELM_HOOK]: '{{ .Values.event }}' }))
    expect(reading.kind === 'hook' && reading.hook.onlyOn).toBe('what rendering decides')
  })
})

describe('delete policies', () => {
  it.each([
    [{}, ['before-hook-creation'], []],
    [{ [HELM_POLICY]: 'hook-succeeded' }, ['hook-succeeded'], [HELM_POLICY]],
    [
      { [HELM_POLICY]: 'before-hook-creation, hook-succeeded' },
      ['before-hook-creation', 'hook-succeeded'],
      [HELM_POLICY],
    ],
    [{ [HELM_POLICY]: 'HOOK-FAILED' }, ['hook-failed'], [HELM_POLICY]],
    [{ [HELM_POLICY]: 'after-hook' }, [], [HELM_POLICY]],
    [{ [HELM_POLICY]: '' }, [], [HELM_POLICY]],
    [{ [ARGO_POLICY]: 'HookSucceeded' }, ['before-hook-creation'], []],
  ])('Helm: %j deletes by %j (H-3)', (annotations, deletePolicies, policyAnnotations) => {
    expect(helmPolicies(job(annotations))).toEqual({ deletePolicies, policyAnnotations })
  })

  it.each([
    [{}, ['before-hook-creation'], []],
    [{ [ARGO_POLICY]: 'HookSucceeded' }, ['hook-succeeded'], [ARGO_POLICY]],
    [
      { [ARGO_POLICY]: 'HookFailed', [HELM_POLICY]: 'hook-succeeded' },
      ['hook-failed', 'hook-succeeded'],
      [ARGO_POLICY, HELM_POLICY],
    ],
    [{ [HELM_POLICY]: 'hook-failed' }, ['hook-failed'], [HELM_POLICY]],
    [{ [ARGO_POLICY]: 'AfterHookCreation' }, ['before-hook-creation'], []],
    [{ [ARGO_POLICY]: 'hookSucceeded' }, ['before-hook-creation'], []],
    [{ [ARGO_POLICY]: 'nonsense', [HELM_POLICY]: 'hook-failed' }, ['hook-failed'], [HELM_POLICY]],
    [{ [ARGO_POLICY]: 'Never' }, [], [ARGO_POLICY]],
    [{ [ARGO_POLICY]: 'toString' }, ['before-hook-creation'], []],
  ])('Argo CD: %j deletes by %j (A-32, trace 024)', (annotations, deletePolicies, written) => {
    expect(mergedPolicies(job(annotations))).toEqual({
      deletePolicies,
      policyAnnotations: written,
    })
  })

  it('never says that the default was dropped while an item is templated', () => {
    const text = 'hook-succeeded,{{ .Values.policy }}'
    expect(helmPolicies(job({ [HELM_POLICY]: text })).deletePolicies).toEqual([
      'hook-succeeded',
      'before-hook-creation',
    ])
    expect(mergedPolicies(job({ [HELM_POLICY]: text })).deletePolicies).toContain(
      'before-hook-creation',
    )
  })
})
