import { describe, expect, it } from 'vitest'
import {
  chart,
  HELM3,
  HELM4,
  hookText,
  jobText,
  session,
  type JobParts,
  type Session,
  type Typed,
} from './testing.ts'

const INSTALL = 'helm install rel ./chart'
const UPGRADE = 'helm upgrade rel ./chart'

function told({ causes }: Session, actor = 'helm'): readonly string[] {
  return causes
    .filter((one) => one.actor === actor)
    .map(({ rule, effect, object, carrier, trigger }) => {
      expect(carrier).toBe('Release shop/rel')
      if (trigger !== undefined) return `${rule} ${effect}, because ${trigger.words}`
      return `${rule} ${effect}${object === carrier ? '' : ` <- ${object ?? ''}`}`
    })
}

function installed(
  version: typeof HELM3,
  then: readonly Typed[],
  parts: JobParts = {},
): readonly string[] {
  const first = { command: INSTALL, chart: chart({ one: jobText(parts) }) }
  return told(session(version, [first, ...then])).slice(2)
}

const other: Typed = { command: UPGRADE, chart: chart({ one: jobText({ image: '2' }) }) }

describe('Helm tells why it acts', () => {
  it('with the command that somebody ran', () => {
    const one = chart({ one: jobText() })
    expect(told(session(HELM4, [{ command: INSTALL, chart: one }]))).toEqual([
      `H-7 began install of release rel, because somebody ran \`${INSTALL}\``,
      'H-7 created Job <- Job shop/one',
    ])
  })

  it.each([
    ['Helm 3', HELM3, 'H-8'],
    ['Helm 4', HELM4, 'H-10'],
  ])('when %s meets an immutable Job', (_, version, rule) => {
    const [begin, refused, end] = installed(version, [other])
    expect(begin).toBe(`H-7 began upgrade of release rel, because somebody ran \`${UPGRADE}\``)
    expect(refused).toMatch(
      new RegExp(`^${rule} refused Job: Job\\.batch "one" is invalid: .* <- Job shop/one$`),
    )
    expect(end).toMatch(/^H-7 failed: UPGRADE FAILED: .*field is immutable/s)
  })

  it('when --force is refused', () => {
    const [, refused] = installed(HELM3, [{ ...other, command: `${UPGRADE} --force` }])
    expect(refused).toMatch(/^H-9 refused Job: /)
  })

  it('when it rolls back by itself', () => {
    const causes = installed(HELM3, [{ ...other, command: `${UPGRADE} --atomic` }])
    expect(causes.at(-2)).toMatch(
      /^H-14 began rollback of release rel to revision 1, because its upgrade failed: cannot patch "one"/,
    )
  })

  it('when it drops a Job', () => {
    const none = { command: UPGRADE, chart: chart({}) }
    expect(installed(HELM4, [none]).at(-1)).toBe('H-12 pruned Job <- Job shop/one')
  })

  it('when it uninstalls', () => {
    expect(installed(HELM4, [{ command: 'helm uninstall rel' }])).toEqual([
      'H-12 began uninstall of release rel, because somebody ran `helm uninstall rel`',
      'H-12 deleted Job <- Job shop/one',
    ])
  })

  it('when it puts back what is gone', () => {
    const later = { command: UPGRADE, at: 60 }
    expect(installed(HELM4, [later], { spec: 'ttlSecondsAfterFinished: 5' })).toEqual([
      `H-7 began upgrade of release rel, because somebody ran \`${UPGRADE}\``,
      'H-7 created Job <- Job shop/one',
    ])
  })

  it('when a release is pending still', () => {
    const slow = chart({ one: hookText('pre-install', { seconds: 60 }) })
    const typed = [
      { command: INSTALL, chart: slow, killAt: 5 },
      { command: UPGRADE, at: 10 },
    ]
    expect(told(session(HELM4, typed)).at(-1)).toBe(
      'H-15 failed: UPGRADE FAILED: another operation (install/upgrade/rollback) is in progress',
    )
  })
})

describe('Helm tells of hooks', () => {
  const hooks = (policy?: string): Typed['chart'] & object =>
    chart({
      one: hookText(
        'pre-install,pre-upgrade',
        policy === undefined ? {} : { annotations: { 'helm.sh/hook-delete-policy': policy } },
      ),
    })

  it('which event ran them, and that an old one made room', () => {
    const ran = session(HELM4, [{ command: INSTALL, chart: hooks() }, { command: UPGRADE }])
    expect(told(ran)).toEqual([
      `H-7 began install of release rel, because somebody ran \`${INSTALL}\``,
      'H-2 created Job <- Job shop/one',
      `H-7 began upgrade of release rel, because somebody ran \`${UPGRADE}\``,
      'H-3 deleted Job to replace it <- Job shop/one',
      'H-2 created Job <- Job shop/one',
    ])
    const events = ran.causes.flatMap(({ data }) => (data?.['hook'] === undefined ? [] : [data]))
    expect(events).toEqual([
      { hook: 'pre-install' },
      { hook: 'pre-upgrade' },
      { hook: 'pre-upgrade' },
    ])
  })

  it('that a succeeded one was deleted', () => {
    const ran = session(HELM4, [{ command: INSTALL, chart: hooks('hook-succeeded') }])
    expect(told(ran).at(-1)).toBe('H-4 deleted Job because it had succeeded <- Job shop/one')
  })

  it('that Helm 4 left an equal one as it was, so it did not run', () => {
    const ran = session(HELM4, [
      { command: INSTALL, chart: hooks('hook-failed') },
      { command: UPGRADE },
    ])
    expect(told(ran).at(-1)).toBe('H-3 left Job as it was <- Job shop/one')
    expect(ran.jobs).toHaveLength(1)
  })

  it('that Helm 3 is refused by one that is there', () => {
    const ran = session(HELM3, [
      { command: INSTALL, chart: hooks('hook-failed') },
      { command: UPGRADE },
    ])
    expect(told(ran).at(-2)).toBe(
      'H-2 refused Job: jobs.batch "one" already exists <- Job shop/one',
    )
  })
})
