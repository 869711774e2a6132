import { isObject, stringAt, type Json, type JsonObject } from '../json.ts'
import { isTemplated } from '../templates.ts'
import type { Conditional } from './field.ts'

/** Absent in the sense of the API: not written, or null. */
function absent(value: Json | undefined): boolean {
  return value === undefined || value === null
}

/**
 * `parallelism` written and `completions` not is a work queue, which the server leaves as it is.
 * So a written 1 is the default only where parallelism is 1 or absent.
 */
export const completionsOf: Conditional = {
  text: '1 when `parallelism` is absent or 1; a work queue (only `parallelism` written) has none',
  onServer: true,
  default: ({ parallelism }) => (absent(parallelism) || parallelism === 1 ? 1 : undefined),
}

export const parallelismOf: Conditional = {
  text: '1; written without `completions` it makes a work queue and counts',
  onServer: true,
  default: ({ completions }) => (absent(completions) ? undefined : 1),
}

/**
 * Of a normalised spec, whatever its parallelism: undefined for one, which is the default, and null
 * for a work queue, which has none.
 */
export function completionsIn({ completions, parallelism }: JsonObject): Json | undefined {
  if (completions === undefined) return parallelism === undefined ? undefined : null
  return completions === 1 ? undefined : completions
}

export const backoffLimitOf: Conditional = {
  text: '6; 2147483647 with `backoffLimitPerIndex`',
  onServer: true,
  default: ({ backoffLimitPerIndex }) => (absent(backoffLimitPerIndex) ? 6 : 2147483647),
}

export const podReplacementPolicyOf: Conditional = {
  text: '`TerminatingOrFailed`; `Failed` with `podFailurePolicy`',
  onServer: true,
  default: ({ podFailurePolicy }) => (absent(podFailurePolicy) ? 'TerminatingOrFailed' : 'Failed'),
}

export const containerPullPolicyOf: Conditional = pullPolicyOf('image')
export const volumePullPolicyOf: Conditional = pullPolicyOf('reference')

/** The server gives this one to pods, not to the Job that makes them. */
export const hostPortOf: Conditional = {
  text: 'the `containerPort` when the pod has `hostNetwork: true`',
  onServer: false,
  default: ({ containerPort }, pod) =>
    pod['hostNetwork'] === true && !absent(containerPort) ? containerPort : undefined,
}

function pullPolicyOf(field: string): Conditional {
  return {
    text: `\`Always\` when \`${field}\` has the tag latest, or neither tag nor digest; else \`IfNotPresent\``,
    onServer: true,
    default(owner) {
      const image = stringAt(owner, [field]) ?? ''
      if (isTemplated(image)) return undefined
      return tagOf(image) === 'latest' ? 'Always' : 'IfNotPresent'
    },
  }
}

const REPOSITORY =
  /^(?:[A-Za-z0-9][A-Za-z0-9.-]*(?::\d+)?\/|\[[0-9A-Fa-f:]+\](?::\d+)?\/)?[a-z0-9]+(?:(?:\.|_{1,2}|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|_{1,2}|-+)[a-z0-9]+)*)*$/
const TAG = /^\w[\w.-]{0,127}$/
const DIGEST = /^[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9A-Fa-f]{32,}$/

/**
 * The tag as the server's image parser sees it: `latest` when there is neither tag nor digest,
 * nothing for text that is no image reference.
 */
function tagOf(image: string): string | undefined {
  const [name = '', digest] = image.split('@', 2)
  const colon = name.indexOf(':', name.lastIndexOf('/') + 1)
  const repository = colon < 0 ? name : name.slice(0, colon)
  if (!REPOSITORY.test(repository)) return undefined
  if (digest !== undefined && !DIGEST.test(digest)) return undefined
  if (colon < 0) return digest === undefined ? 'latest' : undefined
  const tag = name.slice(colon + 1)
  return TAG.test(tag) ? tag : undefined
}

/**
 * The server's rule for pods: a resource with a limit and no request is requested at its limit. So
 * a request equal to the limit, in value, says nothing. Both maps hold canonical quantities.
 */
export function withoutImpliedRequests(resources: JsonObject): JsonObject {
  const { limits, requests } = resources
  if (!isObject(limits) || !isObject(requests)) return resources
  const asked = Object.entries(requests).filter(([name, value]) => limits[name] !== value)
  const { requests: _, ...rest } = resources
  return asked.length === 0 ? rest : { ...resources, requests: Object.fromEntries(asked) }
}
