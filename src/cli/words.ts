/** How many columns a terminal needs for a text without colours. */
export function widthOf(text: string): number {
  if (/^[\u0020-\u007e]*$/.test(text)) return text.length
  let width = 0
  for (const sign of text) {
    if (WIDE.test(sign)) width += 2
    else if (!ZERO.test(sign)) width += 1
  }
  return width
}

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u
const ZERO = /\p{Mn}|\p{Me}|\p{Cf}/u

/** Whole words in lines of at most `width` columns; a word that is longer stands alone. */
export function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/\s+/)) {
    if (word === '') continue
    if (line !== '' && widthOf(line) + 1 + widthOf(word) > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  if (line !== '') lines.push(line)
  return lines
}

/**
 * Cuts the middle out of what is too wide, since names differ at their ends: the hash behind, the
 * namespace before.
 */
export function shorten(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  if (width <= 1) return width === 1 ? '…' : ''
  const signs = Array.from(text)
  const tail: string[] = []
  const head: string[] = []
  let room = width - 1
  for (let isTail = true; room > 0 && signs.length > 0; isTail = !isTail) {
    const sign = (isTail ? signs.pop() : signs.shift()) ?? ''
    const need = widthOf(sign)
    if (need > room) break
    room -= need
    if (isTail) tail.unshift(sign)
    else head.push(sign)
  }
  return `${head.join('')}…${tail.join('')}`
}

export function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)))
}

/** `1 error`, `3 errors`; `many` for words that do not just take an s. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`
}

/** `a`, `a and b`, `a, b and c`. */
export function listed(parts: readonly string[]): string {
  if (parts.length <= 1) return parts.join('')
  return `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}

/** Signs that would move the cursor or colour the terminal are shown, not sent. */
export function printable(text: string): string {
  return text.replaceAll(OBEYED, (sign) => {
    if (sign === '\t') return ' '
    return `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}

/** Control characters, line separators, and marks that turn the direction of text. */
const OBEYED = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu
