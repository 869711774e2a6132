import { describe, expect, test } from 'vitest'
import { argo, job, repositoryOf } from '../../../test/ownership/harness.ts'

const annotated = (name: string, key: string, value: string): string =>
  job(name).replace('metadata:', `metadata:\n  annotations: {${key}: "${value}"}`)
const wave = (name: string, value: string): string =>
  annotated(name, 'argocd.argoproj.io/sync-wave', value)
const web = (value: string): string =>
  `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, annotations: {argocd.argoproj.io/sync-wave: "${value}"}}\n`

/** A plain Job that something follows is waited for. */
function isWaitedFor(files: Readonly<Record<string, string>>): boolean {
  const placed = Object.fromEntries(
    Object.entries(files).map(([name, text]) => [`deploy/${name}`, text]),
  )
  const { subjects } = repositoryOf({ 'app.yaml': argo('x', 'deploy'), ...placed })
  const own = subjects.find(({ manifest }) => manifest.name === 'own')
  return own?.traits.waiter !== undefined
}

describe('whether something follows a plain Job in the sync', () => {
  test.each<[string, Readonly<Record<string, string>>, boolean]>([
    ['nothing else is there', { 'a.yaml': job('own') }, false],
    ['another Job in the same wave', { 'a.yaml': job('own'), 'b.yaml': job('b') }, false],
    ['another Job in a later wave', { 'a.yaml': job('own'), 'b.yaml': wave('b', '1') }, true],
    ['another Job in an earlier wave', { 'a.yaml': job('own'), 'b.yaml': wave('b', '-1') }, false],
    [
      'a hook after the sync',
      { 'a.yaml': job('own'), 'b.yaml': annotated('b', 'argocd.argoproj.io/hook', 'PostSync') },
      true,
    ],
    [
      'a hook before the sync',
      { 'a.yaml': job('own'), 'b.yaml': annotated('b', 'helm.sh/hook', 'pre-install') },
      false,
    ],
    ['a Deployment in a later wave', { 'a.yaml': job('own'), 'b.yaml': web('2') }, true],
    ['the same in its own file', { 'a.yaml': `${job('own')}---\n${web('2')}` }, true],
    ['a Deployment in an earlier wave', { 'a.yaml': job('own'), 'b.yaml': web('-2') }, false],
    [
      'anything, behind a wave below zero',
      {
        'a.yaml': wave('own', '-1'),
        'b.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}',
      },
      true,
    ],
    ['nothing, behind a wave below zero', { 'a.yaml': wave('own', '-1') }, false],
    [
      'a wave that is no number is wave 0',
      { 'a.yaml': wave('own', 'first'), 'b.yaml': job('b') },
      false,
    ],
  ])('%s', (_, files, expected) => {
    expect(isWaitedFor(files)).toBe(expected)
  })
})
