import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../core/json.ts'
import type { Files } from '../stage.ts'
import { helmCli } from './helm.ts'
import { helmVersionOf } from './helm-person.ts'
import { removeJob, rigOf, type Rig, type RigInput } from './rig.ts'

const HOOK = `apiVersion: batch/v1
kind: Job
metadata:
  name: migrate
  annotations: {helm.sh/hook: "pre-install,pre-upgrade"}
spec:
  backoffLimit: 0
  template:
    spec:
      restartPolicy: Never
      containers: [{name: task, image: "shop:{{ .Values.tag }}"}]
`

function files(job = HOOK): Files {
  return {
    'chart/Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
    'chart/values.yaml': 'tag: "1"\n',
    'prod.yaml': 'tag: "7"\n',
    'chart/templates/job.yaml': job,
  }
}

const PLAIN = HOOK.replace(/^ {2}annotations:.*\n/m, '')

function rig(input: RigInput = {}): Rig {
  const settings = { release: 'shop', namespace: 'shop', ...input.settings }
  return rigOf(helmCli, { files: files(), ...input, settings })
}

function run(one: Rig, event: JsonObject, until: number): void {
  one.stage.change?.(one.cluster, event)
  one.until(until)
}

function reasons({ causes }: Rig): readonly string[] {
  return causes.flatMap(({ actor, trigger }) =>
    actor === 'helm' && trigger !== undefined ? [`${trigger.kind}: ${trigger.words}`] : [],
  )
}

function failures({ causes }: Rig): readonly string[] {
  return causes.flatMap(({ effect }) => (effect.startsWith('failed') ? [effect] : []))
}

function images(one: Rig): readonly string[] {
  return one.causes.flatMap(({ effect }) => (effect.includes('created Job') ? [effect] : []))
}

describe('a stage of Helm commands', () => {
  it('does nothing by itself', () => {
    const one = rig()
    one.commit(files())
    one.until(86_400)
    expect(one.jobs).toEqual([])
  })

  it('runs hooks with every command', () => {
    const one = rig()
    run(one, { install: true }, 100)
    run(one, { upgrade: true }, 200)
    run(one, { upgrade: '--no-hooks' }, 300)
    run(one, { rollback: 1 }, 400)
    expect(one.jobs).toEqual(['migrate 0', 'migrate 100'])
    expect(reasons(one)).toEqual([
      'request: somebody ran `helm install shop ./chart`',
      'request: somebody ran `helm upgrade shop ./chart`',
      'request: somebody ran `helm upgrade shop ./chart --no-hooks`',
      'request: somebody ran `helm rollback shop 1`',
    ])
  })

  it('runs a whole command as it stands', () => {
    const one = rig()
    run(one, { upgrade: 'helm upgrade --install shop ./chart -n shop --wait' }, 100)
    expect(one.jobs).toHaveLength(1)
    expect(failures(one)).toEqual([])
  })

  it('gives flags of the settings to each installation and upgrade', () => {
    const one = rig({ settings: { flags: '--wait --timeout 2m' } })
    run(one, { install: true }, 100)
    expect(reasons(one)).toEqual([
      'request: somebody ran `helm install shop ./chart --wait --timeout 2m`',
    ])
  })

  it('upgrades when values change, and keeps them', () => {
    const one = rig({ files: files(PLAIN) })
    run(one, { install: true }, 100)
    run(one, { values: { tag: '2' } }, 200)
    expect(failures(one)[0]).toMatch(/^failed: UPGRADE FAILED: .*field is immutable/s)
    expect(images(one)).toHaveLength(1)
  })

  it('reads value files that a command names', () => {
    const one = rig({ files: files(PLAIN) })
    run(one, { install: '-f prod.yaml' }, 100)
    const job = one.get({ group: 'batch', version: 'v1', resource: 'jobs' }, 'shop', 'migrate')
    expect(JSON.stringify(job)).toContain('"shop:7"')
  })

  it('runs the pipeline after every commit', () => {
    const one = rig({ settings: { pipeline: '--wait' } })
    one.commit(files())
    one.until(100)
    one.commit(files())
    one.until(200)
    expect(one.jobs).toEqual(['migrate 0', 'migrate 100'])
    expect(reasons(one).at(-1)).toBe(
      'request: somebody ran `helm upgrade shop ./chart --install --wait`',
    )
  })

  it.each([
    ['3.21', /already exists/],
    ['4.2', /^$/],
  ])('is Helm %s when the scenario says so', (version, words) => {
    const kept = HOOK.replace(
      'pre-upgrade"',
      'pre-upgrade", helm.sh/hook-delete-policy: hook-failed',
    )
    const one = rig({ files: files(kept), settings: { version } })
    run(one, { install: true }, 100)
    run(one, { upgrade: true }, 200)
    expect(failures(one).join('')).toMatch(words)
    expect(one.jobs).toHaveLength(1)
  })

  it('types one command after the other', () => {
    const one = rig()
    run(one, { install: true }, 10)
    run(one, { upgrade: true }, 300)
    expect(one.jobs).toEqual(['migrate 0', 'migrate 60'])
  })

  it('takes its time in realistic timing', () => {
    const one = rig({ timing: 'realistic' })
    run(one, { install: true }, 100)
    expect(one.jobs).toEqual(['migrate 0.3'])
  })

  it('is killed in the middle, and refused afterwards', () => {
    const one = rig()
    run(one, { install: { killed: '10s' } }, 100)
    run(one, { upgrade: true }, 200)
    expect(failures(one)).toEqual([
      'failed: UPGRADE FAILED: another operation (install/upgrade/rollback) is in progress',
    ])
  })

  it('brings back with --atomic what an upgrade broke', () => {
    const plain = files(PLAIN)
    const one = rig({ files: plain, settings: { version: '3.21' } })
    run(one, { install: true }, 100)
    removeJob(one, 'migrate')
    const other = { ...plain, 'chart/templates/more.yaml': PLAIN.replace('migrate', 'more') }
    one.commit(other)
    run(one, { upgrade: '--atomic --wait-for-jobs --timeout 30s' }, 400)
    expect(one.jobs).toEqual(['migrate 0', 'migrate 100', 'more 100'])
    expect(reasons(one).at(-1)).toMatch(/^retry: its upgrade failed: /)
  })

  it('has its releases gone in a new cluster until the next command', () => {
    const one = rig()
    run(one, { uninstall: true }, 100)
    expect(failures(one)).toEqual([
      'failed: uninstall: Release not loaded: shop: release: not found',
    ])
  })
})

describe('a version of Helm', () => {
  it.each([
    ['3.17.2', { major: 3, minor: 17 }],
    ['v4.1', { major: 4, minor: 1 }],
    ['4', { major: 4, minor: 2 }],
    ['3', { major: 3, minor: 21 }],
    ['2.16', undefined],
    [undefined, undefined],
  ])('%s', (text, expected) => {
    expect(helmVersionOf(text)).toEqual(expected)
  })
})
