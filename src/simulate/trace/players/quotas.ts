import { stringAt, type JsonObject } from '../../../core/json.ts'
import type { Trace } from '../format.ts'

/**
 * ResourceQuotas that stood there before the recording began: no file holds them, but refused
 * requests name them (`exceeded quota: q, requested: pods=1, used: pods=0, limited: pods=0`).
 */
export function quotasOf(trace: Trace): readonly JsonObject[] {
  const hard = new Map<string, { [resource: string]: string }>()
  for (const request of trace.observed.requests ?? []) {
    const message = stringAt(request, ['message']) ?? ''
    const [, name, limited] =
      /exceeded quota: (\S+), requested: .*, limited: (.+)$/.exec(message) ?? []
    if (name === undefined || limited === undefined || isDeclared(trace, name)) continue
    const limits = hard.get(name) ?? {}
    hard.set(name, limits)
    for (const part of limited.split(',')) {
      const [resource = '', amount = ''] = part.split('=')
      limits[resource] = amount
    }
  }
  return [...hard].map(([name, limits]) => ({
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name },
    spec: { hard: limits },
  }))
}

function isDeclared(trace: Trace, name: string): boolean {
  return Object.values(trace.files).some((texts) =>
    (typeof texts === 'string' ? [texts] : Object.values(texts)).some(
      (text) => text.includes('kind: ResourceQuota') && text.includes(`name: ${name}`),
    ),
  )
}
