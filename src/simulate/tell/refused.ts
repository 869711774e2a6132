import { runsOf, type Lane } from '../history/history.ts'
import { objectOf, type LookUp } from './look-up.ts'
import { spanWords } from './spans.ts'

/**
 * What a sentence adds where a change of a lane that had run was refused, as nobody sees it in the
 * number of runs: `; a change after 12 h is refused and never runs (field is immutable)`.
 */
export function refusedWords(lane: Lane, seen: LookUp): string {
  const { history } = seen
  const refusals = seen.ofObject(objectOf(lane)).filter(({ kind }) => kind === 'refused')
  const [first] = refusals
  const last = refusals.at(-1)
  if (first === undefined || last === undefined) return ''
  const isRunLater = runsOf(lane, history).some(({ createdAt }) => createdAt > last.at)
  const fate = isRunLater ? 'is refused for a while' : 'is refused and never runs'
  return `; a change after ${spanWords(first.at - history.start)} ${fate} (${reasonOf(first.words)})`
}

/** The last part of the server's words says what is wrong. */
function reasonOf(words: string): string {
  const parts = words.replace(/^refused \w+: /, '').split(': ')
  const last = parts.at(-1) ?? words
  return last.length > MOST ? `${last.slice(0, MOST)}…` : last
}

const MOST = 80
