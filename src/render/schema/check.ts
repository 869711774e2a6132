import { didYouMean, nearest } from '../../core/nearest.ts'
import { isList, isObject, type Json, type JsonObject, type Path } from '../../core/json.ts'
import { isDnsLabel } from '../names.ts'
import { problemOf, type JobGroupCode, type RenderProblem } from '../problems.ts'
import { GROUP_FIELDS } from './job-fields.ts'
import { REMOVED_KEYS, ROOT_FIELDS } from './root-fields.ts'
import { wanted, type Fields, type Shape } from './shape.ts'

export interface Checked {
  /** The values without what is wrong in them, so that all that follows can rely on types. */
  readonly values: JsonObject
  readonly problems: readonly RenderProblem[]
}

/**
 * Everything that one value alone can tell: types, names of keys, allowed values. Goes on after
 * each problem, so that all of them are found in one run.
 */
export function checkValues(values: Json, options: { readonly sharedValues: boolean }): Checked {
  const check = new Check(options.sharedValues)
  const checked = check.root(values)
  return { values: checked, problems: check.problems }
}

class Check {
  readonly problems: RenderProblem[] = []
  private readonly shared: boolean

  constructor(shared: boolean) {
    this.shared = shared
  }

  root(values: Json): JsonObject {
    if (!isObject(values)) {
      this.wrongType(values, [], 'a mapping')
      return {}
    }
    const kept = Object.entries(values).filter(
      ([key, value]) => value !== null && !this.isRemovedKey(key),
    )
    return this.fields(Object.fromEntries(kept), [], ROOT_FIELDS) ?? {}
  }

  private isRemovedKey(key: string): boolean {
    const instead = Object.hasOwn(REMOVED_KEYS, key) ? REMOVED_KEYS[key] : undefined
    if (instead === undefined) return false
    const text = `'${key}' was removed`
    this.say('JG100', [key], { text, remedy: `write it as ${instead}, below jobGroups` })
    return true
  }

  /** The value as far as it is right; undefined when nothing of it is. */
  private value(value: Json, path: Path, shape: Shape): Json | undefined {
    if (value === null) return null
    switch (shape.is) {
      case 'text':
        return this.text(value, path, shape)
      case 'integer':
        return this.integer(value, path, shape)
      case 'boolean':
        return typeof value === 'boolean' ? value : this.wrongType(value, path, wanted(shape))
      case 'command':
        return isList(value) ? this.texts(value, path) : this.text(value, path, shape)
      case 'textList':
        if (isList(value)) return this.texts(value, path)
        return shape.orText === true
          ? this.text(value, path, shape)
          : this.wrongType(value, path, wanted(shape))
      case 'wave':
        return this.wave(value, path)
      case 'flags':
        if (typeof value === 'boolean') return value
        return this.map(value, path, { of: { is: 'boolean' }, wants: wanted(shape) })
      case 'env':
        return this.env(value, path)
      case 'map':
        return this.map(value, path, { of: shape.of, dnsNames: shape.dnsNames === true })
      case 'fields':
        return this.fields(value, path, shape.fields, shape.open === true)
      case 'kubernetes':
        return this.kubernetes(value, path, shape)
      default:
        return undefined
    }
  }

