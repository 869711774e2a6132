import { parsePattern, type Class, type Part } from './regexp-parser.ts'

/**
 * Regular expressions as Go's RE2 has them: leftmost match, alternatives in order, and time that
 * grows with the text only, so that a pattern of somebody else cannot hang.
 */
export interface Pattern {
  readonly groups: number
  readonly names: readonly (string | undefined)[]
  /** Positions of the match and its groups, -1 where a group took no part. */
  match(signs: readonly string[], from: number): readonly number[] | undefined
}

type Step =
  | { readonly do: 'sign'; readonly set: Class }
  | { readonly do: 'split'; readonly first: number; readonly second: number }
  | { readonly do: 'jump'; readonly to: number }
  | { readonly do: 'save'; readonly slot: number }
  | { readonly do: 'at'; readonly place: string }
  | { readonly do: 'match' }

const MOST_STEPS = 20_000
/** Threads that all matches of one pattern may take. */
const MOST_WORK = 5_000_000

export function compile(pattern: string): Pattern {
  if (pattern.length > 1000) throw new Error('the pattern is longer than 1000 letters')
  const { part, groups, names } = parsePattern(pattern)
  const steps: Step[] = []
  emit(part, steps)
  steps.push({ do: 'match' })
  let work = 0
  const spend = (threads: number): void => {
    work += threads
    if (work > MOST_WORK) {
      throw new Error(`the pattern ${JSON.stringify(pattern)} takes too long on this text`)
    }
  }
  return {
    groups,
    names,
    match: (signs, from) => run(steps, (groups + 1) * 2, { signs, from, spend }),
  }
}

function emit(part: Part, steps: Step[]): void {
  if (steps.length > MOST_STEPS) throw new Error('expression nests or repeats too much')
  switch (part.kind) {
    case 'empty':
      return
    case 'set':
      steps.push({ do: 'sign', set: part.set })
      return
    case 'at':
      steps.push({ do: 'at', place: part.place })
      return
    case 'all':
      for (const one of part.parts) emit(one, steps)
      return
    case 'group':
      if (part.index === undefined) return emit(part.part, steps)
      steps.push({ do: 'save', slot: part.index * 2 })
      emit(part.part, steps)
      steps.push({ do: 'save', slot: part.index * 2 + 1 })
      return
    case 'any':
      emitAny(part.parts, steps)
      return
    case 'repeat':
    default:
      emitRepeat(part, steps)
  }
}

function emitAny(parts: readonly Part[], steps: Step[]): void {
  const ends: number[] = []
  for (const [at, one] of parts.entries()) {
    if (at === parts.length - 1) {
      emit(one, steps)
      break
    }
    const split = steps.push({ do: 'match' }) - 1
    emit(one, steps)
    ends.push(steps.push({ do: 'match' }) - 1)
    steps[split] = { do: 'split', first: split + 1, second: steps.length }
  }
  for (const end of ends) steps[end] = { do: 'jump', to: steps.length }
}

function emitRepeat(part: Extract<Part, { kind: 'repeat' }>, steps: Step[]): void {
  const { least, most, isLazy } = part
  const split = (at: number, into: number, out: number): void => {
    steps[at] = isLazy
      ? { do: 'split', first: out, second: into }
      : { do: 'split', first: into, second: out }
  }
  for (let count = 0; count < least; count += 1) emit(part.part, steps)
  if (most === undefined) {
    const at = steps.push({ do: 'match' }) - 1
    emit(part.part, steps)
    steps.push({ do: 'jump', to: at })
    split(at, at + 1, steps.length)
    return
  }
  const open: number[] = []
  for (let count = least; count < most; count += 1) {
    open.push(steps.push({ do: 'match' }) - 1)
    emit(part.part, steps)
  }
  for (const at of open) split(at, at + 1, steps.length)
}

interface Thread {
  readonly at: number
  readonly slots: readonly number[]
}

interface Search {
  readonly signs: readonly string[]
  readonly from: number
  readonly spend: (threads: number) => void
}

function run(
  steps: readonly Step[],
  slotCount: number,
  { signs, from, spend }: Search,
): readonly number[] | undefined {
  let threads: Thread[] = []
  let found: readonly number[] | undefined
  const none = Array.from({ length: slotCount }, () => -1)
  const seen = new Int32Array(steps.length).fill(-1)
  for (let here = from; here <= signs.length; here += 1) {
    const next: Thread[] = []
    const live: Thread[] = []
    for (const thread of threads) follow(steps, thread, { signs, here, seen, live })
    if (found === undefined) {
      const slots = [...none]
      slots[0] = here
      follow(steps, { at: 0, slots }, { signs, here, seen, live })
    }
    spend(live.length + 1)
    for (const { at, slots } of live) {
      const step = steps[at]
      if (step?.do === 'match') {
        const ended = [...slots]
        ended[1] = here
        found = ended
        break
      }
      const sign = signs[here]
      if (step?.do === 'sign' && sign !== undefined && step.set(sign))
        next.push({ at: at + 1, slots })
    }
    threads = next
    if (threads.length === 0 && found !== undefined) return found
  }
  return found
}

interface Place {
  readonly signs: readonly string[]
  readonly here: number
  /** Where a step was reached last: each once at a place, by the thread that comes first. */
  readonly seen: Int32Array
  readonly live: Thread[]
}

/** Adds what is reached without a sign, in the order of preference. */
function follow(steps: readonly Step[], start: Thread, { signs, here, seen, live }: Place): void {
  const open: Thread[] = [start]
  for (let thread = open.pop(); thread !== undefined; thread = open.pop()) {
    const { at, slots } = thread
    if (seen[at] === here) continue
    seen[at] = here
    const step = steps[at]
    switch (step?.do) {
      case 'jump':
        open.push({ at: step.to, slots })
        break
      case 'split':
        open.push({ at: step.second, slots }, { at: step.first, slots })
        break
      case 'save': {
        const saved = [...slots]
        saved[step.slot] = here
        open.push({ at: at + 1, slots: saved })
        break
      }
      case 'at':
        if (holds(step.place, signs, here)) open.push({ at: at + 1, slots })
        break
      case 'sign':
      case 'match':
      case undefined:
      default:
        live.push(thread)
    }
  }
}

function holds(place: string, signs: readonly string[], here: number): boolean {
  const isWord = (sign: string | undefined): boolean => sign !== undefined && /^\w$/.test(sign)
  switch (place) {
    case 'start':
      return here === 0
    case 'end':
      return here === signs.length
    case 'line-start':
      return here === 0 || signs[here - 1] === '\n'
    case 'line-end':
      return here === signs.length || signs[here] === '\n'
    default: {
      const isBorder = isWord(signs[here - 1]) !== isWord(signs[here])
      return place === 'border' ? isBorder : !isBorder
    }
  }
}
