import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { lintTree, readTree } from './rules-harness.ts'

/** The public situations that are about order, references and sidecars. */
const FOLDER = path.join(import.meta.dirname, '../../fixtures/cases')

const judge = (name: string, change: (text: string) => string = (text) => text) => {
  const files = readTree(path.join(FOLDER, name), (file) => !file.startsWith('commits/'))
  return lintTree(
    Object.fromEntries(Object.entries(files).map(([file, text]) => [file, change(text)])),
  )
}

const ofRule = (name: string, rule: string, change?: (text: string) => string) =>
  judge(name, change).filter((finding) => finding.rule === rule)

describe('the cases', () => {
  it.each([
    [
      '014-argocd-presync-needs-configmap',
      'hook-needs-later-object',
      'error',
      'Job hub/migrate reads ConfigMap hub-config',
    ],
    ['014-argocd-presync-needs-configmap', 'hook-without-deadline', 'warning', 'without a limit'],
    [
      '021-helm-chart-label-in-template',
      'chart-label-in-template',
      'warning',
      'the label helm.sh/chart',
    ],
    [
      '026-helm-wait-deadlock',
      'ordinary-object-waits-for-hook',
      'error',
      'runs only after Deployment {{ .Release.Name }} is ready',
    ],
    [
      '034-kustomize-config-hash-immutable',
      'immutable-by-kustomize-hash',
      'warning',
      'ConfigMap atest-defaults',
    ],
    [
      '045-mesh-sidecar-job-never-completes',
      'sidecar-blocks-completion',
      'warning',
      'the Istio proxy',
    ],
    [
      '048-cronjob-forbid-blocked-by-agent',
      'sidecar-blocks-completion',
      'error',
      'the Vault agent',
    ],
    [
      '056-hook-serviceaccount-comes-later',
      'hook-needs-later-object',
      'warning',
      'runs as ServiceAccount {{ .Release.Name }}',
    ],
    [
      '056-hook-serviceaccount-comes-later',
      'hook-deletes-needed-object',
      'warning',
      'but Deployment {{ .Release.Name }} needs it',
    ],
    [
      '057-shutdown-call-repeats-the-work',
      'shutdown-call-decides-result',
      'warning',
      'depends on the shutdown call',
    ],
  ])('%s yields %s', (name, rule, severity, words) => {
    const found = ofRule(name, rule)
    expect(found.map((finding) => finding.severity)).toContain(severity)
    expect(found.map(({ what }) => what).join('\n')).toContain(words)
  })

  it('014 names both turns and what an application that exists already reads', () => {
    const [finding] = ofRule('014-argocd-presync-needs-configmap', 'hook-needs-later-object')
    expect(finding?.why).toContain(
      'the Job is PreSync, wave 0; ConfigMap hub-config is Sync, wave 0',
    )
    expect(finding?.why).toContain('what the revision before has left')
  })

  it('014 is no fault once the ConfigMap is a hook of an earlier wave', () => {
    const hook =
      'metadata: {name: hub-config, namespace: hub, annotations: {argocd.argoproj.io/hook: PreSync}}'
    const early = (text: string): string =>
      text.replace('metadata: {name: hub-config, namespace: hub}', hook)
    expect(ofRule('014-argocd-presync-needs-configmap', 'hook-needs-later-object', early)).toEqual(
      [],
    )
  })

  it('026 is no fault for a helm-controller that waits for nothing', () => {
    const off = (text: string): string =>
      text.replace(
        '  interval: 30m\n',
        '  interval: 30m\n  install: {disableWait: true}\n  upgrade: {disableWait: true}\n',
      )
    const [finding] = ofRule('026-helm-wait-deadlock', 'ordinary-object-waits-for-hook', off)
    expect(finding?.what).toContain('deleted as soon as it has succeeded')
  })

  it('034 is no fault under force, which runs the Job with the new content', () => {
    const force = (text: string): string =>
      text.replace('prune: true', 'prune: true\n  force: true')
    expect(
      ofRule('034-kustomize-config-hash-immutable', 'immutable-by-kustomize-hash', force),
    ).toEqual([])
  })

  it('045 offers the three remedies in their order, and only for the Job without an opt-out', () => {
    const found = ofRule('045-mesh-sidecar-job-never-completes', 'sidecar-blocks-completion')
    expect(found.map((finding) => finding.path)).toEqual(['jobs/all.yaml'])
    expect(found[0]?.remedy).toMatch(
      /native sidecar.*opt the pod template out.*end it from the work/,
    )
  })

  it('048 is no fault with the variant that only fills in the secrets', () => {
    const only = (text: string): string => text.replace('# variant pre-populate-only: ', '')
    expect(
      ofRule('048-cronjob-forbid-blocked-by-agent', 'sidecar-blocks-completion', only),
    ).toEqual([])
  })

  it('056 is sure where no condition makes the account a hook', () => {
    const plain = (text: string): string =>
      text.replace(/ *\{\{- if .Values.accountAsHook[\s\S]*?\{\{- end \}\}\n/, '')
    const found = ofRule('056-hook-serviceaccount-comes-later', 'hook-needs-later-object', plain)
    expect(found.map(({ severity }) => severity)).toEqual(['error'])
    expect(
      ofRule('056-hook-serviceaccount-comes-later', 'hook-deletes-needed-object', plain),
    ).toEqual([])
  })

  it('056 is sure that an account that is always a hook is missed', () => {
    const always = (text: string): string =>
      text.replace(/ *\{\{- if .Values.accountAsHook \}\}\n/, '').replace(/ *\{\{- end \}\}\n/, '')
    const found = ofRule(
      '056-hook-serviceaccount-comes-later',
      'hook-deletes-needed-object',
      always,
    )
    expect(found.map(({ severity }) => severity)).toEqual(['error'])
    expect(
      ofRule('056-hook-serviceaccount-comes-later', 'hook-needs-later-object', always),
    ).toEqual([])
  })

  it('057 speaks for the first spelling only, and counts four executions', () => {
    const found = ofRule('057-shutdown-call-repeats-the-work', 'shutdown-call-decides-result')
    expect(found.map(({ line }) => line)).toEqual([15])
    expect(found[0]?.why).toContain('up to 4 times')
  })
})
