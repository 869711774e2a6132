import { CARRIAGE_RETURN, LINE_FEED, SPACE, TAB, decode, isBlank } from './bytes.ts'
import type { Reading } from './document.ts'
import { CHOMP_BITS, KEEP, STRIP } from './scalar-scanner.ts'

export interface Block {
  readonly start: number
  readonly end: number
  readonly extra: number
  readonly isFolded: boolean
  readonly reading: Reading
}

/** Lines without their indentation, folded as Go's scanner does, and chomped. */
export function blockText(shape: Uint8Array, bytes: Uint8Array, block: Block): string {
  const { start, end, extra, isFolded, reading } = block
  const indent = extra >> CHOMP_BITS
  const chomp = extra & ((1 << CHOMP_BITS) - 1)
  if (indent === 0) return ''
  if (shape !== bytes && differs(shape, bytes, start, end))
    return blockOfTemplate(shape, bytes, block)
  let line = shape.indexOf(LINE_FEED, start) + 1
  const made = new Uint8Array(end - line + 2)
  let length = 0
  let breaks = 0
  let isFirst = true
  let wasIndented = false
  while (line < end) {
    const feed = shape.indexOf(LINE_FEED, line)
    const next = feed < 0 || feed >= end ? end : feed + 1
    let stop = feed < 0 || feed >= end ? end : feed
    if (stop > line && shape[stop - 1] === CARRIAGE_RETURN) stop -= 1
    const from = Math.min(line + indent, stop)
    if (from === stop) {
      breaks += 1
    } else {
      const isIndented = shape[from] === SPACE || shape[from] === TAB
      if (isFirst) {
        for (; breaks > 0; breaks -= 1) made[length++] = LINE_FEED
      } else {
        if (!isFolded || wasIndented || isIndented) made[length++] = LINE_FEED
        else if (breaks === 0) made[length++] = SPACE
        for (; breaks > 0; breaks -= 1) made[length++] = LINE_FEED
      }
      for (let at = from; at < stop; at += 1) made[length++] = bytes[at] as number
      isFirst = false
      wasIndented = isIndented
    }
    line = next
  }
  const isCut = reading === 'kustomize' && end >= shape.length
  if (chomp !== STRIP && !isCut) made[length++] = LINE_FEED
  const text = decode(made, 0, length)
  return chomp === KEEP ? text + '\n'.repeat(blankLinesAfter(shape, end)) : text
}

function differs(shape: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) if (shape[at] !== bytes[at]) return true
  return false
}

/** With actions in it, all lines as they stand: only rendering could fold them. */
function blockOfTemplate(shape: Uint8Array, bytes: Uint8Array, block: Block): string {
  const header = shape.indexOf(LINE_FEED, block.start)
  const from = bytes[header] === LINE_FEED ? header + 1 : header
  const indentation = new RegExp(`^ {0,${block.extra >> CHOMP_BITS}}`)
  const lines = decode(bytes, from, block.end).split(/\r?\n/)
  return `${lines.map((line) => line.replace(indentation, '')).join('\n')}\n`
}

function blankLinesAfter(shape: Uint8Array, end: number): number {
  let count = -1
  for (let at = end; isBlank(shape[at]); at += 1) if (shape[at] === LINE_FEED) count += 1
  return Math.max(count, 0)
}
