import { compact } from './compact.ts'
import type { Format } from './format.ts'
import { github } from './github.ts'
import { json } from './json.ts'
import { sarif } from './sarif.ts'
import { text } from './text.ts'

export const formats: Readonly<Record<string, Format>> = { text, compact, json, sarif, github }
