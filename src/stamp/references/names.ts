import type { NamedKind } from '../../core/names.ts'
import { contentNameOf } from '../base.ts'
import { Fault } from '../../core/faults.ts'
import type { Target } from '../targets.ts'
import type { IsName, Mention } from './mention.ts'

/**
 * The names by which others may refer to the Jobs of the stream: the name that a Job has, its
 * name without the hash, the name that it was stamped with last, and the one it had before.
 */
export class NameIndex {
  private readonly byName = new Map<string, Target[]>()
  /** All names that may have to be followed. */
  readonly names: ReadonlySet<string>

  constructor(targets: readonly Target[]) {
    const names = new Set<string>()
    for (const target of targets) {
      // A patch is no Job of its own: it names the one that it changes.
      if (isPatch(target)) continue
      const isFollowed = target.choice.kind === 'stamp'
      const own = isFollowed ? namesOf(target) : [target.name]
      for (const name of new Set(own)) {
        if (name === undefined || name === '') continue
        if (isFollowed) names.add(name)
        const key = keyOf(target.kind, name)
        const before = this.byName.get(key)
        if (before === undefined) this.byName.set(key, [target])
        else before.push(target)
      }
    }
    this.names = names
  }

  readonly isName: IsName = (kind, name) => this.byName.has(keyOf(kind, name))

  /**
   * Whom a mention means: what has exactly this name comes before what had it or has it as its
   * base, then what stands in the same namespace, then what stands in the same file. More than one
   * where that leaves it open.
   */
  resolve(
    mention: Mention,
    from: { readonly file: number; readonly namespace: string | undefined },
  ): readonly Target[] {
    const name = mention.text.slice(mention.start, mention.end)
    const namespace = mention.namespace ?? from.namespace
    let left: readonly Target[] = (this.byName.get(keyOf(mention.kind, name)) ?? []).filter(
      (target) =>
        mention.namespace === undefined ||
        target.namespace === undefined ||
        target.namespace === mention.namespace,
    )
    for (const isCloser of [
      (target: Target) => target.name === name,
      (target: Target) => namespace !== undefined && target.namespace === namespace,
      (target: Target) => target.part.file === from.file,
    ]) {
      const closer = left.filter(isCloser)
      if (closer.length > 0) left = closer
    }
    return left
  }
}

/** True for a document that can only be a patch of a Job that stands elsewhere. */
export function isPatch({ choice }: Target): boolean {
  return choice.kind === 'leave' && choice.code === 'patch'
}

function namesOf(target: Target): readonly (string | undefined)[] {
  const { name, base, was, recorded } = target
  return [name, base, was?.name, recorded && lastName(target, recorded.digest)]
}

function lastName({ kind, manifest, base }: Target, digest: string): string | undefined {
  try {
    return contentNameOf(kind, manifest.object, base, digest)
  } catch (error) {
    if (error instanceof Fault) return undefined
    throw error
  }
}

function keyOf(kind: NamedKind, name: string): string {
  return `${kind}/${name}`
}
