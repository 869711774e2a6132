import { describe, expect, it } from 'vitest'
import { checkStamps, type StampCheck } from '../../src/stamp/check.ts'
import { at, fullParser, stampText } from './harness.ts'
import { jobText, stream } from './manifests.ts'

function check(text: string): StampCheck {
  return checkStamps([{ path: 'jobs.yaml', bytes: new TextEncoder().encode(text) }], { fullParser })
}

const ROLE = `apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: waiter}
rules:
- {apiGroups: [batch], resources: [jobs], resourceNames: [migrate], verbs: [get]}
`

describe('committed names', () => {
  it('are right when nothing was edited since', () => {
    const { output } = stampText(stream(jobText('migrate'), ROLE))
    expect(check(output)).toMatchObject({ stale: [], references: [], faults: [], checked: 1 })
  })

  it('are stale when a field that counts was edited, and the field is named', () => {
    const { output, objects } = stampText(jobText('migrate'))
    const { stale } = check(output.replace('[up]', '[up, --force]'))
    expect(stale).toMatchObject([
      {
        name: objects[0]?.newName,
        staleness: 'name',
        changes: [{ path: 'spec.template.spec.containers[main].args', change: 'changed' }],
      },
    ])
    expect(stale[0]?.expected).not.toBe(stale[0]?.name)
    expect(stale.map(({ place }) => at(place))).toEqual(['jobs.yaml:4:9'])
  })

  it('are not when only a TTL was edited', () => {
    const { output } = stampText(jobText('migrate', { spec: '  ttlSecondsAfterFinished: 60' }))
    expect(check(output.replace('Finished: 60', 'Finished: 600')).stale).toEqual([])
  })

  it('are missing where a Job was never stamped', () => {
    expect(check(jobText('migrate')).stale).toMatchObject([
      { staleness: 'unstamped', name: 'migrate' },
    ])
  })

  it('may be right beside a fingerprint that is not', () => {
    const { output } = stampText(jobText('migrate'))
    const edited = output.replace(/(intent\/v1:[0-9a-f]{8})[0-9a-f]{8}/, '$100000000')
    expect(check(edited).stale).toMatchObject([{ staleness: 'annotations' }])
  })

  it('are looked for in references too', () => {
    const { output } = stampText(stream(jobText('migrate'), ROLE))
    const { stale, references } = check(output.replace(/\[migrate-\w+\]/, '[migrate]'))
    expect(stale).toEqual([])
    expect(references.map(({ place, from }) => [at(place), from])).toEqual([
      ['jobs.yaml:24:59', 'migrate'],
    ])
  })

  it('of Jobs that are left alone are not looked at', () => {
    const text = jobText('migrate', { annotations: { 'helm.sh/hook': 'pre-install' } })
    const { stale, checked, notes } = check(text)
    expect({ stale, checked, codes: notes.map(({ code }) => code) }).toEqual({
      stale: [],
      checked: 0,
      codes: ['hook'],
    })
  })
})
