import { describe, expect, it } from 'vitest'
import { application } from '../../test/engines/objects.ts'
import type { JsonObject } from '../core/json.ts'
import { argocd } from './argocd.ts'

describe('settings of an Application', () => {
  const values = (carrier: JsonObject): object =>
    Object.fromEntries(argocd.settings(carrier).map(({ name, value }) => [name, value]))

  it('lists the policy and each sync option with its place', () => {
    const carrier = application({
      automated: { prune: true },
      syncOptions: ['ApplyOutOfSyncOnly=true', 'PruneLast=true'],
    })
    expect(values(carrier)).toEqual({
      automated: 'true',
      prune: 'true',
      selfHeal: 'false',
      allowEmpty: 'false',
      'retry.limit': '5',
      'retry.refresh': 'false',
      ApplyOutOfSyncOnly: 'true',
      PruneLast: 'true',
    })
    expect(argocd.settings(carrier)).toContainEqual({
      name: 'PruneLast',
      value: 'true',
      path: ['spec', 'syncPolicy', 'syncOptions', 1],
    })
  })

  it('says that a sync by hand is not retried', () => {
    expect(values(application())).toMatchObject({ automated: 'false', 'retry.limit': '0' })
  })

  it('finds the settings of an ApplicationSet below its template', () => {
    const carrier = {
      kind: 'ApplicationSet',
      spec: { template: { spec: { syncPolicy: { automated: { selfHeal: true } } } } },
    }
    expect(argocd.settings(carrier)).toContainEqual({
      name: 'selfHeal',
      value: 'true',
      path: ['spec', 'template', 'spec', 'syncPolicy', 'automated', 'selfHeal'],
    })
  })
})
