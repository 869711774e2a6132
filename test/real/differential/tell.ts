import { toHttp } from '../../../src/cluster/api/http.ts'
import { canonicalJson } from '../../../src/core/canonical-json.ts'
import type { Json } from '../../../src/core/json.ts'
import { shape, type Difference } from './compare.ts'
import type { Played } from './run.ts'

const MOST_CHARACTERS = 1200
/** Of two long texts is shown where they begin to differ, with so much before it. */
const BEFORE = 100

/** A step whose answers differ: the request as HTTP carries it, and both sides of each place. */
export function tell({ request, real, model }: Played, differences: readonly Difference[]): string {
  const { method, path, body, contentType } = toHttp(request)
  const sent = body === undefined ? '' : `\n  ${contentType ?? ''} ${text(body)}`
  const places = differences.map(
    (one) =>
      `  ${one.at}\n    real  ${near(one.real, one.model)}\n    model ${near(one.model, one.real)}`,
  )
  return `${method} ${path} (${real.code} | ${model.code})${sent}\n${places.join('\n')}`
}

function near(value: Json | undefined, other: Json | undefined): string {
  if (typeof value !== 'string' || typeof other !== 'string') return text(value)
  if (value.length <= MOST_CHARACTERS) return value
  const [mine, theirs] = [shape(value), shape(other)]
  let at = 0
  while (at < mine.length && mine[at] === theirs[at]) at += 1
  return `… ${text(mine.slice(Math.max(0, at - BEFORE)))}`
}

function text(value: Json | undefined): string {
  if (value === undefined) return '(absent)'
  const whole = typeof value === 'string' ? value : canonicalJson(value)
  return whole.length <= MOST_CHARACTERS ? whole : `${whole.slice(0, MOST_CHARACTERS)} …`
}
