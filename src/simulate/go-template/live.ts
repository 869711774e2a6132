import { base64 } from './base-n.ts'
import type { Functions } from './exec.ts'
import {
  dated,
  durationText,
  instantIn,
  instantOf,
  millisecondsIn,
  readTime,
  timeObject,
} from './times.ts'
import { sha256Hex } from '../../core/hash.ts'
import { GoObject, printed, type Value } from './value.ts'

export interface Live {
  /** Milliseconds since 1970. */
  readonly now: number
  /** From 0 to 1, another one each time. */
  readonly chance: () => number
  /** `lookup apiVersion kind namespace name`; empty maps where nothing is looked up. */
  readonly lookUp?: (apiVersion: string, kind: string, namespace: string, name: string) => Value
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
const DIGITS = '0123456789'
const SIGNS = Array.from({ length: 95 }, (_, at) => String.fromCodePoint(32 + at)).join('')

/**
 * What a chart gets from the clock, from chance and from the cluster, and what therefore differs
 * from one rendering to the next: a name with `now` in it is another Job each time. Keys and
 * certificates are stand-ins of the right form: nothing is encrypted here.
 */
export function liveFunctions({ now, chance, lookUp }: Live): Functions {
  const drawn = (letters: string, count: Value): string => {
    const length = Number(count)
    if (length > 100_000) throw new Error('more than 100,000 random letters')
    const one = (): string => letters[Math.floor(chance() * letters.length)] ?? ''
    return Array.from({ length: Math.max(0, length) }, one).join('')
  }
  return {
    ...timeFunctions(now),
    ...secretFunctions((count) => drawn(LETTERS + DIGITS, BigInt(count))),
    randAlphaNum: (count) => drawn(LETTERS + DIGITS, count),
    randAlpha: (count) => drawn(LETTERS, count),
    randNumeric: (count) => drawn(DIGITS, count),
    randAscii: (count) => drawn(SIGNS, count),
    randBytes: (count) => base64(drawn(SIGNS, count)),
    randInt: (from, to) => {
      if (Number(to) <= Number(from)) throw new Error('invalid argument to Intn')
      return BigInt(Math.floor(Number(from) + chance() * (Number(to) - Number(from))))
    },
    shuffle: (value) =>
      Array.from(printed(value))
        .map((sign) => [chance(), sign] as const)
        .sort(([one], [other]) => one - other)
        .map(([, sign]) => sign)
        .join(''),
    uuidv4: () => uuid(() => drawn('0123456789abcdef', 1n)),
    lookup: (...parts) => {
      const [apiVersion = '', kind = '', namespace = '', name = ''] = parts.map((one) =>
        printed(one),
      )
      return lookUp?.(apiVersion, kind, namespace, name) ?? {}
    },
  }
}

function timeFunctions(now: number): Functions {
  const at = (time: Value): GoObject => readTime(time, now)
  const inZone = (format: Value, time: Value, zone: Value): string => {
    return dated(printed(format), at(time), printed(zone))
  }
  const moved = (by: Value, time: Value): Value => {
    const offset = millisecondsIn(printed(by))
    return offset === undefined ? time : timeObject(instantOf(at(time)) + offset)
  }
  const mustMove = (by: Value, time: Value): Value => {
    if (millisecondsIn(printed(by)) !== undefined) return moved(by, time)
    throw new Error(`time: invalid duration ${JSON.stringify(printed(by))}`)
  }
  const toDate = (format: Value, value: Value): Value => {
    const instant = instantIn(printed(value))
    if (instant !== undefined) return timeObject(instant)
    throw new Error(`${printed(value)} is not read here with the format ${printed(format)}`)
  }
  return {
    now: () => timeObject(now),
    date: (format, time) => dated(printed(format), at(time), 'UTC'),
    dateInZone: inZone,
    date_in_zone: inZone,
    dateModify: moved,
    date_modify: moved,
    mustDateModify: mustMove,
    must_date_modify: mustMove,
    toDate,
    mustToDate: toDate,
    htmlDate: (time) => dated('2006-01-02', at(time), 'UTC'),
    htmlDateInZone: (time, zone) => dated('2006-01-02', at(time), printed(zone)),
    unixEpoch: (time) => String(Math.floor(instantOf(at(time)) / 1000)),
    ago: (time) => durationText(Math.floor((now - instantOf(at(time))) / 1000)),
    duration: (seconds) => durationText(Math.trunc(Number(printed(seconds))) || 0),
    durationRound: (value) => roundedDuration(value, now),
  }
}

/** `2h`, `3d`: the largest unit that fits. */
function roundedDuration(value: Value, now: number): string {
  const isTime = value instanceof GoObject
  const given = isTime
    ? now - instantOf(value)
    : (millisecondsIn(printed(value)) ?? Number(value) / 1e6)
  const left = Math.abs(Number.isFinite(given) ? given : 0) / 1000
  const units: readonly (readonly [string, number])[] = [
    ['y', 31_536_000],
    ['mo', 2_592_000],
    ['d', 86_400],
    ['h', 3600],
    ['m', 60],
    ['s', 1],
  ]
  const sign = given < 0 ? '-' : ''
  for (const [unit, seconds] of units) {
    if (left >= seconds) return `${sign}${Math.floor(left / seconds)}${unit}`
  }
  return '0s'
}

function secretFunctions(drawn: (count: number) => string): Functions {
  const pem = (name: string): string => {
    const lines = Array.from({ length: 4 }, () => base64(drawn(48)))
    return `-----BEGIN ${name}-----\n${lines.join('\n')}\n-----END ${name}-----\n`
  }
  const certificate = (key?: Value): Value => {
    const fields = {
      Cert: pem('CERTIFICATE'),
      Key: key === undefined ? pem('RSA PRIVATE KEY') : printed(key),
    }
    return new GoObject({
      type: 'sprig.certificate',
      fields,
      text: `{${fields.Cert} ${fields.Key}}`,
    })
  }
  return {
    genPrivateKey: (kind) => {
      const names: { readonly [kind: string]: string } = { rsa: 'RSA ', ecdsa: 'EC ', dsa: 'DSA ' }
      return pem(`${names[printed(kind)] ?? ''}PRIVATE KEY`)
    },
    genCA: () => certificate(),
    genCAWithKey: (_name, _days, key) => certificate(key),
    genSelfSignedCert: () => certificate(),
    genSelfSignedCertWithKey: (_name, _ips, _names, _days, key) => certificate(key),
    genSignedCert: () => certificate(),
    genSignedCertWithKey: (_name, _ips, _names, _days, _ca, key) => certificate(key),
    buildCustomCert: (cert, key) =>
      new GoObject({ type: 'sprig.certificate', fields: { Cert: cert, Key: key } }),
    bcrypt: () => `$2a$10$${drawn(53)}`,
    htpasswd: (user) => `${printed(user)}:$2a$10$${drawn(53)}`,
    encryptAES: () => base64(drawn(32)),
    derivePassword: (...parts) =>
      sha256Hex(parts.map((one) => printed(one)).join(':')).slice(0, 20),
  }
}

function uuid(digit: () => string): string {
  return 'xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx'.replaceAll('x', digit)
}
