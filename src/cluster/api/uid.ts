import type { Chance } from '../chance.ts'

/** A version 4 UUID, as the API server makes one for each object. */
export function newUid(chance: Chance): string {
  const hex = (digits: number): string =>
    Math.floor(chance.next() * 16 ** digits)
      .toString(16)
      .padStart(digits, '0')
  const variant = '89ab'.charAt(Math.floor(chance.next() * 4))
  return `${hex(8)}-${hex(4)}-4${hex(3)}-${variant}${hex(3)}-${hex(8)}${hex(4)}`
}
