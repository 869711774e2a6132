/** The candidate that a mistyped word most likely meant, or undefined when none is close. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const wanted = word.toLowerCase()
  const limit = Math.max(1, Math.floor(wanted.length / 3))
  let best: string | undefined
  let bestDistance = limit + 1
  for (const candidate of candidates) {
    const distance = editDistance(wanted, candidate.toLowerCase(), bestDistance)
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best ?? onlyOneThatStartsWith(wanted, candidates)
}

/** Part of a word is a slip too: `argo` for `argocd`. */
function onlyOneThatStartsWith(start: string, candidates: Iterable<string>): string | undefined {
  if (start.length < 3) return undefined
  const longer = [...candidates].filter((candidate) => candidate.toLowerCase().startsWith(start))
  return longer.length === 1 ? longer[0] : undefined
}

/** ` Did you mean X?`, or nothing: to be appended to a sentence. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const found = nearest(word, candidates)
  return found === undefined ? '' : ` Did you mean ${found}?`
}

/** Insertions, deletions, substitutions and swaps of neighbours; gives up at `limit`. */
function editDistance(one: string, other: string, limit: number): number {
  if (Math.abs(one.length - other.length) >= limit || one.length > MAX_LENGTH) return limit
  let before: number[] = []
  let previous = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= other.length; column += 1) {
      const same = one[row - 1] === other[column - 1]
      let cost = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (same ? 0 : 1),
      )
      const swapped =
        row > 1 &&
        column > 1 &&
        one[row - 1] === other[column - 2] &&
        one[row - 2] === other[column - 1]
      if (swapped) cost = Math.min(cost, (before[column - 2] ?? 0) + 1)
      current.push(cost)
    }
    before = previous
    previous = current
  }
  return previous[other.length] ?? limit
}

const MAX_LENGTH = 80
