import { Fault } from '../core/faults.ts'
import type { ConfigDigests, Fingerprint } from '../core/fingerprint.ts'
import { isObject, type JsonObject } from '../core/json.ts'
import { annotationPlace, labelOf, namePlace, nameTarget, type Target } from './targets.ts'
import { FOLLOW } from './annotations.ts'
import type { ConfigIndex } from './configs.ts'
import { inputsOf, type FollowProblem } from './follow.ts'
import { inOrder } from './order.ts'
import type { Reference } from './references/collect.ts'
import type { StampFault, StampOptions } from './stamp-types.ts'
import { withParts, withValue, type Replacement } from './values.ts'

/** The name of a stamped Job, and what it was made from. */
export interface Decision {
  readonly target: Target
  readonly name: string
  /** The object with the new names of the Jobs that it refers to. */
  readonly content: JsonObject
  readonly fingerprint: Fingerprint
  readonly inputs: ConfigDigests
  readonly was: 'none' | 'kept' | 'spent'
}

export interface Decisions {
  readonly byTarget: ReadonlyMap<Target, Decision>
  /** What is to be done about each reference whose text is not right yet. */
  readonly verdicts: ReadonlyMap<Reference, Verdict>
  readonly faults: readonly StampFault[]
}

/** rewrite: to this name. doubt: a person has to look, and why. right: nothing to do. */
export type Verdict =
  | { readonly kind: 'right' }
  | { readonly kind: 'rewrite'; readonly name: string }
  | { readonly kind: 'doubt'; readonly why: string; readonly target: Target; readonly name: string }

/**
 * Names one Job after the other: a Job that waits for another one has the other's name in its
 * content, so it is named later.
 */
export function decide(
  targets: readonly Target[],
  references: readonly Reference[],
  configs: ConfigIndex,
  options: StampOptions,
): Decisions {
  return new Decider(references, configs, options).run(targets)
}

class Decider implements Decisions {
  readonly byTarget = new Map<Target, Decision>()
  readonly verdicts = new Map<Reference, Verdict>()
  readonly faults: StampFault[] = []
  private readonly references: readonly Reference[]
  private readonly configs: ConfigIndex
  private readonly options: StampOptions
  private readonly inside = new Map<Target, Reference[]>()
  private circleOf: ReadonlyMap<Target, number> = new Map()

  constructor(references: readonly Reference[], configs: ConfigIndex, options: StampOptions) {
    this.references = references
    this.configs = configs
    this.options = options
    for (const reference of references) {
      if (reference.within === undefined) continue
      const before = this.inside.get(reference.within)
      if (before === undefined) this.inside.set(reference.within, [reference])
      else before.push(reference)
    }
  }

  run(targets: readonly Target[]): this {
    const stamped = targets.filter(({ choice }) => choice.kind === 'stamp')
    const { order, circleOf } = inOrder(stamped, (target) => this.dependencies(target))
    this.circleOf = circleOf
    for (const target of order) this.decideOne(target)
    for (const reference of this.references) {
      if (!this.verdicts.has(reference)) this.verdicts.set(reference, this.verdictOf(reference))
    }
    return this
  }

  private dependencies(target: Target): readonly Target[] {
    return (this.inside.get(target) ?? []).flatMap(({ mention, targets }) =>
      mention.doubt === undefined ? targets.filter(({ choice }) => choice.kind === 'stamp') : [],
    )
  }

  private decideOne(target: Target): void {
    const { digests, problems } = inputsOf(
      target.manifest.object,
      this.configs.findFor(target),
      this.options.secretKey,
    )
    for (const problem of problems) this.faults.push(followFault(target, problem))
    const content = this.rewritten(target)
    try {
      const named = nameTarget(target, content, digests)
      this.byTarget.set(target, { target, content, inputs: digests, ...named })
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      const { code, message, why, remedy } = error
      const place = namePlace(target)
      this.faults.push({ code, place, object: labelOf(target), what: message, why, remedy })
    }
  }

