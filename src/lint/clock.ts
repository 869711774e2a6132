import { words, type Expression } from './expressions.ts'

/** What makes two renderings of the same inputs differ. */
export interface Unsteady {
  /** `revision`: surely the commit; `commit`: a variable that is called like one. */
  readonly kind: 'clock' | 'random' | 'release' | 'cluster' | 'commit' | 'revision'
  /** For a sentence: `the clock (now)`. */
  readonly words: string
}

/**
 * The first part of an expression that does not follow from the inputs. kro's
 * random.seededString is no such part: it is a function of its seed.
 */
export function unsteadyPart(expression: Expression): Unsteady | undefined {
  const { calls, release, language } = expression
  if (language === 'variable') return commitVariable(expression)
  if (language === 'cel') return undefined
  const has = (known: ReadonlySet<string>): string | undefined =>
    [...calls].find((call) => known.has(call))
  const clock = has(CLOCKS) ?? (has(DATED) === undefined ? has(DATES) : undefined)
  if (clock !== undefined) return { kind: 'clock', words: `the clock (${clock})` }
  const chance = has(RANDOM)
  if (chance !== undefined) return { kind: 'random', words: `chance (${chance})` }
  const field = release.map(firstTwo).find((name) => RELEASE.has(name))
  if (field === '.Release.Time') return { kind: 'clock', words: `the clock (${field})` }
  if (field !== undefined) return { kind: 'release', words: field }
  if (calls.has('lookup')) return { kind: 'cluster', words: 'what the cluster holds (lookup)' }
  return undefined
}

/** `.Release.Time` of `.Release.Time.Seconds`. */
function firstTwo(field: string): string {
  return field.split('.').slice(0, 3).join('.')
}

/** `${GIT_SHA}` and the like: only where the words of the name say so. */
function commitVariable({ inputs }: Expression): Unsteady | undefined {
  const [name = ''] = inputs
  const parts = name.toUpperCase().split('_')
  if (parts.some((part) => CONTENT.has(part))) return undefined
  if (!parts.some((part) => COMMIT.has(part))) return undefined
  return { kind: 'commit', words: `the variable ${name}` }
}

const CLOCKS: ReadonlySet<string> = new Set(['now', 'ago'])
/** Given a text or a number of YAML, sprig's date functions take the current time instead. */
const DATES: ReadonlySet<string> = words('date dateInZone date_in_zone htmlDate htmlDateInZone')
const DATED: ReadonlySet<string> = words('toDate mustToDate must_to_date int int64 atoi')
const RANDOM: ReadonlySet<string> = words(
  'randAlphaNum randAlpha randNumeric randAscii randBytes randInt uuidv4 shuffle htpasswd ' +
    'bcrypt encryptAES genPrivateKey genCA genCAWithKey genSelfSignedCert ' +
    'genSelfSignedCertWithKey genSignedCert genSignedCertWithKey',
)
const RELEASE: ReadonlySet<string> = words(
  '.Release.Revision .Release.Time .Release.IsInstall .Release.IsUpgrade',
)
const COMMIT: ReadonlySet<string> = words('REVISION COMMIT SHA BUILD DATE TIME TIMESTAMP')
/** A digest of what runs is the opposite of a clock. */
const CONTENT: ReadonlySet<string> = words(
  'IMAGE DIGEST CONFIG SCRIPT CONTENT HASH CHECKSUM SPEC VALUES',
)
