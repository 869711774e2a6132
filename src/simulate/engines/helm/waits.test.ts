import { describe, expect, it } from 'vitest'
import { chart, HELM3, HELM4, jobText, session } from './testing.ts'

const INSTALL = 'helm install rel demo'

describe('waiting for Jobs (H-13)', () => {
  const slow = chart({ j: jobText({ seconds: 7 }) })
  const bad = chart({ j: jobText({ exit: 1, seconds: 3 }) })

  it.each([HELM3, HELM4])('is not done with --wait alone: Helm $major', (version) => {
    const { answers } = session(version, [{ command: `${INSTALL} --wait`, chart: slow }])
    expect(answers[0]).toMatchObject({ exit: 0, seconds: 0 })
  })

  it('is a look every 2 s in Helm 3 and a watch in Helm 4 (helm/015)', () => {
    const command = { command: `${INSTALL} --wait --wait-for-jobs`, chart: slow }
    expect(session(HELM3, [command]).answers[0]?.seconds).toBe(8)
    expect(session(HELM4, [command]).answers[0]?.seconds).toBe(7)
  })

  it('does not see a failure in Helm 3, and does in Helm 4 (helm/015)', () => {
    const command = { command: `${INSTALL} --wait --wait-for-jobs --timeout 15s`, chart: bad }
    expect(session(HELM3, [command]).answers[0]).toEqual({
      kind: 'ended',
      exit: 1,
      seconds: 15,
      output: 'Error: INSTALLATION FAILED: context deadline exceeded',
    })
    expect(session(HELM4, [command]).answers[0]?.seconds).toBe(3)
  })

  it('reports a failure only when the others have ended in Helm 4 (helm/034)', () => {
    const two = chart({
      j: jobText({ name: 'bad', exit: 1 }),
      k: jobText({ name: 'slow', seconds: 9 }),
    })
    const command = { command: `${INSTALL} --wait --wait-for-jobs`, chart: two }
    expect(session(HELM4, [command]).answers[0]).toMatchObject({ exit: 1, seconds: 9 })
  })

  it('misses a Job that its TTL took in Helm 3, and sees its end in Helm 4 (helm/016)', () => {
    const gone = chart({ j: jobText({ spec: 'ttlSecondsAfterFinished: 0' }) })
    const command = { command: `${INSTALL} --wait --wait-for-jobs`, chart: gone }
    expect(session(HELM3, [command]).answers[0]?.output).toBe(
      'Error: INSTALLATION FAILED: jobs.batch "one" not found',
    )
    expect(session(HELM4, [command]).answers[0]?.exit).toBe(0)
  })

  it('takes a suspended Job for started in Helm 3 and not in Helm 4 (helm/034)', () => {
    const paused = chart({ j: jobText({ spec: 'suspend: true' }) })
    const command = { command: `${INSTALL} --wait --timeout 8s`, chart: paused }
    expect(session(HELM3, [command]).answers[0]).toMatchObject({ exit: 0, seconds: 0 })
    expect(session(HELM4, [command]).answers[0]).toMatchObject({ exit: 1, seconds: 8 })
  })
})
