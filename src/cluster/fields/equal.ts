import { isList, isObject, type Json } from '../../core/json.ts'

/** By value; what is shared costs nothing. A member that is undefined counts as absent. */
export function equal(one: Json | undefined, other: Json | undefined): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) {
    return typeof one === 'bigint' || typeof other === 'bigint' ? sameNumber(one, other) : false
  }
  if (isList(one)) {
    if (!isList(other) || one.length !== other.length) return false
    for (let at = 0; at < one.length; at += 1) if (!equal(one[at], other[at])) return false
    return true
  }
  if (!isObject(one) || !isObject(other)) return false
  let members = 0
  for (const key in one) {
    if (one[key] === undefined) continue
    members += 1
    if (!Object.hasOwn(other, key) || !equal(one[key], other[key])) return false
  }
  for (const key in other) if (other[key] !== undefined) members -= 1
  return members === 0
}

function sameNumber(one: Json | undefined, other: Json | undefined): boolean {
  const isNumber = (value: Json | undefined): value is number | bigint =>
    typeof value === 'number' || typeof value === 'bigint'
  // oxlint-disable-next-line eslint/eqeqeq -- 1n and 1 are one value
  return isNumber(one) && isNumber(other) && one == other
}
