import type { Paint } from './paint.ts'
import { pad, widthOf, wrap } from './words.ts'

/**
 * The Markdown of our own pages for a terminal: headings, paragraphs, lists, tables and code.
 * Nothing is lost, only the marks are; text that is none of these is shown as it stands.
 */
export function renderMarkdown(
  markdown: string,
  { paint, width }: { readonly paint: Paint; readonly width: number },
): string {
  const rows: string[] = []
  const lines = markdown.replaceAll('\r\n', '\n').trimEnd().split('\n')
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    const fence = /^(\s*)(```+|~~~+)/.exec(line)
    if (fence !== null) {
      for (
        at += 1;
        at < lines.length && !(lines[at] ?? '').trim().startsWith(fence[2] ?? '');
        at += 1
      ) {
        rows.push(`    ${paint.faint(lines[at] ?? '')}`)
      }
      continue
    }
    if (/^<!--.*-->$/.test(line)) {
      // The blank line behind a comment goes with it.
      if (lines[at + 1] === '') at += 1
      continue
    }
    const heading = /^(#{1,6})\s+(.*)$/.exec(line)
    if (heading !== null) {
      rows.push(paint.strong(plainInline(heading[2] ?? '')))
      continue
    }
    if (line.startsWith('|')) {
      const block: string[] = []
      while ((lines[at] ?? '').startsWith('|')) block.push(lines[at++] ?? '')
      at -= 1
      rows.push(...tableRows(block, width))
      continue
    }
    const item = /^(\s*)([-*]|\d+\.)\s+(.*)$/.exec(line)
    if (line.trim() === '') {
      rows.push('')
      continue
    }
    const [, indent = '', bullet = '', first = line.trim()] = item ?? []
    const words = [first]
    while (isContinued(lines[at + 1])) words.push((lines[(at += 1)] ?? '').trim())
    const head = item === null ? '' : `${indent}${bullet} `
    const hang = ' '.repeat(head.length)
    const inner = wrap(plainInline(words.join(' ')), Math.max(20, width - head.length))
    rows.push(...inner.map((row, index) => `${index === 0 ? head : hang}${row}`))
  }
  return `${rows.join('\n')}\n`
}

function isContinued(line: string | undefined): boolean {
  return (
    line !== undefined && line.trim() !== '' && !/^\s*([-*#|>]|\d+\.\s|```|~~~|<!--)/.test(line)
  )
}

/** Code keeps its marks, since a rule id reads better with them; emphasis and links lose theirs. */
function plainInline(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part) =>
      part.startsWith('`')
        ? part
        : part.replaceAll(/\*\*([^*]+)\*\*/g, '$1').replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1'),
    )
    .join('')
}

function tableRows(block: readonly string[], width: number): readonly string[] {
  const cells = block
    .filter((line) => !/^\|[\s:|-]+\|?$/.test(line))
    .map((line) =>
      line
        .replace(/^\||\|\s*$/g, '')
        .split('|')
        .map((cell) => plainInline(cell.trim())),
    )
  const columns = Math.max(...cells.map((row) => row.length))
  const widths = Array.from({ length: columns }, (_, at) =>
    Math.max(...cells.map((row) => widthOf(row[at] ?? ''))),
  )
  const before = widths.slice(0, -1).reduce((sum, one) => sum + one + 2, 0)
  return cells.flatMap((row) => {
    const head = row.slice(0, -1).map((cell, at) => pad(cell, widths[at] ?? 0) + '  ')
    const last = wrap(row.at(-1) ?? '', Math.max(20, width - before))
    const rest = last.slice(1).map((text) => ' '.repeat(before) + text)
    return [`${head.join('')}${last[0] ?? ''}`.trimEnd(), ...rest]
  })
}
