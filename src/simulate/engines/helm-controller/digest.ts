import { canonicalJson } from '../../../core/canonical-json.ts'
import { sha256Hex } from '../../../core/hash.ts'
import type { Json } from '../../../core/json.ts'
import type { Release } from '../helm/contract.ts'
import type { Snapshot } from './history.ts'

export function digestOf(value: Json): string {
  return `sha256:${sha256Hex(canonicalJson(value))}`
}

/** Of all that is stored: whoever writes the release in between is noticed by it (R-1 Unmanaged). */
export function releaseDigest(release: Release): string {
  const known = DIGESTS.get(release)
  if (known !== undefined) return known
  const digest = digestOf(release as unknown as Json)
  DIGESTS.set(release, digest)
  return digest
}

/** A release that was read is never changed, and is looked at again and again. */
const DIGESTS = new WeakMap<Release, string>()

/** A stored release as `status.history` keeps it. */
export function snapshotOfRelease(release: Release, ociDigest: string): Snapshot {
  const { name, namespace, version, status } = release
  const { name: chartName, version: chartVersion } = release.chart
  return {
    name,
    namespace,
    version,
    status,
    chartName: typeof chartName === 'string' ? chartName : '',
    chartVersion: typeof chartVersion === 'string' ? chartVersion : '',
    configDigest: digestOf(release.config),
    digest: releaseDigest(release),
    ociDigest,
  }
}
