import { isMap, isNil, isSequence, typeOf, type Value } from './value.ts'

/** What Go says before it calls a function. */
export class ArgumentError extends Error {}

/**
 * Throws where Go's text/template refuses the arguments of a function. `isPiped`: the last one came
 * through a pipe, where nil has no type left.
 */
export function checkArguments(name: string, values: readonly Value[], isPiped: boolean): void {
  const signature = Object.hasOwn(SIGNATURES, name) ? SIGNATURES[name] : undefined
  if (signature === undefined) return
  const isVariadic = signature.endsWith('*')
  const kinds = isVariadic ? signature.slice(0, -1) : signature
  const fixed = isVariadic ? kinds.length - 1 : kinds.length
  if (values.length < fixed || (!isVariadic && values.length > fixed)) {
    const least = isVariadic ? 'at least ' : ''
    throw new ArgumentError(
      `wrong number of args for ${name}: want ${least}${fixed} got ${values.length}`,
    )
  }
  values.forEach((value, at) => {
    const kind = kinds.charAt(Math.min(at, kinds.length - 1))
    const type = TYPES[kind]
    if (type === undefined || fits(kind, value)) return
    if (isNil(value) && isPiped && at === values.length - 1) {
      throw new ArgumentError(`invalid value; expected ${type}`)
    }
    const got = isNil(value) ? 'interface {}' : typeOf(value)
    throw new ArgumentError(`wrong type for value; expected ${type}; got ${got}`)
  })
}

function fits(kind: string, value: Value): boolean {
  switch (kind) {
    case 's':
      return typeof value === 'string'
    case 'i':
      return typeof value === 'bigint'
    case 'b':
      return typeof value === 'boolean'
    case 'm':
      return isMap(value) || isNil(value)
    case 'l':
      return isSequence(value) || isNil(value)
    default:
      return true
  }
}

const TYPES: { readonly [kind: string]: string } = {
  s: 'string',
  i: 'int',
  b: 'bool',
  m: 'map[string]interface {}',
  l: '[]interface {}',
}

