import type { Rule } from '../lint/rule.ts'
import { listed } from './words.ts'

/** Ends the part of a rule's page that is made from the rule itself; below it is prose. */
export const PAGE_MARK =
  '<!-- Above: written by `npm run docs` from the rule itself. Below: by hand. -->'

/** The front of docs/rules/ID.md. */
export function pageHead(rule: Rule): string {
  const { id, summary, severity, kinds } = rule
  const rows: readonly (readonly [string, string])[] = [
    ['level', severity],
    ['on', rule.offByDefault === true ? 'only when semel.yaml switches it on' : 'by default'],
    ...(kinds.length === 0 ? [] : [['judges', listed(kinds.map((kind) => `${kind}s`))] as const]),
    ['fix', fixWords(rule)],
  ]
  const table = rows.map(([name, value]) => `| ${name} | ${value} |`)
  return ['# ' + id, '', summary, '', '| | |', '|---|---|', ...table, '', PAGE_MARK, ''].join('\n')
}

/**
 * The page with a front that is as it should be. A page without the mark is taken for one that
 * begins with its heading and the summary.
 */
export function withHead(page: string, rule: Rule): string {
  const text = page.replaceAll('\r\n', '\n')
  const mark = text.indexOf(PAGE_MARK)
  if (mark >= 0) return pageHead(rule) + text.slice(mark + PAGE_MARK.length + 1)
  const [, below = text] = /^# .*\n\n(?:[^\n#|].*\n)+([\s\S]*)$/.exec(text) ?? []
  return `${pageHead(rule)}\n${below.replace(/^\n+/, '')}`
}

function fixWords({ fixes = [] }: Rule): string {
  if (fixes.length === 0) return 'none'
  const how = { safe: '`semel lint --fix`', unsafe: '`semel lint --fix --unsafe`' }
  return fixes.map((kind) => `${kind} (${how[kind]})`).join(', ')
}
