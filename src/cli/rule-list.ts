import type { Rule } from '../lint/rule.ts'
import type { Io } from './io.ts'
import { allRules } from './judge.ts'
import { paintFor } from './paint.ts'
import { pageOf } from './report.ts'
import { VERSION } from './version.ts'
import { pad, widthOf, wrap } from './words.ts'

/** Every rule in alphabetical order, each in one line where there is room. */
export function ruleList(io: Io): string {
  const paint = paintFor(io.stdout, 'auto', io.env)
  const width = io.stdout.columns ?? 100
  const idWidth = Math.max(...allRules.map(({ id }) => widthOf(id)))
  const rows = sortedRules().flatMap(({ id, severity, summary, offByDefault, fixes = [] }) => {
    const level = offByDefault === true ? 'off' : severity
    const brush = offByDefault === true ? paint.faint : paint[severity]
    const head = `${pad(id, idWidth)}  ${brush(pad(level, 7))}  `
    const indent = idWidth + 11
    const words = fixes.length === 0 ? summary : `${summary} [fix: ${fixes.join(', ')}]`
    return wrap(words, Math.max(30, width - indent)).map((row, at) =>
      at === 0 ? head + row : ' '.repeat(indent) + row,
    )
  })
  return `${rows.join('\n')}\n`
}

/** The shape is described in docs/reference/output.md. */
export function ruleListJson(): string {
  const rules = sortedRules().map(({ id, severity, summary, offByDefault, kinds, fixes = [] }) => ({
    id,
    severity,
    on: offByDefault !== true,
    kinds,
    fixes,
    summary,
    page: pageOf(id),
  }))
  const tool = { name: 'semel', version: VERSION }
  return `${JSON.stringify({ format: 'semel.dev/rules/v1', tool, rules }, null, 2)}\n`
}

function sortedRules(): readonly Rule[] {
  return allRules.toSorted((one, other) => (one.id < other.id ? -1 : 1))
}
