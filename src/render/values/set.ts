import { isList, isObject, type Json, type JsonObject, type Path } from '../../core/json.ts'

/**
 * `--set`, `--set-string` and `--set-file` as Helm reads them: several `path=value` with commas
 * between them; dots and list positions in the path; `{a,b}` for a list; a backslash before a sign
 * that is meant as it stands.
 */
export interface SetExpression {
  /** set: true, false, null and whole numbers are read; string: all is text; file: text of a file. */
  readonly flag: 'set' | 'set-string' | 'set-file'
  readonly text: string
}

export interface SetResult {
  readonly values: JsonObject
  /** Everything that was set, for positions. */
  readonly paths: readonly Path[]
}

/** An expression that Helm would refuse. */
export class SetFault extends Error {}

/** The values with what the expression sets. `readText` gives the text of a file. */
export function applySet(
  values: JsonObject,
  expression: SetExpression,
  readText: (file: string) => string,
): SetResult {
  const toValue = (text: string): Json => {
    if (expression.flag === 'set-file') return readText(text)
    return expression.flag === 'set' ? typed(text) : text
  }
  const parser = new Parser(expression.text, toValue)
  return { values: parser.into(values), paths: parser.paths }
}

/** Helm's numbers do not begin with a zero; fractions are text. */
function typed(text: string): Json {
  const word = text.toLowerCase()
  if (word === 'true' || word === 'false') return word === 'true'
  if (word === 'null') return null
  if (text === '0') return 0
  if (!/^[-+]?\d+$/.test(text) || text.startsWith('0')) return text
  const number = BigInt(text.replace('+', ''))
  if (number > INT64_MAX || number < -INT64_MAX - 1n) return text
  return Number.isSafeInteger(Number(number)) ? Number(number) : number
}

const INT64_MAX = 9223372036854775807n
/** As Helm has it: a longer list is a slip of the pen. */
const MOST_ITEMS = 65_536
const MOST_LEVELS = 30

/** What stands after a part of the text: the sign that ended it, or nothing. */
interface Part {
  readonly text: string
  readonly end: string | undefined
}

class Parser {
  readonly paths: Path[] = []
  private readonly text: string
  private readonly toValue: (text: string) => Json
  private at = 0

  constructor(text: string, toValue: (text: string) => Json) {
    this.text = text
    this.toValue = toValue
  }

  into(values: JsonObject): JsonObject {
    let made = values
    while (this.at < this.text.length) made = this.entry(made, [], 0)
    return made
  }

  /** One `path=value`, into a mapping. */
  private entry(map: JsonObject, path: Path, level: number): JsonObject {
    const { text: key, end } = this.until('=[,.')
    const here = [...path, key]
    if (end === undefined) {
      if (key === '') return map
      throw new SetFault(`'${key}' has no value`)
    }
    if (end === ',') throw new SetFault(`'${key}' has no value: a comma stands where = is due`)
    if (end === '=') {
      if (key !== '') this.paths.push(here)
      return put(map, key, this.value())
    }
    const before = own(map, key)
    if (end === '[') {
      const index = this.index()
      if (before !== undefined && before !== null && !isList(before)) {
        throw new SetFault(`'${shown(here)}' is no list, so it has no [${index}]`)
      }
      return put(map, key, this.item(isList(before) ? before : [], [...here, index], level))
    }
    if (level >= MOST_LEVELS) throw new SetFault(`more than ${MOST_LEVELS} levels`)
    if (before !== undefined && before !== null && !isObject(before)) {
      throw new SetFault(`'${shown(here)}' is no mapping, so it has no keys`)
    }
    const inner = this.entry(isObject(before) ? before : {}, here, level + 1)
    if (Object.keys(inner).length === 0) throw new SetFault(`'${shown(here)}' has no value`)
    return put(map, key, inner)
  }

  /** `path` ends in the position; behind it stands `=`, `.` or another position. */
  private item(list: readonly Json[], path: Path, level: number): readonly Json[] {
    const index = Number(path.at(-1))
    const { text, end } = this.until('[.=')
    if (text !== '') throw new SetFault(`'${text}' stands behind [${index}]`)
    if (end === undefined) return list
    const before = list[index]
    if (end === '=') {
      this.paths.push(path)
      return withItem(list, index, this.value())
    }
    if (end === '[') {
      const next = this.index()
      if (before !== undefined && before !== null && !isList(before)) {
        throw new SetFault(`'${shown(path)}' is no list, so it has no [${next}]`)
      }
      const inner = isList(before) ? before : []
      return withItem(list, index, this.item(inner, [...path, next], level))
    }
    if (level >= MOST_LEVELS) throw new SetFault(`more than ${MOST_LEVELS} levels`)
    return withItem(list, index, this.entry(isObject(before) ? before : {}, path, level + 1))
  }

  /** Behind `=`: text up to a comma, or `{a,b}`. */
  private value(): Json {
    if (this.text[this.at] !== '{') return this.scalar()
    this.at += 1
    const items: Json[] = []
    for (;;) {
      const { text, end } = this.until(',}')
      if (end === undefined) throw new SetFault("a list must end with '}'")
      items.push(this.toValue(text))
      if (end === ',') continue
      if (this.text[this.at] === ',') this.at += 1
      return items
    }
  }

  private scalar(): Json {
    if (this.at >= this.text.length) return ''
    return this.toValue(this.until(',').text)
  }

  private index(): number {
    const { text, end } = this.until(']')
    const isNumber = /^[+-]?\d+$/.test(text)
    const index = Number(text)
    if (end === undefined || !isNumber) throw new SetFault(`[${text}] is no position in a list`)
    if (index < 0 || index > MOST_ITEMS) {
      throw new SetFault(`[${text}] is not between 0 and ${MOST_ITEMS}`)
    }
    return index
  }

  /** Text up to one of the signs, which is passed over; a backslash takes the next sign as it is. */
  private until(signs: string): Part {
    let text = ''
    while (this.at < this.text.length) {
      const sign = this.text[this.at] ?? ''
      this.at += 1
      if (signs.includes(sign)) return { text, end: sign }
      if (sign !== '\\') text += sign
      else {
        text += this.text[this.at] ?? ''
        this.at += 1
      }
    }
    return { text, end: undefined }
  }
}

/** Helm sets nothing under an empty key. */
function put(map: JsonObject, key: string, value: Json): JsonObject {
  return key === '' ? map : Object.fromEntries([...Object.entries(map), [key, value]])
}

function own(map: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined
}

function withItem(list: readonly Json[], index: number, value: Json): readonly Json[] {
  const longer = Array.from(
    { length: Math.max(list.length, index + 1) },
    (_, at) => list[at] ?? null,
  )
  longer[index] = value
  return longer
}

function shown(path: Path): string {
  return path.join('.')
}
