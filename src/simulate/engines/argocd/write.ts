import type { Json, JsonObject } from '../../../core/json.ts'
import { equal } from '../../../cluster/fields/index.ts'
import type { KubeObject } from '../../../cluster/object.ts'
import { APPLICATIONS } from './application.ts'
import { NAMESPACE, type Engine } from './engine.ts'

/** Fields of status to set; undefined takes one away. */
export type StatusPart = { readonly [field: string]: Json | undefined }

/** Writes what differs, and nothing when nothing does: each write wakes whoever watches. */
export function change(
  engine: Engine,
  name: string,
  make: (object: KubeObject) => JsonObject,
): void {
  const stored = engine.io.read.get(APPLICATIONS, NAMESPACE, name)
  if (stored === undefined) return
  const body = without(make(stored))
  if (equal(body, stored)) return
  engine.io.request({
    verb: 'update',
    resource: APPLICATIONS,
    namespace: NAMESPACE,
    name,
    body,
    options: { fieldManager: 'argocd-controller' },
  })
}

function without(part: StatusPart): JsonObject {
  return Object.fromEntries(Object.entries(part).filter(([, value]) => value !== undefined))
}