  private text(value: Json, path: Path, shape: Shape): Json | undefined {
    if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') {
      this.say('JG116', path, {
        text: `must be ${wanted(shape)}, is ${kindOf(value)} ${String(value)}`,
        remedy: QUOTE,
        on: 'value',
      })
      return undefined
    }
    if (typeof value !== 'string') return this.wrongType(value, path, wanted(shape))
    if (HALF_A_PAIR.test(value)) return this.wrongType(value, path, 'text of whole characters')
    const allowed = shape.is === 'text' ? shape.oneOf : undefined
    if (allowed === undefined || allowed.includes(value)) return value
    this.say('JG104', path, {
      text: `must be ${wanted(shape)}, is ${shown(value)}.${didYouMean(value, allowed)}`.replace(
        /\.$/,
        '',
      ),
      remedy: `write ${nearest(value, allowed) ?? allowed[0] ?? ''}, or leave it out`,
      on: 'value',
    })
    return undefined
  }

  private texts(list: readonly Json[], path: Path): Json {
    return list.flatMap((item, index) => {
      const kept =
        item === null
          ? this.wrongType(item, [...path, index], 'text')
          : this.text(item, [...path, index], { is: 'text' })
      return kept === undefined ? [] : [kept]
    })
  }

  private integer(value: Json, path: Path, shape: Shape & { is: 'integer' }): Json | undefined {
    const { least } = shape
    const isWhole = typeof value === 'number' && Number.isSafeInteger(value)
    if (isWhole && (least === undefined || value >= least)) return value
    return this.wrongType(value, path, wanted(shape))
  }

  private wave(value: Json, path: Path): Json | undefined {
    if (typeof value === 'number' && Number.isSafeInteger(value)) return value
    if (typeof value === 'string' && /^-?\d+$/.test(value)) return value
    return this.wrongType(value, path, 'a whole number')
  }

  private env(value: Json, path: Path): Json | undefined {
    if (!isObject(value)) return this.wrongType(value, path, 'a mapping of names to variables')
    return this.entries(value, path, (entry, at) => this.variable(entry, at))
  }

  private variable(entry: Json, path: Path): Json | undefined {
    if (entry === null) return null
    if (!isObject(entry)) return this.text(entry, path, { is: 'text' })
    const given = Object.keys(entry).filter((key) => entry[key] !== null)
    const others = given.filter((key) => key !== 'value' && key !== 'valueFrom')
    const both = given.includes('value') && given.includes('valueFrom')
    if (others.length > 0 || both || given.length === 0) {
      const found = both
        ? 'has both'
        : others.length > 0
          ? `has '${others.join("', '")}'`
          : 'has none'
      this.say('JG117', path, {
        text: `a variable has exactly one of value and valueFrom, and this one ${found}`,
        remedy: 'write NAME: "text", or NAME: {valueFrom: {...}}',
      })
      return undefined
    }
    const { value, valueFrom } = entry
    if (value !== undefined && value !== null) {
      return this.text(value, [...path, 'value'], { is: 'text' })
    }
    const shape = { is: 'kubernetes', type: 'object' } as const
    const source = this.kubernetes(valueFrom ?? null, [...path, 'valueFrom'], shape)
    return source === undefined ? undefined : { valueFrom: source }
  }

  private map(
    value: Json,
    path: Path,
    {
      of,
      dnsNames = false,
      wants = 'a mapping',
    }: { of: Shape; dnsNames?: boolean; wants?: string },
  ): Json | undefined {
    if (!isObject(value)) return this.wrongType(value, path, wants)
    return this.entries(value, path, (entry, at, name) => {
      if (dnsNames && entry !== null && !isDnsLabel(name)) {
        this.say('JG103', at, {
          text: `'${name}' is no DNS-1123 label`,
          remedy: 'use at most 63 of a-z, 0-9 and -, with a letter or digit at both ends',
        })
      }
      return this.value(entry, at, of)
    })
  }

  private fields(value: Json, path: Path, fields: Fields, isOpen = false): JsonObject | undefined {
    if (!isObject(value)) {
      this.wrongType(value, path, 'a mapping')
      return undefined
    }
    return this.entries(value, path, (entry, at, key) => {
      const field = Object.hasOwn(fields, key) ? fields[key] : undefined
      if (field !== undefined) return this.value(entry, at, field.shape)
      if (!isOpen) this.unknownKey(key, at, fields)
      return undefined
    })
  }

  private unknownKey(key: string, path: Path, fields: Fields): void {
    const isTop = path.length === 1
    const meant = nearest(key, Object.keys(fields))
    // Others may well have keys that look like ours; without jobGroups there is nothing to render.
    if (isTop && this.shared && meant !== 'jobGroups') return
    const elsewhere = elsewhereOf(key, path, fields)
    const remedies = [
      elsewhere ?? (meant === undefined ? 'remove it' : `write ${meant}`),
      ...(isTop && !this.shared ? ['or say --shared-values when the file has other readers'] : []),
    ]
    const hint = elsewhere === undefined ? didYouMean(key, Object.keys(fields)) : ''
    const text = `unknown key '${key}'${hint === '' ? '' : `.${hint}`}`
    this.say('JG102', path, { text, remedy: remedies.join(', ') })
  }

  private kubernetes(
    value: Json,
    path: Path,
    shape: Shape & { is: 'kubernetes' },
  ): Json | undefined {
    if (shape.type === 'list') {
      if (!isList(value)) return this.wrongType(value, path, wanted(shape))
      return value.flatMap((item, index) => {
        if (!isObject(item)) this.wrongType(item, [...path, index], 'a mapping')
        const kept = isObject(item) ? this.plain(item, [...path, index]) : undefined
        return kept === undefined ? [] : [kept]
      })
    }
    if (!isObject(value)) return this.wrongType(value, path, wanted(shape))
    const { without } = shape
    if (without !== undefined && value[without] !== undefined) {
      const text = `unknown key '${without}'`
      const remedy = 'remove it: the key above is the name'
      this.say('JG102', [...path, without], { text, remedy })
    }
    return this.plain(value, path)
  }

  /** What has a canonical form: no fractions, no numbers beyond 2^53. */
  private plain(value: Json, path: Path): Json | undefined {
    if (typeof value === 'bigint' || (typeof value === 'number' && !Number.isSafeInteger(value))) {
      this.say('JG104', path, {
        text: `must be a whole number or text, is ${String(value)}`,
        remedy: QUOTE,
        on: 'value',
      })
      return undefined
    }
    if (isList(value)) {
      return value.flatMap((item, index) => {
        const kept = this.plain(item, [...path, index])
        return kept === undefined ? [] : [kept]
      })
    }
    if (typeof value === 'string') return this.text(value, path, { is: 'text' })
    if (!isObject(value)) return value
    return this.entries(value, path, (entry, at) => this.plain(entry, at))
  }

  private entries(
    value: JsonObject,
    path: Path,
    check: (entry: Json, at: Path, key: string) => Json | undefined,
  ): JsonObject {
    const kept = Object.entries(value).flatMap(([key, entry]) => {
      if (entry === undefined) return []
      if (HALF_A_PAIR.test(key)) {
        this.wrongType(key, path, 'a key of whole characters')
        return []
      }
      const checked = check(entry, [...path, key], key)
      return checked === undefined ? [] : [[key, checked] as const]
    })
    return Object.fromEntries(kept)
  }

  private wrongType(value: Json, path: Path, wants: string): undefined {
    this.say('JG104', path, {
      text: `must be ${wants}, is ${kindOf(value)}${isPlain(value) ? ` ${shown(value)}` : ''}`,
      remedy: remedyFor(value, path, wants),
      on: 'value',
    })
    return undefined
  }

  private say(
    code: JobGroupCode,
    path: Path,
    said: { text: string; remedy: string; on?: 'key' | 'value' },
  ): void {
    this.problems.push(problemOf(code, path, said))
  }
}

