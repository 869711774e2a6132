import { stringAt } from '../../core/json.ts'
import { actionsOf } from '../../core/templates.ts'
import type { Subject } from '../../ownership/subject.ts'
import { label } from '../helpers.ts'
import type { Rule, RuleFinding } from '../rule.ts'

const NAME = ['metadata', 'name']

/**
 * FNV-1a hardly moves its first digits when only the end of a text changes, and the end is where a
 * tag stands: names cut to the first few digits meet, and a change gets no new Job.
 * Silent for the last digits, for the whole hash, and for other hash functions.
 */
export const hashPrefixTooAlike: Rule = {
  id: 'hash-prefix-too-alike',
  severity: 'warning',
  summary: 'The name keeps the first digits of an FNV hash, which hardly differ between versions.',
  kinds: ['Job', 'CronJob'],
  check,
}

/** From here on no two of 1,000 tags met (trace kro/013 and the table beside it). */
const ENOUGH_DIGITS = 6
const ALL_DIGITS = 16

function check(subject: Subject): readonly RuleFinding[] {
  if (!subject.traits.applies) return []
  const digits = actionsOf(stringAt(subject.object, NAME) ?? '')
    .map(keptDigits)
    .find((count) => count !== undefined)
  if (digits === undefined || digits >= ALL_DIGITS) return []
  const meets = digits < ENOUGH_DIGITS
  return [
    {
      at: NAME,
      what: meets
        ? `two versions of ${label(subject)} may get one name: it keeps the first ${digits} digits of an FNV hash`
        : `the names of two versions of ${label(subject)} look alike: they begin with the same digits`,
      why:
        'FNV-1a barely mixes the last characters of a text into its first digits (task:1 and task:2 ' +
        'begin with 89666d and 89666a)' +
        (meets ? '; of 1,000 tags the first 5 digits told 175 apart, the first 4 only 106' : ''),
      remedy:
        'use hash.sha256, or keep the last digits instead: ' +
        `.substring(${ALL_DIGITS - Math.max(digits, 8)}, ${ALL_DIGITS})`,
      ...(meets ? {} : { severity: 'info' }),
    },
  ]
}

/** `"%x".format([hash.fnv64a(...)]).substring(0, 8)`: how many digits are kept from the front. */
function keptDigits(action: string): number | undefined {
  const start = action.indexOf('hash.fnv64a(')
  const format = action.lastIndexOf('.format(', start)
  if (start < 0 || format < 0) return undefined
  const rest = action.slice(closingOf(action, format + '.format'.length) + 1)
  const count = /^\s*\.substring\(\s*0\s*,\s*(\d+)\s*\)/.exec(rest)?.[1]
  return count === undefined ? undefined : Number(count)
}

/** Of the bracket at `open`; the end of the text when it is never closed. */
function closingOf(text: string, open: number): number {
  let depth = 0
  for (let index = open; index < text.length; index += 1) {
    if (text[index] === '(') depth += 1
    else if (text[index] === ')' && (depth -= 1) === 0) return index
  }
  return text.length
}
