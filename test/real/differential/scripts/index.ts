import type { Script } from '../script.ts'
import { createScripts } from './create.ts'
import { defaultScripts } from './defaults.ts'
import { validationScripts } from './validation.ts'

/** Every script, by file. One line each. */
export const scripts: { readonly [file: string]: readonly Script[] } = {
  create: createScripts,
  defaults: defaultScripts,
  validation: validationScripts,
}
