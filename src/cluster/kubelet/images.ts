import type { CowMap } from '../api/cow-map.ts'
import type { Instant } from '../time.ts'
import type { Piece, Pulled } from './piece.ts'
import { hostOf, pinOf, type Registry } from './registry.ts'

/** Images of the node, by the name under which they were pulled, with their content (or ''). */
export type NodeImages = CowMap<string, string>

/**
 * What a container that starts now gets (K-94): under `Always` the content that the tag names now,
 * which the registry has to tell; else what the node has, and the registry is asked only for what it
 * has not. A pull that fails is tried again 10, 20, 40 ... 300 s after the last try.
 */
export function pullImage(
  { image, pullPolicy = 'IfNotPresent' }: Piece,
  at: Instant,
  from: { readonly images: NodeImages; readonly registry: Registry },
): Pulled {
  const { images, registry } = from
  const present = images.get(image)
  if (present !== undefined && pullPolicy !== 'Always') return contentOf(present)
  if (pullPolicy === 'Never') {
    const message = `Container image "${image}" is not present with pull policy of Never`
    return { reason: 'ErrImageNeverPull', message }
  }
  const found = registry.find(image, at)
  if (found.fault === undefined) {
    images.set(image, found.digest ?? '')
    return contentOf(found.digest ?? '')
  }
  const message = `Back-off pulling image "${image}": ErrImagePull: ${faultText(image, found.fault)}`
  const until = nextTry(image, at, registry)
  return { reason: 'ImagePullBackOff', message, ...(until === undefined ? {} : { until }) }
}

function contentOf(digest: string): Pulled {
  return digest === '' ? {} : { digest }
}

/** The first try that the registry can answer; undefined when none is known. */
function nextTry(image: string, failedAt: Instant, registry: Registry): Instant | undefined {
  let from = registry.foundFrom(image, failedAt)
  let delay = FIRST_PAUSE_MS
  let attempt = failedAt + delay
  while (from !== undefined) {
    while (attempt < from) {
      delay = Math.min(delay * 2, LONGEST_PAUSE_MS)
      const missing = from - attempt
      // Once the pause stays the same, tries that cannot succeed are left out.
      const skipped = delay < LONGEST_PAUSE_MS ? 1 : Math.max(1, Math.ceil(missing / delay))
      attempt += delay * skipped
    }
    if (registry.find(image, attempt).fault === undefined) return attempt
    from = registry.foundFrom(image, attempt)
  }
  return undefined
}

const FIRST_PAUSE_MS = 10_000
const LONGEST_PAUSE_MS = 300_000

function faultText(image: string, fault: 'unreachable' | 'missing'): string {
  const start = `failed to pull and unpack image "${image}": failed to resolve reference "${image}"`
  if (fault === 'missing') {
    return `rpc error: code = NotFound desc = ${start}: ${image}: not found`
  }
  const reference = pinOf(image) ?? /:([^/:@]+)$/.exec(image)?.[1] ?? 'latest'
  const path = image.replace(/@.*$/, '').replace(/:[^/:]+$/, '')
  const host = hostOf(image)
  const repository = path.startsWith(`${host}/`) ? path.slice(host.length + 1) : path
  const url = `https://${host}/v2/${repository}/manifests/${reference}`
  return `${start}: failed to do request: Head "${url}": connect: connection refused`
}
