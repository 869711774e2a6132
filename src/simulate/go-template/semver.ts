import { GoObject, type Value } from './value.ts'

/** A semantic version as Masterminds/semver reads it: parts may be missing. */
export interface Version {
  readonly numbers: readonly [bigint, bigint, bigint]
  readonly pre: string
  readonly build: string
  readonly original: string
}

const IDENTIFIERS = '[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*'
const VERSION = new RegExp(
  `^v?(\\d+)(?:\\.(\\d+))?(?:\\.(\\d+))?(?:-(${IDENTIFIERS}))?(?:\\+(${IDENTIFIERS}))?$`,
)

export function parseVersion(text: string): Version {
  const match = text.length > 256 ? null : VERSION.exec(text)
  if (match === null) throw new Error('invalid semantic version')
  const [, major = '0', minor = '0', patch = '0', pre = '', build = ''] = match
  if (pre.split('.').some((part) => /^0\d+$/.test(part))) {
    throw new Error('version segment starts with 0')
  }
  return {
    numbers: [BigInt(major), BigInt(minor), BigInt(patch)],
    pre,
    build,
    original: text,
  }
}

function compareVersions(one: Version, other: Version): number {
  for (const [at, number] of one.numbers.entries()) {
    const another = other.numbers[at] ?? 0n
    if (number !== another) return number < another ? -1 : 1
  }
  return comparePre(one.pre, other.pre)
}

/** A version without a pre-release is the newer one; numbers come before words. */
function comparePre(one: string, other: string): number {
  if (one === other) return 0
  if (one === '' || other === '') return one === '' ? 1 : -1
  const [left, right] = [one.split('.'), other.split('.')]
  for (let at = 0; at < Math.max(left.length, right.length); at += 1) {
    const [a, b] = [left[at], right[at]]
    if (a === b) continue
    if (a === undefined || b === undefined) return a === undefined ? -1 : 1
    const [isNumberA, isNumberB] = [/^\d+$/.test(a), /^\d+$/.test(b)]
    if (isNumberA && isNumberB) return BigInt(a) < BigInt(b) ? -1 : 1
    if (isNumberA !== isNumberB) return isNumberA ? -1 : 1
    return a < b ? -1 : 1
  }
  return 0
}

const OPERATOR = '=>|=<|!=|>=|<=|~>|=|>|<|~|\\^|'
const PART = '[0-9xX*]+'
const LOOSE = `v?(${PART})(?:\\.(${PART}))?(?:\\.(${PART}))?(?:-(${IDENTIFIERS}))?(?:\\+${IDENTIFIERS})?`
const BARE = LOOSE.replaceAll(/\((?!\?)/g, '(?:')
const TERM = new RegExp(`(${OPERATOR})\\s*(${LOOSE})`, 'g')
const WHOLE = new RegExp(
  `^\\s*(?:${OPERATOR})\\s*${BARE}\\s*(?:(?:\\s+|,\\s*)(?:${OPERATOR})\\s*${BARE}\\s*)*$`,
)
const SPREAD = new RegExp(`\\s*(${BARE})\\s+-\\s+(${BARE})\\s*`, 'g')

interface Term {
  readonly operator: string
  readonly version: Version
  /** Up to which part the version is given: 0 none, 1 major, 2 minor, 3 all. */
  readonly given: number
}

/** Whether a version is in a range; throws for what is no range. */
export function satisfies(range: string, version: Version): boolean {
  if (range.length > 1000) throw new Error('the range is longer than 1000 letters')
  const alternatives = range
    .replaceAll(SPREAD, '>= $1, <= $2 ')
    .split('||')
    .map((part) => termsOf(part))
  return alternatives.some((terms) => {
    const takesPre = terms.some((term) => term.version.pre !== '')
    if (version.pre !== '' && !takesPre) return false
    return terms.every((term) => meets(version, term))
  })
}

function termsOf(part: string): readonly Term[] {
  if (part === '') return [{ operator: '', version: parseVersion('0.0.0'), given: 0 }]
  if (!WHOLE.test(part)) throw new Error(`improper constraint: ${part}`)
  return [...part.matchAll(TERM)].map(([, operator = '', , major, minor, patch, pre]) => {
    const isOpen = (text: string | undefined): boolean => text === undefined || /^[xX*]$/.test(text)
    const parts = [major, minor, patch]
    const open = parts.findIndex(isOpen)
    const given = open < 0 ? 3 : open
    const numbers = [0, 1, 2].map((at) => (at < given ? (parts[at] ?? '0') : '0'))
    const tail = pre === undefined ? '' : `-${pre}`
    return { operator, version: parseVersion(`${numbers.join('.')}${tail}`), given }
  })
}

function meets(version: Version, { operator, version: limit, given }: Term): boolean {
  const order = compareVersions(version, limit)
  const [major, minor, patch] = limit.numbers
  const [ownMajor, ownMinor, ownPatch] = version.numbers
  switch (operator) {
    case '>':
      if (given === 3 || ownMajor !== major) return order > 0
      return given === 2 && ownMinor > minor
    case '>=':
    case '=>':
      return order >= 0
    case '<':
      return order < 0
    case '<=':
    case '=<':
      if (given === 3) return order <= 0
      return ownMajor < major || (ownMajor === major && (ownMinor <= minor || given < 2))
    case '!=':
      if (given === 3) return order !== 0
      if (ownMajor !== major) return true
      if (given < 2) return false
      return ownMinor !== minor || version.pre !== limit.pre
    case '^':
      if (order < 0) return false
      if (major > 0n || given < 2) return given === 0 || ownMajor === major
      if (ownMajor > 0n) return false
      if (minor > 0n || given === 2) return ownMinor === minor
      return ownMinor === 0n && ownPatch === patch
    case '~':
    case '~>':
      return isNear(version, limit, given)
    default:
      return given === 3 ? order === 0 : isNear(version, limit, given)
  }
}

function isNear(version: Version, limit: Version, given: number): boolean {
  if (compareVersions(version, limit) < 0) return false
  const isZero = limit.numbers.every((number) => number === 0n)
  if (given === 0 || (isZero && given === 3)) return true
  if (version.numbers[0] !== limit.numbers[0]) return false
  return given < 2 || version.numbers[1] === limit.numbers[1]
}

/** What the function `semver` gives. */
export function versionObject(version: Version): Value {
  const { numbers, pre, build, original } = version
  const text = `${numbers.join('.')}${pre === '' ? '' : `-${pre}`}${build === '' ? '' : `+${build}`}`
  return new GoObject({
    type: '*semver.Version',
    kind: 'ptr',
    text,
    json: text,
    methods: {
      Major: () => numbers[0],
      Minor: () => numbers[1],
      Patch: () => numbers[2],
      Prerelease: () => pre,
      Metadata: () => build,
      Original: () => original,
      String: () => text,
      Compare: (other) => BigInt(compareVersions(version, versionIn(other))),
      Equal: (other) => compareVersions(version, versionIn(other)) === 0,
      LessThan: (other) => compareVersions(version, versionIn(other)) < 0,
      GreaterThan: (other) => compareVersions(version, versionIn(other)) > 0,
    },
  })
}

function versionIn(value: Value): Version {
  if (!(value instanceof GoObject)) throw new Error('expected *semver.Version')
  return parseVersion(value.text)
}
