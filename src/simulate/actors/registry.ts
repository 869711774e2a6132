import { sha256Hex } from '../../core/hash.ts'
import type { Instant } from '../../cluster/time.ts'
import { imageOf } from './image.ts'

/**
 * An image registry as a function of time, so that whoever polls it can be told when the next look
 * will find something else, and idle looks cost nothing.
 */
export interface Registry {
  /** The tags of a repository at an instant; undefined: nobody answers. */
  tags(repository: string, at: Instant): readonly Tag[] | undefined
  /** The first instant after `after` at which the answer may be another one. */
  nextChange(repository: string, after: Instant): Instant | undefined
}

export interface Tag {
  readonly name: string
  /** Of the index: `sha256:…`. */
  readonly digest: string
  readonly pushedAt: Instant
}

/** A tag comes, or moves to another digest, or goes. */
export interface Push {
  readonly at: Instant
  /** `registry.example.test/shop/migrate:1.2`. */
  readonly image: string
  /** Left out: a digest of its own for this push. */
  readonly digest?: string
  readonly isRemoval?: true
}

export interface Outage {
  readonly from: Instant
  /** Half open. */
  readonly until: Instant
}

export function registryOf(pushes: readonly Push[], outages: readonly Outage[] = []): Registry {
  const byRepository = new Map<string, Push[]>()
  for (const push of [...pushes].sort((one, other) => one.at - other.at)) {
    const { repository } = imageOf(push.image)
    byRepository.set(repository, [...(byRepository.get(repository) ?? []), push])
  }
  return {
    tags(repository, at) {
      if (outages.some(({ from, until }) => from <= at && at < until)) return undefined
      const tags = new Map<string, Tag>()
      for (const push of byRepository.get(repository) ?? []) {
        if (push.at > at) break
        const { tag = 'latest' } = imageOf(push.image)
        if (push.isRemoval === true) tags.delete(tag)
        else tags.set(tag, { name: tag, digest: digestOf(push), pushedAt: push.at })
      }
      return [...tags.values()]
    },
    nextChange(repository, after) {
      const changes = [
        ...(byRepository.get(repository) ?? []).map(({ at }) => at),
        ...outages.map(({ until }) => until),
      ].filter((at) => at > after)
      return changes.length === 0 ? undefined : Math.min(...changes)
    },
  }
}

function digestOf({ digest, image, at }: Push): string {
  return digest ?? `sha256:${sha256Hex(`${image} ${at}`)}`
}
