/** A tag as a semantic version; undefined for what is none. */
interface Version {
  readonly numbers: readonly [number, number, number]
  readonly pre: string
}

const VERSION = /^v?(\d+)(?:\.(\d+))?(?:\.(\d+))?(?:-([0-9A-Za-z.-]+))?(?:\+.*)?$/

function versionOf(text: string): Version | undefined {
  const [whole, major = '0', minor = '0', patch = '0', pre = ''] = VERSION.exec(text) ?? []
  if (whole === undefined) return undefined
  return { numbers: [Number(major), Number(minor), Number(patch)], pre }
}

function compare(one: Version, other: Version): number {
  for (let at = 0; at < 3; at += 1) {
    const apart = (one.numbers[at] ?? 0) - (other.numbers[at] ?? 0)
    if (apart !== 0) return apart
  }
  if (one.pre === other.pre) return 0
  if (one.pre === '' || other.pre === '') return one.pre === '' ? 1 : -1
  return one.pre < other.pre ? -1 : 1
}

/**
 * Whether a tag is in a range as Masterminds/semver reads it: `>=1.0.0 <2`, `1.x`, `^1.2`, `~1.2.3`,
 * `1.0.0 - 2.0.0`, alternatives with `||`. Releases before a version count only when the range
 * names one. A tag that is no version is in no range.
 */
export function isSatisfied(tag: string, range: string): boolean {
  const version = versionOf(tag)
  if (version === undefined) return false
  return range.split('||').some((part) => {
    const spread = part.replace(/(\S+)\s+-\s+(\S+)/, '>=$1 <=$2')
    const terms = spread.match(/(?:[<>=!~^]+\s*)?[^\s,<>=!~^]+/g) ?? []
    const allowsPre = version.pre === '' || terms.some((term) => /\d-/.test(term))
    return allowsPre && terms.every((term) => meets(version, term))
  })
}

function meets(version: Version, term: string): boolean {
  const [, sign = '', text = ''] = /^([<>=!~^]*)\s*(.*)$/.exec(term) ?? []
  const parts = text.replace(/^v/, '').split(/[.-]/).slice(0, 3)
  const isWild = (part: string | undefined): boolean => part === undefined || /^[xX*]$/.test(part)
  if (isWild(parts[0]) || text === '') return true
  const low = versionOf(text.replace(/\.[xX*].*$/, ''))
  if (low === undefined) return false
  const [major, minor, patch] = low.numbers
  const below = (top: Version['numbers']): boolean =>
    compare(version, low) >= 0 && compare(version, { numbers: top, pre: '' }) < 0
  const minorTop = (): Version['numbers'] =>
    isWild(parts[1]) ? [major + 1, 0, 0] : [major, minor + 1, 0]
  switch (sign) {
    case '>':
      return compare(version, low) > 0
    case '>=':
    case '=>':
      return compare(version, low) >= 0
    case '<':
      return compare(version, low) < 0
    case '<=':
    case '=<':
      return compare(version, low) <= 0
    case '!=':
      return compare(version, low) !== 0
    case '~':
    case '~>':
      return below(minorTop())
    case '^':
      if (major > 0 || isWild(parts[1])) return below([major + 1, 0, 0])
      return minor > 0 || isWild(parts[2]) ? below([0, minor + 1, 0]) : below([0, 0, patch + 1])
    default:
      return isWild(parts[2]) ? below(minorTop()) : compare(version, low) === 0
  }
}

/** Tags by their versions, the newest first; what is no version comes last, by its text. */
export function newestFirst(tags: readonly string[]): readonly string[] {
  return [...tags].sort((one, other) => {
    const [a, b] = [versionOf(one), versionOf(other)]
    if (a !== undefined && b !== undefined) return compare(b, a)
    if (a !== undefined || b !== undefined) return a === undefined ? 1 : -1
    return one < other ? 1 : -1
  })
}
