import type { Path } from '../core/json.ts'
import type { Manifest } from '../core/manifest.ts'
import { openAt } from '../core/yaml/open.ts'
import type { Origin } from './traced.ts'

/**
 * Whether rendering may add entries where a part of an object was written. Only templates are
 * open, and only where the part still stands as its own file has it.
 */
export function openTest({ file, document }: Manifest): (origin: Origin) => boolean {
  if (file.openPlaces === undefined) return () => false
  const isOpen: (path: Path) => boolean = openAt(document, file.openPlaces)
  return (origin) => origin.document === document && isOpen(origin.path)
}
