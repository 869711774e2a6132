import type { Instant } from '../time.ts'

/**
 * What happens to images outside of the cluster, known beforehand: so a copied cluster sees the same.
 * An image that is never named here is there from the start, and nobody knows its content.
 */
export type RegistryChange =
  /** One host, or all of them, cannot be reached. */
  | { readonly do: 'outage'; readonly at: Instant; readonly until: Instant; readonly host?: string }
  /** The tag names this content from now on: `sha256:...`, or any name that a script knows. */
  | {
      readonly do: 'push'
      readonly at: Instant
      readonly image: string
      readonly digest: string
    }
  /** The image is not there any more, or, from the start, not yet. */
  | { readonly do: 'remove'; readonly at: Instant; readonly image: string }

/** Where nodes get images from. */
export interface Registry {
  find(image: string, at: Instant): Found
  /** The first instant from `at` on in which `find` finds it; undefined when none is known. */
  foundFrom(image: string, at: Instant): Instant | undefined
}

export type Found =
  | { readonly fault?: undefined; readonly digest?: string }
  | { readonly fault: 'unreachable' | 'missing' }

export function registry(changes: readonly RegistryChange[]): Registry {
  const inOrder = changes.toSorted((one, other) => one.at - other.at)
  const find = (image: string, at: Instant): Found => {
    const host = hostOf(image)
    const isDown = inOrder.some(
      (one) =>
        one.do === 'outage' &&
        one.at <= at &&
        at < one.until &&
        (one.host === undefined || one.host === host),
    )
    if (isDown) return { fault: 'unreachable' }
    const last = inOrder.findLast(
      (one) => one.do !== 'outage' && one.at <= at && isSameImage(one.image, image),
    )
    if (last?.do === 'remove') return { fault: 'missing' }
    const digest = pinOf(image) ?? (last?.do === 'push' ? last.digest : undefined)
    return digest === undefined ? {} : { digest }
  }
  return {
    find,
    foundFrom(image, at) {
      const ends = inOrder.map((one) => (one.do === 'outage' ? one.until : one.at))
      const later = ends
        .filter((end) => end > at && Number.isFinite(end))
        .sort((one, other) => one - other)
      return [at, ...later].find((instant) => find(image, instant).fault === undefined)
    },
  }
}

export function pinOf(image: string): string | undefined {
  const pin = image.indexOf('@')
  return pin < 0 ? undefined : image.slice(pin + 1)
}

/** `registry.example.test` of `registry.example.test/team/app:1`. */
export function hostOf(image: string): string {
  const [first = '', ...rest] = image.split('/')
  const isHost = rest.length > 0 && (/[.:]/.test(first) || first === 'localhost')
  return isHost ? first : 'docker.io'
}

function isSameImage(one: string, other: string): boolean {
  return one === other || withTag(one) === withTag(other)
}

/** Without tag and digest it is `latest`. */
function withTag(image: string): string {
  return /[:@][^/]*$/.test(image) ? image : `${image}:latest`
}
