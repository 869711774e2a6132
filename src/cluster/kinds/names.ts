import { byteLength } from '../../core/text.ts'

/** Checks of text as apimachinery words them; each gives the messages, none when all is well. */
type Check = (value: string) => readonly string[]

const OK: readonly string[] = []
const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?'
const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`
const LABEL_UNDERSCORE = '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?'
const SUBDOMAIN_UNDERSCORE = `${LABEL_UNDERSCORE}(\\.${LABEL_UNDERSCORE})*`
const KEY = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]'
const CONFIG_KEY = '[-._a-zA-Z0-9]+'
const ENV_NAME = '[-._a-zA-Z][-._a-zA-Z0-9]*'
const HEADER = '[-A-Za-z0-9]+'
const PATH = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+"

const LABEL_REGEX = new RegExp(`^${LABEL}$`)
const SUBDOMAIN_REGEX = new RegExp(`^${SUBDOMAIN}$`)
const SUBDOMAIN_UNDERSCORE_REGEX = new RegExp(`^${SUBDOMAIN_UNDERSCORE}$`)
const KEY_REGEX = new RegExp(`^${KEY}$`)
const CONFIG_KEY_REGEX = new RegExp(`^${CONFIG_KEY}$`)
const ENV_NAME_REGEX = new RegExp(`^${ENV_NAME}$`)
const HEADER_REGEX = new RegExp(`^${HEADER}$`)
const PATH_REGEX = new RegExp(`^${PATH}$`)

const ENDS = 'and must start and end with an alphanumeric character'
const LABEL_MESSAGE = regexMessage(
  `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', ${ENDS}`,
  LABEL,
  ['my-name', '123-abc'],
)
const SUBDOMAIN_MESSAGE = regexMessage(
  `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', ${ENDS}`,
  SUBDOMAIN,
  ['example.com'],
)
const SUBDOMAIN_UNDERSCORE_MESSAGE = regexMessage(
  `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', ${ENDS}`,
  SUBDOMAIN_UNDERSCORE,
  ['example.com'],
)
const KEY_MESSAGE = regexMessage(
  `must consist of alphanumeric characters, '-', '_' or '.', ${ENDS}`,
  KEY,
  ['MyName', 'my.name', '123-abc'],
)
const LABEL_VALUE_MESSAGE = regexMessage(
  `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', ${ENDS}`,
  `(${KEY})?`,
  ['MyValue', 'my_value', '12345'],
)
const CONFIG_KEY_MESSAGE = regexMessage(
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
  CONFIG_KEY,
  ['key.name', 'KEY_NAME', 'key-name'],
)
const ENV_NAME_MESSAGE = regexMessage(
  "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not start with a digit",
  ENV_NAME,
  ['my.env-name', 'MY_ENV.NAME', 'MyEnvName1'],
)
const HEADER_MESSAGE = regexMessage(
  "a valid HTTP header must consist of alphanumeric characters or '-'",
  HEADER,
  ['X-Header-Name'],
)
const RELAXED_ENV_MESSAGE =
  "a valid environment variable name must consist only of printable ASCII characters other than '='"

function regexMessage(text: string, regex: string, examples: readonly string[]): string {
  const list = examples.map((example) => `'${example}', `).join(' or ')
  return `${text} (e.g. ${list}regex used for validation is '${regex}')`
}

function length(value: string): number {
  return value.length < 16 ? value.length : byteLength(value)
}

export const dnsLabelFaults: Check = (value) => {
  const long = value.length > 63 || length(value) > 63
  const matches = LABEL_REGEX.test(value)
  if (!long && matches) return OK
  const faults = long ? ['must be no more than 63 characters'] : []
  if (matches) return faults
  return [...faults, SUBDOMAIN_REGEX.test(value) ? 'must not contain dots' : LABEL_MESSAGE]
}

export const subdomainFaults: Check = (value) =>
  regexFaults(value, SUBDOMAIN_REGEX, SUBDOMAIN_MESSAGE, 253, 'characters')

export const underscoreSubdomainFaults: Check = (value) =>
  regexFaults(value, SUBDOMAIN_UNDERSCORE_REGEX, SUBDOMAIN_UNDERSCORE_MESSAGE, 253, 'characters')

export const labelValueFaults: Check = (value) =>
  value === '' || (value.length < 64 && isKeyPart(value, 0))
    ? OK
    : regexFaults(value, KEY_REGEX, LABEL_VALUE_MESSAGE, 63, 'bytes')

export const configKeyFaults: Check = (value) => [
  ...regexFaults(value, CONFIG_KEY_REGEX, CONFIG_KEY_MESSAGE, 253, 'characters'),
  ...upwardFaults(value),
]

