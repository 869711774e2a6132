import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../core/json.ts'
import { argoTurn, helmTurn, isLater } from './order.ts'

const object = (annotations: JsonObject = {}): JsonObject => ({
  kind: 'ConfigMap',
  metadata: { name: 'settings', annotations },
})

describe('argoTurn', () => {
  it.each([
    [{}, 'with', 0, 'Sync, wave 0'],
    [{ 'argocd.argoproj.io/sync-wave': '-5' }, 'with', -5, 'Sync, wave -5'],
    [{ 'argocd.argoproj.io/hook': 'PreSync' }, 'before', 0, 'PreSync, wave 0'],
    [{ 'argocd.argoproj.io/hook': 'PostSync,Sync' }, 'with', 0, 'Sync, wave 0'],
    [
      { 'helm.sh/hook': 'pre-install,pre-upgrade', 'helm.sh/hook-weight': '3' },
      'before',
      3,
      'PreSync, wave 3',
    ],
    [{ 'helm.sh/hook': 'post-upgrade' }, 'after', 0, 'PostSync, wave 0'],
    [
      { 'argocd.argoproj.io/sync-wave': '1', 'helm.sh/hook-weight': '3' },
      'with',
      1,
      'Sync, wave 1',
    ],
  ] as const)('reads %j', (annotations, phase, wave, words) => {
    expect(argoTurn(object(annotations))).toMatchObject({ phase, wave, words })
  })

  it.each([
    { 'argocd.argoproj.io/hook': 'SyncFail' },
    { 'argocd.argoproj.io/hook': 'Skip' },
    { 'helm.sh/hook': 'test' },
    { 'argocd.argoproj.io/sync-wave': '{{ .Values.wave }}' },
    { 'argocd.argoproj.io/hook': '{{ .Values.hook }}' },
  ])('knows no turn for %j', (annotations) => {
    expect(argoTurn(object(annotations))).toBeUndefined()
  })
})

describe('helmTurn', () => {
  it.each([
    [{}, 'with', 0],
    [{ 'argocd.argoproj.io/sync-wave': '5' }, 'with', 0],
    [{ 'helm.sh/hook': 'pre-install', 'helm.sh/hook-weight': '-5' }, 'before', -5],
    [{ 'helm.sh/hook': 'pre-upgrade,post-install' }, 'after', 0],
  ] as const)('reads %j', (annotations, phase, wave) => {
    expect(helmTurn(object(annotations))).toMatchObject({ phase, wave })
  })

  it.each([
    { 'helm.sh/hook': 'pre-upgrade' },
    { 'helm.sh/hook': 'test' },
    { 'helm.sh/hook': 'pre-install', 'helm.sh/hook-weight': '{{ .Values.weight }}' },
  ])('knows no turn at an installation for %j', (annotations) => {
    expect(helmTurn(object(annotations))).toBeUndefined()
  })
})

describe('isLater', () => {
  it('compares phases first, then waves, and says nothing of equal turns', () => {
    const pre = argoTurn(object({ 'argocd.argoproj.io/hook': 'PreSync' }))
    const plain = argoTurn(object())
    const early = argoTurn(object({ 'argocd.argoproj.io/sync-wave': '-1' }))
    if (pre === undefined || plain === undefined || early === undefined) throw new Error('no turn')
    expect(isLater(plain, pre)).toBe(true)
    expect(isLater(early, pre)).toBe(true)
    expect(isLater(plain, early)).toBe(true)
    expect(isLater(early, plain)).toBe(false)
    expect(isLater(plain, plain)).toBe(false)
  })
})
