/** Bytes of a manifest with a few small mistakes in them, as editors and mergers make them. */
export function mutated(bytes: Uint8Array, choose: (options: number) => number): Uint8Array {
  let made: Uint8Array = bytes
  const steps = 1 + choose(3)
  for (let step = 0; step < steps; step += 1) made = mutateOnce(made, choose)
  return made
}

const PIECES = [
  '&a ',
  '? ',
  ': ',
  '*a',
  '<<: *a\n',
  '!!str ',
  '"',
  "'",
  '{',
  '}',
  '[',
  ']',
  ':',
  ' ',
  '\n',
  '\r\n',
  '\t',
  '- ',
  '# ',
  '|\n',
  '---\n',
  '...\n',
  'null',
  '{{ .x }}',
  '${X}',
  '\u00e9',
  '\u2028',
  '\\',
].map((text) => new TextEncoder().encode(text))

function mutateOnce(bytes: Uint8Array, choose: (options: number) => number): Uint8Array {
  const at = choose(bytes.length + 1)
  const kind = choose(6)
  if (kind === 0) return joined(bytes.subarray(0, at), bytes.subarray(at + 1 + choose(3)))
  if (kind === 1)
    return joined(bytes.subarray(0, at), PIECES[choose(PIECES.length)], bytes.subarray(at))
  if (kind === 2) return replaced(bytes, at, choose(256))
  if (kind === 3) return doubledLine(bytes, at)
  if (kind === 4) return withoutLine(bytes, at)
  const from = choose(bytes.length + 1)
  return joined(bytes.subarray(0, at), bytes.subarray(from, from + choose(40)), bytes.subarray(at))
}

function replaced(bytes: Uint8Array, at: number, byte: number): Uint8Array {
  const made = Uint8Array.from(bytes)
  if (at < made.length) made[at] = byte
  return made
}

function lineAt(bytes: Uint8Array, at: number): readonly [number, number] {
  const start = bytes.lastIndexOf(10, Math.max(at - 1, 0)) + 1
  const end = bytes.indexOf(10, start)
  return [start, end < 0 ? bytes.length : end + 1]
}

function doubledLine(bytes: Uint8Array, at: number): Uint8Array {
  const [start, end] = lineAt(bytes, at)
  return joined(bytes.subarray(0, end), bytes.subarray(start, end), bytes.subarray(end))
}

function withoutLine(bytes: Uint8Array, at: number): Uint8Array {
  const [start, end] = lineAt(bytes, at)
  return joined(bytes.subarray(0, start), bytes.subarray(end))
}

function joined(...pieces: readonly (Uint8Array | undefined)[]): Uint8Array {
  const whole: number[] = []
  for (const piece of pieces) if (piece !== undefined) whole.push(...piece)
  return Uint8Array.from(whole)
}

/** A small generator of numbers with a seed, for runs that can be repeated. */
export function chooser(seed: number): (options: number) => number {
  let state = seed >>> 0
  return (options) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return options <= 1 ? 0 : Math.floor((state / 2 ** 32) * options)
  }
}