/** By letter: s text, i int, b bool, m map, l list, a anything, `*`: the last one any number of times. */
const SIGNATURES: { readonly [name: string]: string } = {
  // Go
  and: 'aa*',
  or: 'aa*',
  not: 'a',
  eq: 'aa*',
  ne: 'aa',
  lt: 'aa',
  le: 'aa',
  gt: 'aa',
  ge: 'aa',
  len: 'a',
  index: 'aa*',
  print: 'a*',
  println: 'a*',
  printf: 'sa*',
  html: 'a*',
  js: 'a*',
  urlquery: 'a*',
  call: 'aa*',
  // Helm
  include: 'sa',
  tpl: 'sa',
  required: 'sa',
  lookup: 'ssss',
  fail: 's',
  toYaml: 'a',
  mustToYaml: 'a',
  toYamlPretty: 'a',
  fromYaml: 's',
  fromYamlArray: 's',
  toJson: 'a',
  mustToJson: 'a',
  fromJson: 's',
  fromJsonArray: 's',
  toToml: 'a',
  fromToml: 's',
  mustToToml: 'a',
  // Text
  abbrev: 'is',
  abbrevboth: 'iis',
  trunc: 'is',
  trim: 's',
  upper: 's',
  lower: 's',
  title: 's',
  untitle: 's',
  substr: 'iis',
  repeat: 'is',
  trimAll: 'ss',
  trimall: 'ss',
  trimSuffix: 'ss',
  trimPrefix: 'ss',
  nospace: 's',
  initials: 's',
  swapcase: 's',
  shuffle: 's',
  snakecase: 's',
  camelcase: 's',
  kebabcase: 's',
  wrap: 'is',
  wrapWith: 'iss',
  contains: 'ss',
  hasPrefix: 'ss',
  hasSuffix: 'ss',
  quote: 'a*',
  squote: 'a*',
  cat: 'a*',
  indent: 'is',
  nindent: 'is',
  replace: 'sss',
  plural: 'ssi',
  sha1sum: 's',
  sha256sum: 's',
  sha512sum: 's',
  adler32sum: 's',
  toString: 'a',
  toStrings: 'a',
  split: 'ss',
  splitList: 'ss',
  splitn: 'sis',
  join: 'sa',
  sortAlpha: 'a',
  b64enc: 's',
  b64dec: 's',
  b32enc: 's',
  b32dec: 's',
  regexMatch: 'ss',
  mustRegexMatch: 'ss',
  regexFindAll: 'ssi',
  mustRegexFindAll: 'ssi',
  regexFind: 'ss',
  mustRegexFind: 'ss',
  regexReplaceAll: 'sss',
  mustRegexReplaceAll: 'sss',
  regexReplaceAllLiteral: 'sss',
  mustRegexReplaceAllLiteral: 'sss',
  regexSplit: 'ssi',
  mustRegexSplit: 'ssi',
  regexQuoteMeta: 's',
  hello: '',
  base: 's',
  dir: 's',
  clean: 's',
  ext: 's',
  isAbs: 's',
  osBase: 's',
  osDir: 's',
  osClean: 's',
  osExt: 's',
  osIsAbs: 's',
  urlParse: 's',
  urlJoin: 'm',
  getHostByName: 's',
  // Numbers
  atoi: 's',
  int: 'a',
  int64: 'a',
  float64: 'a',
  toDecimal: 'a',
  seq: 'i*',
  until: 'i',
  untilStep: 'iii',
  add1: 'a',
  add: 'a*',
  sub: 'aa',
  div: 'aa',
  mod: 'aa',
  mul: 'aa*',
  randInt: 'ii',
  add1f: 'a',
  addf: 'a*',
  subf: 'aa*',
  divf: 'aa*',
  mulf: 'aa*',
  biggest: 'aa*',
  max: 'aa*',
  min: 'aa*',
  maxf: 'aa*',
  minf: 'aa*',
  ceil: 'a',
  floor: 'a',
  round: 'aia*',
  // Choices and kinds
  default: 'aa*',
  empty: 'a',
  coalesce: 'a*',
  all: 'a*',
  any: 'a*',
  ternary: 'aab',
  compact: 'a',
  mustCompact: 'a',
  deepCopy: 'a',
  mustDeepCopy: 'a',
  typeOf: 'a',
  typeIs: 'sa',
  typeIsLike: 'sa',
  kindOf: 'a',
  kindIs: 'sa',
  deepEqual: 'aa',
  toPrettyJson: 'a',
  toRawJson: 'a',
  mustToPrettyJson: 'a',
  mustToRawJson: 'a',
  mustFromJson: 's',
  // Lists and maps
  tuple: 'a*',
  list: 'a*',
  dict: 'a*',
  get: 'ms',
  set: 'msa',
  unset: 'ms',
  hasKey: 'ms',
  pluck: 'sm*',
  keys: 'm*',
  pick: 'ms*',
  omit: 'ms*',
  merge: 'mm*',
  mergeOverwrite: 'mm*',
  mustMerge: 'mm*',
  mustMergeOverwrite: 'mm*',
  values: 'm',
  dig: 'a*',
  append: 'aa',
  push: 'aa',
  mustAppend: 'aa',
  mustPush: 'aa',
  prepend: 'aa',
  mustPrepend: 'aa',
  first: 'a',
  mustFirst: 'a',
  rest: 'a',
  mustRest: 'a',
  last: 'a',
  mustLast: 'a',
  initial: 'a',
  mustInitial: 'a',
  reverse: 'a',
  mustReverse: 'a',
  uniq: 'a',
  mustUniq: 'a',
  without: 'aa*',
  mustWithout: 'aa*',
  has: 'aa',
  mustHas: 'aa',
  slice: 'aa*',
  mustSlice: 'aa*',
  concat: 'a*',
  chunk: 'ia',
  mustChunk: 'ia',
  // Time, chance, secrets
  now: '',
  ago: 'a',
  date: 'sa',
  date_in_zone: 'sas',
  dateInZone: 'sas',
  dateModify: 'sa',
  date_modify: 'sa',
  mustDateModify: 'sa',
  must_date_modify: 'sa',
  duration: 'a',
  durationRound: 'a',
  htmlDate: 'a',
  htmlDateInZone: 'as',
  toDate: 'ss',
  mustToDate: 'ss',
  unixEpoch: 'a',
  randAlphaNum: 'i',
  randAlpha: 'i',
  randAscii: 'i',
  randNumeric: 'i',
  randBytes: 'i',
  uuidv4: '',
  bcrypt: 's',
  htpasswd: 'ss',
  genPrivateKey: 's',
  derivePassword: 'issss',
  buildCustomCert: 'ss',
  genCA: 'si',
  genCAWithKey: 'sis',
  genSelfSignedCert: 'slli',
  genSelfSignedCertWithKey: 'sllis',
  genSignedCert: 'sllia',
  genSignedCertWithKey: 'sllias',
  encryptAES: 'ss',
  decryptAES: 'ss',
  semver: 's',
  semverCompare: 'ss',
}

/** Names that Helm 3.17 or 4.1 knows. */
export const HELM_FUNCTIONS: ReadonlySet<string> = new Set(Object.keys(SIGNATURES))
