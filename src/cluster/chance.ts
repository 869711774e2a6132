/**
 * The one source of chance of a cluster, seeded. It is plain state: a copied cluster draws the
 * same numbers as its original.
 */
export interface Chance {
  /** The next number in [0, 1). */
  next(): number
  copy(): Chance
}

/** sfc32, as Chris Doty-Humphrey published it: small state, passes PractRand, same on every CPU. */
export function seededChance(seed: number): Chance {
  const state = new Int32Array([seed, seed ^ 0x9e3779b9, 0x6a09e667, 1])
  const chance = chanceFrom(state)
  for (let warm = 0; warm < 15; warm += 1) chance.next()
  return chance
}

function chanceFrom(state: Int32Array): Chance {
  return {
    next() {
      const [a, b, c, counter] = state as unknown as [number, number, number, number]
      const sum = (a + b + counter) | 0
      state[3] = (counter + 1) | 0
      state[0] = b ^ (b >>> 9)
      state[1] = (c + (c << 3)) | 0
      state[2] = (((c << 21) | (c >>> 11)) + sum) | 0
      return (sum >>> 0) / 4294967296
    },
    copy: () => chanceFrom(state.slice()),
  }
}

/** `length` characters as Kubernetes picks them for generateName: no vowels, nothing alike. */
export function randomSuffix(chance: Chance, length: number): string {
  const letters = 'bcdfghjklmnpqrstvwxz2456789'
  let text = ''
  for (let at = 0; at < length; at += 1) text += letters[Math.floor(chance.next() * letters.length)]
  return text
}
