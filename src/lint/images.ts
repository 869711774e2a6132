import { actionsOf } from '../core/templates.ts'
import { words } from './expressions.ts'

/** `registry.example.test:5000/shop/api:1.2@sha256:...`, taken apart. */
export interface ImageReference {
  readonly registry?: string
  readonly repository: string
  readonly tag?: string
  readonly digest?: string
}

/**
 * Undefined when rendering may decide the tag or the digest: an action in the tag, or one before
 * a tag that nobody wrote. `{{ .Values.repository }}:latest` has the tag `latest` whatever comes.
 */
export function parseImage(text: string): ImageReference | undefined {
  let masked = text.trim()
  for (const action of actionsOf(masked)) masked = masked.replace(action, UNKNOWN)
  const [name, digest] = splitOnce(masked, '@')
  const lastSlash = name.lastIndexOf('/')
  const colon = name.indexOf(':', lastSlash + 1)
  const path = colon < 0 ? name : name.slice(0, colon)
  const tag = colon < 0 ? undefined : name.slice(colon + 1)
  if (path === '' || (tag ?? '').includes(UNKNOWN)) return undefined
  if (tag === undefined && digest === undefined && name.includes(UNKNOWN)) return undefined
  const slash = path.indexOf('/')
  const head = slash < 0 ? '' : path.slice(0, slash)
  const hasRegistry = /[.:]/.test(head) || head === 'localhost'
  return {
    ...(hasRegistry ? { registry: head } : {}),
    repository: hasRegistry ? path.slice(slash + 1) : path,
    ...(tag === undefined || tag === '' ? {} : { tag }),
    ...(digest === undefined ? {} : { digest }),
  }
}

/** True for a tag that is made to move: `latest`, `main`, `nightly-alpine`; a digit means a version. */
export function isChannel(tag: string): boolean {
  const parts = tag.toLowerCase().split(/[-_.]/)
  if (parts[0] === 'latest' || parts.at(-1) === 'latest') return true
  return !/\d/.test(tag) && parts.some((part) => CHANNELS.has(part))
}

const UNKNOWN = '\u0000'

const CHANNELS: ReadonlySet<string> = words(
  'dev devel develop development main master trunk head tip edge nightly daily weekly ' +
    'snapshot unstable canary preview next alpha beta rc stable release lts current rolling ' +
    'test testing qa uat staging stage prod production live',
)

function splitOnce(text: string, separator: string): readonly [string, string?] {
  const at = text.indexOf(separator)
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}
