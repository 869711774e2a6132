import { checkstyle } from './checkstyle.ts'
import { compact } from './compact.ts'
import type { Format } from './format.ts'
import { github } from './github.ts'
import { gitlab } from './gitlab.ts'
import { json } from './json.ts'
import { junit } from './junit.ts'
import { markdown } from './markdown.ts'
import { rdjson } from './rdjson.ts'
import { sarif } from './sarif.ts'
import { text } from './text.ts'

export const formats: Readonly<Record<string, Format>> = {
  text,
  compact,
  json,
  sarif,
  github,
  gitlab,
  junit,
  checkstyle,
  rdjson,
  markdown,
}
