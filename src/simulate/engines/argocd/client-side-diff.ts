import type { JsonObject } from '../../../core/json.ts'
import { lastAppliedOf } from '../../../cluster/clients/kubectl/last-applied.ts'
import { threeWayPatch } from '../../../cluster/clients/kubectl/three-way.ts'
import { equal, fields, typeOf } from '../../../cluster/fields/index.ts'
import type { KubeObject } from '../../../cluster/object.ts'
import type { App } from './application.ts'
import type { Engine } from './engine.ts'
import { withoutIgnored } from './ignore.ts'

/** What a client-side apply would change, defaults and spelling aside. */
export function clientSideDiffers(
  engine: Engine,
  app: App,
  target: JsonObject,
  live: KubeObject,
): boolean {
  const shown = withoutIgnored(live, app) as KubeObject
  const wanted = withoutIgnored(target, app)
  const kind = engine.kindOf(live)
  const type = kind?.type === undefined ? undefined : typeOf(kind.type)
  const original = lastAppliedOf(live)
  const before = original === undefined ? undefined : withoutIgnored(original, app)
  const patch = threeWayPatch(before, wanted, shown, type)
  if (Object.keys(patch).length === 0) return false
  if (type === undefined) return true
  const patched = fields.strategicMergePatch(shown, patch, type)
  if ('code' in patched && typeof patched['code'] === 'number') return true
  const decoded = fields.decode(patched as JsonObject, type)
  return 'message' in decoded || !equal(decoded.object, shown)
}

/** Whether the diff of both with `target` comes out alike: what Git does not say has no part in it. */
export function isSameForDiff(one: KubeObject, other: KubeObject, target: JsonObject): boolean {
  if (one === other) return true
  if (target['status'] !== undefined) return false
  const { metadata: m, status: _s, ...before } = one
  const { metadata: n, status: _t, ...after } = other
  return (
    m.uid === n.uid &&
    equal(m.labels, n.labels) &&
    equal(m.annotations, n.annotations) &&
    equal(m.finalizers, n.finalizers) &&
    equal(m.ownerReferences, n.ownerReferences) &&
    equal(before, after)
  )
}
