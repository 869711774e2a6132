import { toHttp } from '../../../src/cluster/api/http.ts'
import { canonicalJson } from '../../../src/core/canonical-json.ts'
import type { Json } from '../../../src/core/json.ts'
import type { Difference } from './compare.ts'
import type { Played } from './run.ts'

const MOST_CHARACTERS = 1200

/** A step whose answers differ: the request as HTTP carries it, and both sides of each place. */
export function tell({ request, real, model }: Played, differences: readonly Difference[]): string {
  const { method, path, body, contentType } = toHttp(request)
  const sent = body === undefined ? '' : `\n  ${contentType ?? ''} ${text(body)}`
  const places = differences.map(
    (one) => `  ${one.at}\n    real  ${text(one.real)}\n    model ${text(one.model)}`,
  )
  return `${method} ${path} (${real.code} | ${model.code})${sent}\n${places.join('\n')}`
}

function text(value: Json | undefined): string {
  if (value === undefined) return '(absent)'
  const whole = typeof value === 'string' ? value : canonicalJson(value)
  return whole.length <= MOST_CHARACTERS ? whole : `${whole.slice(0, MOST_CHARACTERS)} …`
}
