import { describe, expect, it } from 'vitest'
import { context, made } from '../../../test/lint/subject.ts'
import type { JsonObject } from '../../core/json.ts'
import { shutdownCallDecidesResult } from './shutdown-call-decides-result.ts'

const CALL = 'curl -sf -XPOST http://localhost:15020/quitquitquit'

function judge(script: string, command: readonly string[] = ['sh', '-c'], spec: JsonObject = {}) {
  const containers = [{ name: 'task', command: [...command, script] }]
  const subject = made({ spec: { ...spec, template: { spec: { containers } } } })
  return shutdownCallDecidesResult.check?.(subject, context()) ?? []
}

describe('shutdown-call-decides-result', () => {
  it('counts how often the work is done', () => {
    const [finding] = judge(`load && ${CALL}`, ['sh', '-c'], { backoffLimit: 3 })
    expect(finding?.what).toBe(
      'the exit code depends on the shutdown call in container task of Job shop/migrate',
    )
    expect(finding?.why).toContain('up to 4 times')
    expect(judge(`load && ${CALL}`)[0]?.why).toContain('up to 7 times')
  })

  it.each([
    [`load; ${CALL}`, 'is lost'],
    [`load; ${CALL} || true`, 'is lost'],
    [`load; ${CALL}; exit 0`, 'is lost'],
    [`load && ${CALL} || true`, 'is lost'],
    [`load && (wget --post-data= http://localhost:4191/shutdown)`, 'depends on'],
    [`set -e\nload\n${CALL}`, 'depends on'],
    [`set -euo pipefail\nload\n${CALL} || true`, 'only after success'],
    [
      `until curl localhost:15021/healthz/ready; do sleep 1; done; load; pilot-agent request POST quitquitquit`,
      'is lost',
    ],
  ])('%j: the result %s', (script, words) => {
    expect(judge(script)[0]?.what).toContain(words)
  })

  it('looks at the flags of the shell too', () => {
    expect(judge(`load; ${CALL} || true`, ['bash', '-ec'])[0]?.what).toContain('only after success')
  })

  it.each([
    `load; rc=$?; ${CALL} || true; exit $rc`,
    `load; rc=$?\n${CALL}\nexit "$rc"`,
    `set -e; load || rc=$?; ${CALL} || true; exit \${rc:-0}`,
    `trap '${CALL}' EXIT; load`,
    CALL,
    `echo done; ${CALL}`,
    'load && notify',
    `load || ${CALL}`,
    `echo "${CALL}"; load`,
  ])('is silent for %j', (script) => {
    expect(judge(script)).toEqual([])
  })

  it('is silent for commands that are no shell', () => {
    expect(judge(CALL, ['linkerd-await', '--shutdown', '--'])).toEqual([])
  })
})
