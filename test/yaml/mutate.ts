/** Numbers from 0 to below 1 that follow from the seed alone (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Single bytes that mean something to YAML, or that no text should hold. */
const BYTES = Buffer.from(' \n\n  \t:::-#"\'\\{}[],|>&*!?%@`~.+0a1_=<\r\u0000\u007f\u00e9\u2028')
/** Pieces that mean something together. */
const PIECES = [
  '  |- |: | #|""|\'\'|>|>+|...|<<|{}|[]|\u2028|\u0085|\ufeff|é|\\u0041|\\x41|? | : |,|- - |~|null|&a |*a',
  '!!str |\t|\'|"|%|a: b|- a|\\ud83d|\\/|{{ .x }}|&app |*app|\n|\r\n|\n\n|\n  |\n    |# c\n|\n |:\n|-\n',
]
  .flatMap((pieces) => pieces.split('|'))
  .concat('|', '|-', '|2', '|+')
  .map((piece) => Buffer.from(piece))

/** The text with one small change: a byte, a piece, a line, or an indentation. */
export function mutate(text: Buffer, random: () => number): Buffer {
  const below = (limit: number): number => Math.floor(random() * limit)
  const at = below(text.length + 1)
  const before = text.subarray(0, at)
  switch (below(8)) {
    case 0:
      return Buffer.concat([before, text.subarray(at + 1 + below(3))])
    case 1:
      return Buffer.concat([before, pick(BYTES, below), text.subarray(at)])
    case 2:
      return Buffer.concat([before, pick(BYTES, below), text.subarray(at + 1)])
    case 3:
    case 4:
      return Buffer.concat([before, PIECES[below(PIECES.length)] ?? before, text.subarray(at)])
    case 5:
      return changeLines(text, (lines, line) => lines.toSpliced(line, 1))
    case 6:
      return changeLines(text, (lines, line) =>
        lines.toSpliced(below(lines.length + 1), 0, lines[line] ?? ''),
      )
    default: {
      const size = below(3) + 1
      const isDeeper = random() < 0.5
      return changeLines(text, (lines, line) =>
        lines.with(line, shift(lines[line], size, isDeeper)),
      )
    }
  }

  function changeLines(
    bytes: Buffer,
    change: (lines: readonly string[], line: number) => readonly string[],
  ): Buffer {
    const lines = bytes.toString('latin1').split('\n')
    return Buffer.from(change(lines, below(lines.length)).join('\n'), 'latin1')
  }
}

function pick(bytes: Buffer, below: (limit: number) => number): Buffer {
  const at = below(bytes.length)
  return bytes.subarray(at, at + 1)
}

function shift(line = '', size: number, isDeeper: boolean): string {
  return isDeeper ? ' '.repeat(size) + line : line.replace(new RegExp(`^ {0,${size}}`), '')
}
