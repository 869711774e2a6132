export interface GlobOptions {
  /** `*` and `?` also match `/`, as in Argo CD's include and exclude. */
  readonly crossing: boolean
}

/** `*`, `**`, `?`, `[a-z]` and `{a,b}`; undefined for a pattern that cannot be read. */
export function globToRegExp(pattern: string, { crossing }: GlobOptions): RegExp | undefined {
  let text = ''
  let braces = 0
  for (let at = 0; at < pattern.length; at += 1) {
    const sign = pattern[at] ?? ''
    const set = sign === '[' ? /^\[([!^]?)([^\]\\]+)\]/.exec(pattern.slice(at)) : null
    if (pattern.startsWith('**/', at)) {
      text += '(?:.*/)?'
      at += 2
    } else if (sign === '*') {
      const across = pattern[at + 1] === '*'
      while (pattern[at + 1] === '*') at += 1
      text += across || crossing ? '.*' : '[^/]*'
    } else if (sign === '?') {
      text += crossing ? '.' : '[^/]'
    } else if (sign === '{') {
      braces += 1
      text += '(?:'
    } else if (sign === '}' && braces > 0) {
      braces -= 1
      text += ')'
    } else if (sign === ',' && braces > 0) {
      text += '|'
    } else if (set !== null) {
      text += `[${set[1] === '' ? '' : '^'}${set[2] ?? ''}]`
      at += set[0].length - 1
    } else {
      text += sign.replace(/[.+^$()|[\]\\{}]/, '\\$&')
    }
  }
  try {
    return new RegExp(`^${text}$`, 's')
  } catch {
    return undefined
  }
}
