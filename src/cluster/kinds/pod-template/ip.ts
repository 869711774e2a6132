/** IPv4 (leading zeros tolerated, as Go's older parser did) and IPv6 addresses. */
export function isIP(text: string): boolean {
  return isIPv4(text) || isIPv6(text)
}

function isIPv4(text: string): boolean {
  const parts = text.split('.')
  return parts.length === 4 && parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) < 256)
}

function isIPv6(text: string): boolean {
  if (!text.includes(':') || /[^0-9A-Fa-f:.]/.test(text)) return false
  const halves = text.split('::')
  if (halves.length > 2) return false
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')))
  const last = groups.at(-1)
  const embedded = last !== undefined && last.includes('.')
  if (embedded && !isIPv4(last)) return false
  const hex = embedded ? groups.slice(0, -1) : groups
  if (!hex.every((group) => /^[0-9A-Fa-f]{1,4}$/.test(group))) return false
  const count = hex.length + (embedded ? 2 : 0)
  return halves.length === 2 ? count < 8 : count === 8
}
