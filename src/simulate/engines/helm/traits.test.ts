import { describe, expect, it } from 'vitest'
import { helm } from '../../../engines/helm.ts'
import type { Traits } from '../../../engines/engine.ts'
import { objectsOf } from '../../trace/manifests.ts'
import {
  chart,
  HELM3,
  HELM4,
  hookText,
  JOBS,
  jobText,
  mapText,
  removeOne,
  session,
} from './testing.ts'

const INSTALL = 'helm install rel demo'
const UPGRADE = 'helm upgrade rel demo'
const POLICY = { 'helm.sh/hook-delete-policy': 'hook-succeeded,hook-failed' }
const versions = [HELM3, HELM4]

function traitsOf(text: string): Traits {
  const [object] = objectsOf('job.yaml', text)
  if (object === undefined) throw new Error('no object')
  return helm.traits(undefined, object)
}

describe.each(versions)('what lint says of Helm is what Helm $major does', (version) => {
  it('an absent plain Job is restored by the next change, not by itself', () => {
    expect(traitsOf(jobText()).restoresAbsent).toMatchObject({ when: 'change' })
    const commands = [
      { command: INSTALL, chart: chart({ j: jobText() }) },
      { command: UPGRADE, at: 900 },
    ]
    expect(session(version, commands, [[5, removeOne]]).jobs).toEqual(['one 0', 'one 900'])
  })

  it.each([
    ['a plain Job', jobText(), jobText({ image: '2' }), 'refused'],
    [
      'a hook',
      hookText('pre-install,pre-upgrade'),
      hookText('pre-install,pre-upgrade', { image: '2' }),
      'recreates',
    ],
    [
      'a hook that keeps a running Job',
      hookText('pre-install,pre-upgrade', {
        annotations: { 'helm.sh/hook-delete-policy': 'hook-failed' },
      }),
      hookText('pre-install,pre-upgrade', {
        image: '2',
        annotations: { 'helm.sh/hook-delete-policy': 'hook-failed' },
      }),
      'refused',
    ],
  ])('another template of %s', (_what, before, after, trait) => {
    expect(traitsOf(before).templateChange).toBe(trait)
    const { jobs, answers } = session(version, [
      { command: INSTALL, chart: chart({ j: before }) },
      { command: UPGRADE, chart: chart({ j: after }), at: 5 },
    ])
    const isRefused = trait === 'refused'
    expect(answers[1]?.exit).toBe(isRefused ? 1 : 0)
    expect(jobs).toHaveLength(isRefused ? 1 : 2)
  })

  it.each([
    ['plain', jobText()],
    ['kept', jobText({ annotations: { 'helm.sh/resource-policy': 'keep' } })],
    ['hook', hookText('pre-install', { annotations: {} })],
  ])('what is no longer declared: %s', (_what, text) => {
    const { get } = session(version, [
      { command: INSTALL, chart: chart({ j: text, c: mapText('conf', '1') }) },
      { command: UPGRADE, chart: chart({ c: mapText('conf', '1') }), at: 5 },
    ])
    expect(get(JOBS, 'one') === undefined).toBe(traitsOf(text).removesUndeclared)
  })

  it('without a name nothing is created', () => {
    const text = jobText().replace('name: one', 'generateName: one-')
    expect(traitsOf(text).generateName).toBe('refused')
    const commands = [
      { command: INSTALL, chart: chart({ c: mapText('conf', '1') }) },
      { command: UPGRADE, chart: chart({ j: text }) },
    ]
    const { jobs, answers } = session(version, commands)
    expect(jobs).toEqual([])
    expect(answers[1]?.exit).toBe(1)
  })

  it('a hook whose Job goes by its policies runs each time', () => {
    const text = hookText('pre-install,pre-upgrade', { annotations: POLICY })
    const { jobs } = session(version, [
      { command: INSTALL, chart: chart({ h: text }) },
      { command: UPGRADE, at: 5 },
    ])
    expect(jobs).toEqual(['one 0', 'one 5'])
  })
})