  /** The Job with the new names of those that it refers to: that is its content. */
  private rewritten(target: Target): JsonObject {
    const { object, root } = target.manifest
    const parts = new Map<string, { reference: Reference; replacements: Replacement[] }>()
    for (const reference of this.inside.get(target) ?? []) {
      // What is in doubt is not rewritten, and is judged when all names are known.
      if (reference.mention.doubt !== undefined || this.circleDoubt(reference) !== undefined) {
        continue
      }
      const verdict = this.verdictOf(reference)
      this.verdicts.set(reference, verdict)
      if (verdict.kind !== 'rewrite') continue
      const { path, start, end } = reference.mention
      const key = JSON.stringify(path)
      const entry = parts.get(key) ?? { reference, replacements: [] }
      entry.replacements.push({ start, end, text: verdict.name })
      parts.set(key, entry)
    }
    let value: JsonObject = object
    for (const { reference, replacements } of parts.values()) {
      const { path, text } = reference.mention
      const changed = withValue(value, path.slice(root.length), withParts(text, replacements))
      if (isObject(changed)) value = changed
    }
    return value
  }

  private verdictOf(reference: Reference): Verdict {
    const { mention, targets, reading } = reference
    const text = mention.text.slice(mention.start, mention.end)
    const names = new Set(targets.map((target) => this.nameOf(target)))
    const [first] = targets
    const [name] = names
    if (first === undefined || name === undefined) return { kind: 'right' }
    if (names.size === 1 && name === text) return { kind: 'right' }
    const doubt = (why: string): Verdict => ({ kind: 'doubt', why, target: first, name })
    if (names.size > 1) return doubt('several Jobs have this name, and their new names differ')
    if (mention.doubt !== undefined) return doubt(mention.doubt)
    if (reading.template !== undefined) return doubt('it stands in a template')
    const circle = this.circleDoubt(reference)
    return circle === undefined ? { kind: 'rewrite', name } : doubt(circle)
  }

  /** A name cannot be part of what it is made from, so such a place is never rewritten. */
  private circleDoubt({ within, targets, mention }: Reference): string | undefined {
    if (within === undefined || mention.doubt !== undefined) return undefined
    if (targets.includes(within)) {
      return 'the Job names itself, and its name is made from its content'
    }
    const circle = this.circleOf.get(within)
    return targets.some((target) => this.circleOf.get(target) === circle)
      ? 'the Jobs name each other, and each name is made from the other'
      : undefined
  }

  /** As it will be; of a Job that is left alone as it is. */
  private nameOf(target: Target): string | undefined {
    return target.choice.kind === 'leave' ? target.name : this.byTarget.get(target)?.name
  }
}

function followFault(target: Target, problem: FollowProblem): StampFault {
  const base = { place: annotationPlace(target, FOLLOW), object: labelOf(target) }
  if (problem.kind === 'syntax') {
    return {
      ...base,
      code: 'STAMP_INVALID',
      what: `${FOLLOW} is '${problem.text}'`,
      why: 'it is a list of ConfigMap/NAME, Secret/NAME, ConfigMap/*, Secret/* and all, with commas between',
      remedy: 'correct the list; a ? behind an entry says that it may be missing',
    }
  }
  const { kind, name } = problem.object
  if (problem.kind === 'open-secret') {
    return {
      ...base,
      code: 'FOLLOW_SECRET_OPEN',
      what: `it follows Secret/${name}, for which there is neither a key nor a version`,
      why: 'a plain digest of its data in the name would let anybody who reads the Job test guesses',
      remedy: `write semel.dev/version on the Secret and change it with the content, or give a key`,
    }
  }
  if (problem.kind === 'twice') {
    return {
      ...base,
      code: 'FOLLOW_NOT_FOUND',
      what: `it follows ${kind}/${name}, which stands more than once with different content`,
      why: 'only one of them is what the Job will read',
      remedy: 'stamp the objects of one environment at a time, or write the namespaces on them',
    }
  }
  return {
    ...base,
    code: 'FOLLOW_NOT_FOUND',
    what: `it follows ${kind}/${name}, which is not in the stream`,
    why: 'its content cannot become part of the name, so a change of it would not be noticed',
    remedy: `add the ${kind} to the stream, or write ${kind}/${name}? if it may be missing`,
  }
}
