import type { Path } from '../core/json.ts'
import { placeOf } from '../core/manifest.ts'
import { outermost, type Place } from '../core/source.ts'
import type { Origin } from './traced.ts'

/** The place of an origin, led out of embedded text to the file that holds it. */
export function placeAt(origin: Origin, which: 'key' | 'value' = 'value'): Place {
  const { document, path } = origin
  return outermost(placeOf({ document, root: [] }, path, which))
}

/** Path of the file that holds the origin. */
export function fileOf({ document }: Origin): string {
  let { source } = document
  while (source.outer !== undefined) source = source.outer.source
  return source.path
}

export function below(origin: Origin, ...path: Path): Origin {
  return { document: origin.document, path: [...origin.path, ...path] }
}
