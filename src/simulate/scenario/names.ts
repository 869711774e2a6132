/** Words that say the same of a setting. */
const SAME: Readonly<Record<string, string>> = {
  true: 'on',
  enabled: 'on',
  enable: 'on',
  with: 'on',
  yes: 'on',
  false: 'off',
  disabled: 'off',
  disable: 'off',
  without: 'off',
  no: 'off',
}

function tokensOf(name: string): ReadonlySet<string> {
  const words = name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
  return new Set(words.map((word) => SAME[word] ?? word))
}

/**
 * Which of `names` each of `wanted` means, as positions: the same name, else the one with most words
 * in common (`self_heal_off` and `selfHeal off`), else the one at its place among what is left.
 */
export function matched(
  wanted: readonly string[],
  names: readonly string[],
): readonly (number | undefined)[] {
  const free = new Set(names.keys())
  const found = new Map<string, number>()
  const take = (want: string, at: number | undefined): void => {
    if (at === undefined || found.has(want)) return
    free.delete(at)
    found.set(want, at)
  }
  for (const want of wanted) {
    const at = names.indexOf(want)
    if (at >= 0) take(want, at)
  }
  for (const want of wanted) if (!found.has(want)) take(want, nearest(want, names, free))
  for (const want of wanted) {
    if (!found.has(want)) take(want, [...free][0])
  }
  return wanted.map((want) => found.get(want))
}

/** Undefined where none has a word in common, or two have as many. */
export function nearest(
  want: string,
  names: readonly string[],
  among: ReadonlySet<number> = new Set(names.keys()),
): number | undefined {
  const tokens = tokensOf(want)
  const scored = [...among].map((at) => {
    const own = tokensOf(names[at] ?? '')
    return { at, score: [...tokens].filter((token) => own.has(token)).length }
  })
  const best = Math.max(0, ...scored.map(({ score }) => score))
  const winners = scored.filter(({ score }) => score === best)
  return best > 0 && winners.length === 1 ? winners[0]?.at : undefined
}
