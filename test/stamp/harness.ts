import { applyEdits } from '../../src/core/edits.ts'
import { stamp } from '../../src/stamp/stamp.ts'
import type { StampOptions, StampResult } from '../../src/stamp/stamp-types.ts'
import { loadFullParser } from '../../src/adapters/full-parser.ts'
import type { FullParser } from '../../src/core/yaml/document.ts'
import { outermost, positionOf, type Place } from '../../src/core/source.ts'

export const fullParser: FullParser = await loadFullParser()

export interface Stamped extends StampResult {
  /** Of the first file. */
  readonly output: string
}

/** Stamps text as a stream that is rendered, unless the options say otherwise. */
export function stampText(text: string, options: StampOptions = {}): Stamped {
  const bytes = new TextEncoder().encode(text)
  const result = stamp([{ path: '<stdin>', bytes }], { rendered: true, fullParser, ...options })
  return { ...result, output: outputOf(result) }
}

export function outputOf(result: StampResult, file = 0): string {
  const stamped = result.files[file]
  if (stamped === undefined) throw new Error(`no file ${file}`)
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(
    applyEdits(stamped.source.bytes, stamped.edits),
  )
}

/** `file:line:column`. */
export function at(place: Place): string {
  const { source, span } = outermost(place)
  const { line, column } = positionOf(source, span.start)
  return `${source.path}:${line}:${column}`
}
