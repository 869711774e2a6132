/** Needs no look. */
export const ORDINARY = 0
/** Part of a longer character. */
export const HIGH = 1
/** Has a meaning, or no place in a text. */
const SPECIAL = 2

/** A table by byte value: control characters and `special` need a look. */
export function classes(special: readonly number[]): Uint8Array {
  const table = new Uint8Array(256)
  table.fill(SPECIAL, 0, 32)
  table[127] = SPECIAL
  table.fill(HIGH, 128)
  for (const code of special) table[code] = SPECIAL
  return table
}
