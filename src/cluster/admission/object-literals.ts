/**
 * The object literals of mutating policies, written as maps: `Object{spec: Object.spec{a: 1}}`
 * becomes `{"spec": {"a": 1}}`, `JSONPatch{op: "add", ...}` a map with the same keys. What stands in
 * quotes stays. Only maps and lists are left, so that any CEL evaluator can read it.
 */
export function withoutLiterals(expression: string): string {
  const tokens = [...expression.matchAll(TOKENS)].map(([token]) => token)
  const out: string[] = []
  /** For each open brace: whether its names are field names. */
  const braces: boolean[] = []
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at] ?? ''
    const end = typeEnd(tokens, at)
    if (end !== undefined) {
      out.push('{')
      braces.push(true)
      at = end
      continue
    }
    if (token === '{') braces.push(false)
    if (token === '}') braces.pop()
    const isField = braces.at(-1) === true && isName(token) && next(tokens, at) === ':'
    out.push(isField && startsField(out) ? JSON.stringify(token) : token)
  }
  return out.join('')
}

/** Raw and ordinary texts, names, white space, and single signs. */
const TOKENS =
  /[rRbB]{0,2}(?:'''[\s\S]*?'''|"""[\s\S]*?"""|'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*")|`[^`]*`|[A-Za-z_]\w*|\s+|[\s\S]/g

/** Where the brace of a type name stands: `Object`, `Object.spec.template`, `JSONPatch`. */
function typeEnd(tokens: readonly string[], start: number): number | undefined {
  if (tokens[start] !== 'Object' && tokens[start] !== 'JSONPatch') return undefined
  let at = start + 1
  for (;;) {
    while (isSpace(tokens[at])) at += 1
    if (tokens[at] === '{') return at
    if (tokens[at] !== '.') return undefined
    at += 1
    while (isSpace(tokens[at])) at += 1
    if (!isName(tokens[at] ?? '')) return undefined
    at += 1
  }
}

function startsField(out: readonly string[]): boolean {
  const before = out.findLast((token) => !isSpace(token))
  return before === '{' || before === ','
}

function next(tokens: readonly string[], at: number): string | undefined {
  return tokens.slice(at + 1).find((token) => !isSpace(token))
}

function isName(token: string): boolean {
  return /^[A-Za-z_]\w*$/.test(token)
}

function isSpace(token: string | undefined): boolean {
  return token !== undefined && /^\s+$/.test(token)
}
