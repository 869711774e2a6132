import type { Functions } from './exec.ts'
import { compile, type Pattern } from './regexp.ts'
import { text } from './sprig-texts.ts'
import type { Value } from './value.ts'

/** Longer texts are refused. */
const MOST_SIGNS = 1 << 20

const isMatch = (pattern: Value, value: Value): boolean =>
  compile(text(pattern)).match(signsOf(value), 0) !== undefined

const findAll = (pattern: Value, value: Value, count: Value): Value => {
  const signs = signsOf(value)
  return matchesOf(compile(text(pattern)), signs, Number(count)).map(([from = 0, to = 0]) =>
    signs.slice(from, to).join(''),
  )
}

const find = (pattern: Value, value: Value): Value => {
  const signs = signsOf(value)
  const [from = 0, to = 0] = compile(text(pattern)).match(signs, 0) ?? []
  return signs.slice(from, to).join('')
}

const replaceAll = (pattern: Value, value: Value, by: Value): Value => {
  const compiled = compile(text(pattern))
  const signs = signsOf(value)
  return replaced(compiled, signs, (slots) => expanded(text(by), compiled, signs, slots))
}

const replaceLiteral = (pattern: Value, value: Value, by: Value): Value =>
  replaced(compile(text(pattern)), signsOf(value), () => text(by))

const split = (pattern: Value, value: Value, count: Value): Value => {
  const most = Number(count)
  if (most === 0) return []
  const signs = signsOf(value)
  const parts: string[] = []
  let start = 0
  if (text(pattern) !== '' && signs.length === 0) return ['']
  for (const [from = 0, to = 0] of matchesOf(compile(text(pattern)), signs, -1)) {
    if (most > 0 && parts.length === most - 1) break
    if (to === 0) continue
    parts.push(signs.slice(start, from).join(''))
    start = to
  }
  return start === signs.length && text(pattern) === ''
    ? parts
    : [...parts, signs.slice(start).join('')]
}

export const regexps: Functions = {
  regexMatch: (pattern, value) => {
    try {
      return isMatch(pattern, value)
    } catch (error) {
      if (error instanceof Error && error.message.startsWith('error parsing regexp')) return false
      throw error
    }
  },
  mustRegexMatch: isMatch,
  regexFindAll: findAll,
  mustRegexFindAll: findAll,
  regexFind: find,
  mustRegexFind: find,
  regexReplaceAll: replaceAll,
  mustRegexReplaceAll: replaceAll,
  regexReplaceAllLiteral: replaceLiteral,
  mustRegexReplaceAllLiteral: replaceLiteral,
  regexSplit: split,
  mustRegexSplit: split,
  regexQuoteMeta: (value) => text(value).replaceAll(/[\\.+*?()|[\]{}^$]/g, '\\$&'),
}

function signsOf(value: Value): readonly string[] {
  const signs = Array.from(text(value))
  if (signs.length > MOST_SIGNS) throw new Error(`the text is longer than ${MOST_SIGNS} letters`)
  return signs
}

/** Not overlapping; an empty match directly behind another one does not count. */
function matchesOf(
  pattern: Pattern,
  signs: readonly string[],
  count: number,
): readonly (readonly number[])[] {
  const found: (readonly number[])[] = []
  let at = 0
  let behind = -1
  const most = count < 0 ? Number.POSITIVE_INFINITY : count
  while (at <= signs.length && found.length < most) {
    const slots = pattern.match(signs, at)
    if (slots === undefined) break
    const [from = 0, to = 0] = slots
    if (to > from || from !== behind) found.push(slots)
    behind = to
    at = to > from ? to : to + 1
  }
  return found
}

function replaced(
  pattern: Pattern,
  signs: readonly string[],
  by: (slots: readonly number[]) => string,
): string {
  let out = ''
  let start = 0
  for (const slots of matchesOf(pattern, signs, -1)) {
    const [from = 0, to = 0] = slots
    out += signs.slice(start, from).join('') + by(slots)
    if (out.length > MOST_SIGNS * 8) throw new Error('the replaced text is larger than 8 MiB')
    start = to
  }
  return out + signs.slice(start).join('')
}

/** `$1`, `${1}`, `$name`, `$$`; the longest name counts, what is no group is empty. */
function expanded(
  by: string,
  { names }: Pattern,
  signs: readonly string[],
  slots: readonly number[],
): string {
  return by.replaceAll(/\$(?:\$|(\w+)|\{(\w+)\})/g, (whole, bare?: string, braced?: string) => {
    if (whole === '$$') return '$'
    const name = bare ?? braced ?? ''
    const index = /^\d+$/.test(name) ? Number(name) : names.indexOf(name) + 1
    if (index === 0 && name !== '0') return ''
    const [from, to] = [slots[index * 2] ?? -1, slots[index * 2 + 1] ?? -1]
    return from < 0 ? '' : signs.slice(from, to).join('')
  })
}
