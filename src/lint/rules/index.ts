import type { Rule } from '../rule.ts'

/** Every rule, in alphabetical order of its id. */
export const rules: readonly Rule[] = []