/** Without the value: `1.20` would be shown as 1.2, and `yes` as true. */
const QUOTE = 'put it into quotes, as it is written there'

function remedyFor(value: Json, path: Path, wants: string): string {
  if (path.length === 0) return 'write keys and values'
  const isQuoted = typeof value === 'string' && /^(?:true|false|-?\d+)$/.test(value)
  const isWanted = wants.startsWith('true') || wants.startsWith('a whole number')
  return isQuoted && isWanted ? 'write it without quotes' : `write ${wants}, or leave it out`
}

/** Half a surrogate pair has no form in UTF-8, so it can be neither written nor hashed. */
const HALF_A_PAIR = /\p{Surrogate}/u

/** A key that is right on another level. */
function elsewhereOf(key: string, path: Path, fields: Fields): string | undefined {
  const isGroup = fields === GROUP_FIELDS
  const isJob = path.length === 5 && path[0] === 'jobGroups' && path[2] === 'jobs'
  if (isGroup && key === 'adoptName')
    return 'write it on the job, since every object has its own name'
  if (isJob && (key === 'kind' || key === 'jobs'))
    return `write it on the group: ${key} is a key of groups`
  const isShared = Object.hasOwn(ROOT_FIELDS, key) && (isGroup || isJob)
  return isShared ? 'write it at the top of the values' : undefined
}

function isPlain(value: Json): boolean {
  return value !== null && !isList(value) && !isObject(value)
}

function shown(value: Json): string {
  if (isList(value) || isObject(value)) return ''
  const text = typeof value === 'string' ? `'${value}'` : String(value)
  return text.length > 60 ? `${text.slice(0, 59)}…` : text
}

function kindOf(value: Json): string {
  if (value === null) return 'empty'
  if (isList(value)) return 'a list'
  if (isObject(value)) return 'a mapping'
  if (typeof value === 'string') return 'the text'
  return typeof value === 'boolean' ? 'the boolean' : 'the number'
}
