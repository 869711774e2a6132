/** Plain data as text, to see whether two values say the same; whole numbers of any size. */
export function textOf(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part))
}
