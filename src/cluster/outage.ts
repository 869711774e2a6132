import type { Answer } from './api/request.ts'

/**
 * What a client has in hand when nobody listens at the API server's address. There is no answer of a
 * server then; as everybody retries both alike, it has the form of `503 Service Unavailable`.
 */
export const CONNECTION_REFUSED: Answer = {
  code: 503,
  body: {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: 'dial tcp 10.96.0.1:443: connect: connection refused',
    reason: 'ServiceUnavailable',
    code: 503,
  },
  warnings: [],
}

export function isRefusedConnection(answer: Answer): boolean {
  return answer === CONNECTION_REFUSED
}
