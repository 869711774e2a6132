import type { KubeObject } from '../object.ts'
import type { Call, Host, Result } from './host.ts'
import { apiVersionOf } from './registry.ts'
import { notFound, type Refusal } from './status.ts'
import { parseLabelSelector } from './selectors.ts'

export function get(host: Host, { request, kind }: Call): Result | Refusal {
  const name = request.name ?? ''
  const found = host.store.get(kind, request.namespace, name)
  return found === undefined ? notFound(kind, name) : { code: 200, body: found }
}

export function list(host: Host, { request, kind }: Call): Result | Refusal {
  const matches = parseLabelSelector(request.options?.labelSelector ?? '')
  let items: readonly KubeObject[] = host.store.list(kind, request.namespace)
  items = items.filter((item) => matches(item.metadata.labels ?? {}))
  return {
    code: 200,
    body: {
      apiVersion: apiVersionOf(kind),
      kind: `${kind.kind}List`,
      metadata: { resourceVersion: String(host.store.version) },
      items,
    },
  }
}
