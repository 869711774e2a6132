import type { JsonObject } from '../../src/core/json.ts'
import type { Engine, Surroundings, Traits } from '../../src/engines/engine.ts'

/** The Job `shop/migrate` with these annotations and fields of its spec. */
export function job(
  annotations: JsonObject = {},
  spec: JsonObject = {},
  labels: JsonObject = {},
): JsonObject {
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'migrate', namespace: 'shop', annotations, labels },
    spec,
  }
}

export function cronJob(annotations: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: 'backup', namespace: 'shop', annotations },
    spec: { schedule: '0 2 * * *' },
  }
}

/** An Argo CD Application with this sync policy and these other fields of its spec. */
export function application(syncPolicy?: JsonObject, spec: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: 'shop', namespace: 'argocd' },
    spec: { ...spec, ...(syncPolicy === undefined ? {} : { syncPolicy }) },
  }
}

/** One line of a table: what a carrier and an object make of an engine's answer. */
export interface Row {
  /** A sentence, with the rule or the trace that it comes from. */
  readonly says: string
  readonly carrier?: JsonObject | undefined
  readonly object?: JsonObject
  readonly surroundings?: Surroundings
  /** The part of the answer that the line is about; undefined stands for left out. */
  readonly expect: Partial<Record<keyof Traits, unknown>>
}

/** The answer, cut down to what the row speaks of, so that a table can be compared whole. */
export function answer(engine: Engine, row: Row): Partial<Record<keyof Traits, unknown>> {
  const traits = engine.traits(row.carrier, row.object ?? job(), row.surroundings)
  const keys = Object.keys(row.expect) as (keyof Traits)[]
  return Object.fromEntries(keys.map((key) => [key, traits[key]]))
}
