import { objectAt, stringAt, type Json, type JsonObject } from '../../../core/json.ts'
import { equal } from '../../../cluster/fields/index.ts'
import type { KubeObject } from '../../../cluster/object.ts'
import { APPLICATIONS } from './application.ts'
import { NAMESPACE, type Engine } from './engine.ts'
import { comparedText } from './ticks.ts'

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
  const body = caughtUp(engine, name, without(make(stored)))
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

/** With the time of a comparison that was not written when it was made. */
function caughtUp(engine: Engine, name: string, body: JsonObject): JsonObject {
  const memory = engine.app(name)
  if (memory.compared === undefined) return body
  const reconciledAt = comparedText(engine, name)
  memory.compared = undefined
  const status = objectAt(body, ['status'])
  const written = stringAt(status, ['reconciledAt'])
  if (reconciledAt === undefined || (written !== undefined && written >= reconciledAt)) return body
  return { ...body, status: { ...status, reconciledAt } }
}

function without(part: StatusPart): JsonObject {
  return Object.fromEntries(Object.entries(part).filter(([, value]) => value !== undefined))
}
