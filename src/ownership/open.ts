import type { Manifest } from '../core/manifest.ts'
import type { Origin } from './traced.ts'

/** STAND-IN until core/yaml/open.ts lands. */
export function isOpenAt(_origin: Origin, _manifest: Manifest): boolean {
  return false
}
