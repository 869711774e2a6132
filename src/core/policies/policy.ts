import type { JsonObject } from '../json.ts'

export type PolicyId = 'intent' | 'adr-012'

/** Names of ConfigMaps and the sha256 of their data; see `configDigest`. */
export type ConfigDigests = Readonly<Record<string, string>>

/** What a Job's hash covers. The same id always covers the same; a change needs another id. */
export interface Policy {
  readonly id: PolicyId
  /** First line of what is hashed, so that no two policies can meet in one digest. */
  readonly domain: string
  cover(kind: 'Job' | 'CronJob', spec: JsonObject, config: ConfigDigests): JsonObject
}

/** The member of the covered value for ConfigMaps, or nothing where there are none. */
export function configMember(config: ConfigDigests): JsonObject {
  return Object.keys(config).length === 0 ? {} : { config }
}
