import type { KubeObject } from '../../cluster/object.ts'
import { canonicalJson } from '../../core/canonical-json.ts'
import { objectAt, type Json, type JsonObject } from '../../core/json.ts'

/**
 * What tells the work of two Jobs of one name apart: their pod template, without the labels that
 * the server adds for each object.
 */
export function workOf(job: KubeObject): string {
  const template = objectAt(job, ['spec', 'template']) ?? {}
  const known = TEXTS.get(template)
  if (known !== undefined) return known
  const { labels, ...metadata } = objectAt(template, ['metadata']) ?? {}
  const own: [string, Json | undefined][] = Object.entries((labels ?? {}) as JsonObject)
  const kept = Object.fromEntries(own.filter(([key]) => !ADDED.has(key)))
  const text = canonicalJson({ ...template, metadata: { ...metadata, labels: kept } })
  TEXTS.set(template, text)
  return text
}

/** Objects are never changed in place. */
const TEXTS = new WeakMap<JsonObject, string>()

const ADDED: ReadonlySet<string> = new Set([
  'controller-uid',
  'job-name',
  'batch.kubernetes.io/controller-uid',
  'batch.kubernetes.io/job-name',
])