export const headerFaults: Check = (value) => (HEADER_REGEX.test(value) ? OK : [HEADER_MESSAGE])

function regexFaults(
  value: string,
  regex: RegExp,
  message: string,
  most: number,
  unit: 'characters' | 'bytes',
): readonly string[] {
  const matches = regex.test(value)
  const long = length(value) > most
  if (matches && !long) return OK
  return [...(long ? [`must be no more than ${most} ${unit}`] : []), ...(matches ? [] : [message])]
}

/** Names of environment variables; since 1.32 nearly everything that is printable. */
export function envNameFaults(value: string, relaxed: boolean): readonly string[] {
  if (relaxed) {
    if (value === '') return ['environment variable name must be non-empty']
    return /^[ -<>-~]*$/.test(value) ? OK : [RELAXED_ENV_MESSAGE]
  }
  return [...(ENV_NAME_REGEX.test(value) ? [] : [ENV_NAME_MESSAGE]), ...upwardFaults(value)]
}

function upwardFaults(value: string): readonly string[] {
  if (value === '.') return ["must not be '.'"]
  if (value === '..') return ["must not be '..'"]
  return value.startsWith('..') ? ["must not start with '..'"] : OK
}

/** True for a key that is right beyond doubt: the quick way for the many that are. */
function isPlainKey(value: string): boolean {
  const slash = value.indexOf('/')
  if (value.length - slash > 64 || !isKeyPart(value, slash + 1)) return false
  return slash < 0 || (slash < 254 && SUBDOMAIN_REGEX.test(value.slice(0, slash)))
}

/** Letters and digits, with dashes, dots and underscores between them. */
function isKeyPart(value: string, from: number): boolean {
  const last = value.length - 1
  if (from > last) return false
  for (let at = from; at <= last; at += 1) {
    const code = value.charCodeAt(at)
    const isLetter = (code > 96 && code < 123) || (code > 64 && code < 91)
    if (isLetter || (code > 47 && code < 58)) continue
    const isJoint = code === 45 || code === 46 || code === 95
    if (!isJoint || at === from || at === last) return false
  }
  return true
}

/** Keys of labels and annotations, condition types, resource names. */
export const labelKeyFaults: Check = (value) => {
  if (isPlainKey(value)) return OK
  const parts = value.split('/')
  if (parts.length > 2) {
    const form = "with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"
    return [`a valid label key ${KEY_MESSAGE} ${form}`]
  }
  const [prefix, name] = parts.length === 2 ? (parts as [string, string]) : [undefined, value]
  const faults: string[] = []
  if (prefix === '') faults.push('prefix part must be non-empty')
  else if (prefix !== undefined) {
    const prefixFaults = regexFaults(prefix, SUBDOMAIN_REGEX, SUBDOMAIN_MESSAGE, 253, 'bytes')
    faults.push(...prefixFaults.map((fault) => `prefix part ${fault}`))
  }
  if (name === '') faults.push('name part must be non-empty')
  else if (length(name) > 63) faults.push('name part must be no more than 63 bytes')
  if (!KEY_REGEX.test(name)) faults.push(`name part ${KEY_MESSAGE}`)
  return faults
}

export const portNameFaults: Check = (value) => {
  const faults: string[] = []
  if (length(value) > 15) faults.push('must be no more than 15 characters')
  if (!/^[-a-z0-9]+$/.test(value)) {
    faults.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)')
  }
  if (!/[a-z]/.test(value)) faults.push('must contain at least one letter (a-z)')
  if (value.includes('--')) faults.push('must not contain consecutive hyphens')
  if (value.startsWith('-') || value.endsWith('-')) {
    faults.push('must not begin or end with a hyphen')
  }
  return faults
}

export function rangeFaults(value: number, from: number, to: number): readonly string[] {
  return value >= from && value <= to ? OK : [`must be between ${from} and ${to}, inclusive`]
}

/** What `managedBy` must be; each fault with the part of the text that it is about. */
export function domainPathFaults(
  value: string,
): readonly { readonly value: string; readonly detail: string }[] {
  const slash = value.indexOf('/')
  const host = value.slice(0, Math.max(0, slash))
  const path = value.slice(slash + 1)
  if (host === '' || path === '') {
    const detail = 'must be a domain-prefixed path (such as "acme.io/foo")'
    return [{ value, detail }]
  }
  const faults = subdomainFaults(host).map((detail) => ({ value: host, detail }))
  if (PATH_REGEX.test(path)) return faults
  const detail = `Invalid path (regex used for validation is '${PATH}')`
  return [...faults, { value: path, detail }]
}
