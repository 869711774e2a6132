/**
 * Chance from a seed: the same seed gives the same numbers on every machine and every Node
 * (mulberry32 uses 32-bit integers only).
 */
export function randomFrom(seed) {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  const below = (limit) => Math.floor(next() * limit)
  return {
    /** A whole number from 0, below `limit`. */
    below,
    /** A whole number from `low` to `high`, both included. */
    between: (low, high) => low + below(high - low + 1),
    chance: (probability) => next() < probability,
    pick: (list) => list[below(list.length)],
    hex: (digits) => {
      let text = ''
      while (text.length < digits) text += below(16).toString(16)
      return text
    },
    words: (count) => {
      const words = []
      for (let n = 0; n < count; n += 1) words.push(WORDS[below(WORDS.length)])
      return words.join(' ')
    },
    shuffle: (list) => {
      for (let at = list.length - 1; at > 0; at -= 1) {
        const other = below(at + 1)
        const kept = list[at]
        list[at] = list[other]
        list[other] = kept
      }
      return list
    },
  }
}

export const WORDS = `account archive audit backup balance batch billing broker bucket cache cart
  catalog channel checkout client cluster column content cost currency customer data delivery device
  digest document email event export feed field file filter flow forward gateway geometry graph guest
  harbour image import index input invoice journal kernel label ledger letter limit list loader local
  log mail market media member merge message meter metric mirror model monitor network node notice
  number offer order output owner page parcel partner payment period photo place plan point policy
  price product profile project proxy quality queue quota rate reader record region release remote
  report request review river route rule sample scale schedule search secret segment sender session
  shape shipment shop signal source stage station status stock storage stream supply table target
  tariff tenant ticket token topic track trade transfer unit update usage user value vendor version
  visit volume voucher wallet warehouse watch weather window worker zone`.split(/\s+/)
