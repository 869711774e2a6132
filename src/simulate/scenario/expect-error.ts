import type { Json } from '../../core/json.ts'
import type { Miss } from './expect.ts'
import type { ScenarioRun } from './play.ts'

/**
 * `error`: parts of a text in their order, with ` ... ` between them, that somebody in front of the
 * cluster could have read in one of the variants. `none`: the API server refused no write for good.
 * `null` says nothing: cases with it may well end in a failure.
 */
export function missesOfError(
  played: readonly ScenarioRun[],
  expected: Json | undefined,
): readonly Miss[] {
  if (expected === undefined || expected === null) return []
  const seen = played.flatMap(({ errors }) => errors)
  if (expected === 'none') {
    const refusal = seen.find(({ isRefusal }) => isRefusal)
    if (refusal === undefined) return []
    return [{ where: `error, ${refusal.where}`, expected: 'none', got: refusal.text }]
  }
  if (typeof expected !== 'string') return []
  const parts = expected.split(/\s*\.\.\.\s*/).filter((part) => part !== '')
  if (seen.some(({ text }) => holdsParts(text, parts))) return []
  return [
    {
      where: 'error',
      expected,
      got: nearest(
        seen.map(({ text }) => text),
        parts,
      ),
    },
  ]
}

function holdsParts(text: string, parts: readonly string[]): boolean {
  let from = 0
  for (const part of parts) {
    const at = text.indexOf(part, from)
    if (at < 0) return false
    from = at + part.length
  }
  return true
}

/** The text that holds most of the parts, so that a person sees what differs. */
function nearest(texts: readonly string[], parts: readonly string[]): string {
  let best = 'no such text'
  let most = 0
  for (const text of texts) {
    const held = parts.filter((part) => text.includes(part)).length
    if (held > most) {
      most = held
      best = text
    }
  }
  return best
}
