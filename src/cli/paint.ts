import picocolors from 'picocolors'
import type { Io, Stream } from './io.ts'

/** Colours for one stream; without colour each function gives its text back. */
export interface Paint {
  readonly error: Brush
  readonly warning: Brush
  readonly info: Brush
  readonly strong: Brush
  readonly faint: Brush
  readonly path: Brush
  readonly good: Brush
}

type Brush = (text: string) => string

export type ColorChoice = 'auto' | 'always' | 'never'

export function paintFor(stream: Stream, choice: ColorChoice, env: Io['env']): Paint {
  const colors = picocolors.createColors(wantsColor(stream, choice, env))
  return {
    error: (text) => colors.red(colors.bold(text)),
    warning: colors.yellow,
    info: colors.blue,
    strong: colors.bold,
    faint: colors.dim,
    path: colors.underline,
    good: colors.green,
  }
}

/** NO_COLOR wins over FORCE_COLOR, both over what the stream is; a flag wins over all. */
function wantsColor(stream: Stream, choice: ColorChoice, env: Io['env']): boolean {
  if (choice !== 'auto') return choice === 'always'
  if (isSet(env['NO_COLOR'])) return false
  if (isSet(env['FORCE_COLOR'])) return env['FORCE_COLOR'] !== '0'
  return stream.isTerminal && env['TERM'] !== 'dumb'
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== ''
}
