import type { Script } from '../script.ts'
import { createScripts } from './create.ts'

/** Every script, by file. One line each. */
export const scripts: { readonly [file: string]: readonly Script[] } = {
  create: createScripts,
}
