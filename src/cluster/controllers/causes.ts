/** What the server said, short enough for one line of a report. */
export function firstWords(message: string): string {
  const text = message.replaceAll(/\s+/g, ' ').trim()
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1)}…`
}

const LONGEST = 160

/** `1 pod`, `2 pods` */
export function counted(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`
}
