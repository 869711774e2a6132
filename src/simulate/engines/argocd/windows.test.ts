import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../core/json.ts'
import type { KubeObject } from '../../../cluster/object.ts'
import { readApp } from './application.ts'
import { isBlocked } from './windows.ts'

const base = {
  name: 'shop',
  uid: 'u',
  resourceVersion: '1',
  creationTimestamp: '2026-01-01T00:00:00Z',
}
const app = readApp({ apiVersion: 'argoproj.io/v1alpha1', kind: 'Application', metadata: base })
const night = { schedule: '0 22 * * *', duration: '8h', applications: ['*'] }

function blocked(windows: JsonObject[], time: string, isManual = false): boolean {
  const project = { kind: 'AppProject', metadata: base, spec: { syncWindows: windows } }
  return isBlocked(project as unknown as KubeObject, app, { isManual, now: Date.parse(time) })
}

describe('sync windows (A-8)', () => {
  it.each([
    ['before it', '2026-01-01T21:59:59Z', false],
    ['at its start', '2026-01-01T22:00:00Z', true],
    ['after midnight', '2026-01-02T05:59:59Z', true],
    ['at its end', '2026-01-02T06:00:00Z', false],
  ])('a deny window forbids syncs while it is open: %s', (_when, time, isDenied) => {
    expect(blocked([{ ...night, kind: 'deny' }], time)).toBe(isDenied)
    expect(blocked([{ ...night, kind: 'allow' }], time)).toBe(!isDenied)
  })

  it('lets people through only where manualSync is on', () => {
    const time = '2026-01-01T23:00:00Z'
    expect(blocked([{ ...night, kind: 'deny' }], time, true)).toBe(true)
    expect(blocked([{ ...night, kind: 'deny', manualSync: true }], time, true)).toBe(false)
    expect(blocked([{ ...night, kind: 'deny', manualSync: true }], time)).toBe(true)
  })

  it('says nothing of other applications, and without windows nothing is forbidden', () => {
    const time = '2026-01-01T23:00:00Z'
    expect(blocked([{ ...night, kind: 'deny', applications: ['other'] }], time)).toBe(false)
    expect(blocked([], time)).toBe(false)
  })
})
