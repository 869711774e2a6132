/**
 * Path patterns of semel.yaml: `*` and `?` stay within one name, `**` crosses folders, `{a,b}` is a
 * choice, `[0-9]` a set. A pattern that names a folder (`apps`, `apps/`) covers everything below.
 * Patterns and paths are relative to the folder of semel.yaml, with `/`, and match as a whole.
 */
export function globToRegExp(pattern: string): RegExp {
  const trimmed = pattern.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '')
  if (trimmed === '' || trimmed === '.' || trimmed === '**') return /^/
  return new RegExp(`^${translate(trimmed)}(?:/.*)?$`, 's')
}

/** What is wrong with a pattern, for a message; undefined when nothing is. */
export function globProblem(pattern: string): string | undefined {
  if (pattern.trim() === '') return 'it is empty'
  if (pattern.startsWith('/')) return 'it starts with /; paths start at the folder of semel.yaml'
  if (/(?:^|\/)\.\.(?:\/|$)/.test(pattern)) return 'it leaves the folder of semel.yaml with ..'
  if (pattern.includes('\\')) return 'it holds a backslash; folders are separated by /'
  let braces = 0
  for (const sign of pattern) {
    if (sign === '{') braces += 1
    if (sign === '}') braces -= 1
    if (braces < 0 || braces > 1) return 'its braces do not pair up'
  }
  if (braces !== 0) return 'its braces do not pair up'
  try {
    globToRegExp(pattern)
    return undefined
  } catch {
    return 'a range in its [ ] runs backwards'
  }
}

function translate(pattern: string): string {
  let text = ''
  let inBraces = false
  for (let at = 0; at < pattern.length; at += 1) {
    const sign = pattern[at] ?? ''
    const set = sign === '[' ? SET.exec(pattern.slice(at)) : null
    if (pattern.startsWith('**/', at) && startsName(pattern, at)) {
      while (pattern.startsWith('**/', at + 3)) at += 3
      text += '(?:[^/]+/)*'
      at += 2
    } else if (sign === '*') {
      const across = pattern[at + 1] === '*'
      while (pattern[at + 1] === '*') at += 1
      text += across ? '.*' : '[^/]*'
    } else if (sign === '?') text += '[^/]'
    else if (sign === '{') {
      inBraces = true
      text += '(?:'
    } else if (sign === '}') {
      inBraces = false
      text += ')'
    } else if (sign === ',' && inBraces) text += '|'
    else if (set !== null) {
      text += `[${set[1] === '' ? '' : '^/'}${set[2]?.replaceAll('\\', '\\\\') ?? ''}]`
      at += set[0].length - 1
    } else text += sign.replace(/[.+^$()|[\]\\]/, '\\$&')
  }
  return text
}

/** `[abc]`, `[!a-z]`; ranges must ascend, or the expression could not be built. */
const SET = /^\[([!^]?)((?:[^\]\\^[\]-](?:-[^\]\\^[\]-])?)+)\]/

function startsName(pattern: string, at: number): boolean {
  return at === 0 || pattern[at - 1] === '/'
}
