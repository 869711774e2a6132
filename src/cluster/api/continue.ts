import { goQuote } from './go-text.ts'
import { badRequest, type Refusal } from './status.ts'

interface Token {
  readonly version: number
  /** The key that the next page begins after. */
  readonly after: string
}

/** What `continue` of a list holds: base64 without padding over JSON, as the server writes it. */
export function continueToken(version: number, after: string): string {
  const json = JSON.stringify({ v: 'meta.k8s.io/v1', rv: version, start: `${after}\u0000` })
  return btoa(json).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

export function readContinue(text: string): Token | Refusal {
  const token = parse(text)
  if (typeof token === 'string') return badRequest(`invalid continue token: ${token}`)
  return token
}

const INVALID = 'continue key is not valid'

function parse(text: string): Token | string {
  const decoded = decode(text)
  if (decoded === undefined) return `${INVALID}: illegal base64 data at input byte 0`
  let json: unknown
  try {
    json = JSON.parse(decoded)
  } catch {
    const first = goQuote(decoded.charAt(0)).slice(1, -1)
    return `${INVALID}: invalid character '${first}' looking for beginning of value`
  }
  const { v, rv, start } = json as { v?: unknown; rv?: unknown; start?: unknown }
  if (v !== 'meta.k8s.io/v1') {
    return `${INVALID}: server does not recognize this encoded version ${typeof v === 'string' ? v : ''}`
  }
  if (typeof rv !== 'number' || rv === 0) {
    return `${INVALID}: incorrect encoded start resourceVersion (version meta.k8s.io/v1)`
  }
  if (typeof start !== 'string' || start === '') {
    return `${INVALID}: encoded start key empty (version meta.k8s.io/v1)`
  }
  return { version: rv, after: start.endsWith('\u0000') ? start.slice(0, -1) : start }
}

function decode(text: string): string | undefined {
  if (!/^[\w-]*$/.test(text) || text.length % 4 === 1) return undefined
  return atob(text.replaceAll('-', '+').replaceAll('_', '/'))
}
