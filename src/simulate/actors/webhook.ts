import type { Admitted } from '../../cluster/api/admission.ts'

export const ALLOWED: Admitted = { allowed: true }

/** What the API server says when nobody answers at a webhook whose failurePolicy is Fail. */
export function unanswered(webhook: string, service: string): Admitted {
  const message =
    `Internal error occurred: failed calling webhook "${webhook}": failed to call webhook: ` +
    `no endpoints available for service "${service}"`
  return { allowed: false, code: 500, reason: 'InternalError', message }
}

export function denied(webhook: string, why: string): Admitted {
  const message = `admission webhook "${webhook}" denied the request: ${why}`
  return { allowed: false, code: 403, reason: 'Forbidden', message }
}
