/**
 * Splits TypeScript into tokens, leaving comments out, so that a check sees code and never text.
 * TypeScript 7 has no JavaScript API, and the checks need no more than this. Strings keep their
 * value without unescaping; the code inside a template's `${}` becomes tokens as well.
 *
 * @typedef {{ kind: 'word' | 'string' | 'template' | 'number' | 'regex' | 'sign', text: string, offset: number }} Token
 */

const WORD_START = /[\p{ID_Start}$_#]/u
const WORD = /[\p{ID_Start}$_#][\p{ID_Continue}$\u200c\u200d]*/uy
const NUMBER = /(?:0[xXbBoO][\da-fA-F_]+|(?:\d[\d_]*)?\.?\d[\d_]*(?:[eE][+-]?\d+)?)n?/y
const SIGN = /\?\.(?!\d)|=>|\.\.\.|[^]/y

/** After these words a slash starts a regular expression, not a division. */
const BEFORE_REGEX = new Set(
  'await case delete do else in instanceof new of return throw typeof void yield'.split(' '),
)

/**
 * @param {string} text
 * @returns {Token[]}
 */
export function tokensOf(text) {
  const tokens = []
  /** For each open `${`: how many braces are open inside it. */
  const templates = []
  let at = text.startsWith('#!') ? lineEnd(text, 0) : 0
  while (at < text.length) {
    const start = at
    const char = text[at]
    const next = text[at + 1]
    if (char.trim() === '') {
      at += 1
    } else if (char === '/' && next === '/') {
      at = lineEnd(text, at)
    } else if (char === '/' && next === '*') {
      const end = text.indexOf('*/', at + 2)
      at = end < 0 ? text.length : end + 2
    } else if (char === "'" || char === '"') {
      at = stringEnd(text, at)
      tokens.push({ kind: 'string', text: text.slice(start + 1, at - 1), offset: start })
    } else if (char === '`' || (char === '}' && templates.at(-1) === 0)) {
      if (char === '}') templates.pop()
      at = templateEnd(text, at + 1)
      const opens = text[at - 1] === '{'
      if (opens) templates.push(0)
      const value = text.slice(start + 1, at - (opens ? 2 : 1))
      tokens.push({ kind: 'template', text: value, offset: start })
    } else if (WORD_START.test(char)) {
      at += matchAt(WORD, text, at).length
      tokens.push({ kind: 'word', text: text.slice(start, at), offset: start })
    } else if (/\d/.test(char) || (char === '.' && /\d/.test(next ?? ''))) {
      at += matchAt(NUMBER, text, at).length
      tokens.push({ kind: 'number', text: text.slice(start, at), offset: start })
    } else if (char === '/' && regexMayStart(tokens.at(-1))) {
      at = regexEnd(text, at)
      tokens.push({ kind: 'regex', text: text.slice(start, at), offset: start })
    } else {
      at += matchAt(SIGN, text, at).length
      if (templates.length > 0 && char === '{') templates[templates.length - 1] += 1
      if (templates.length > 0 && char === '}') templates[templates.length - 1] -= 1
      tokens.push({ kind: 'sign', text: text.slice(start, at), offset: start })
    }
  }
  return tokens
}

function matchAt(pattern, text, at) {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? text[at]
}

function lineEnd(text, from) {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end
}

/** A string that lacks its end stops at the line end, so that one slip does not eat the file. */
function stringEnd(text, from) {
  const quote = text[from]
  for (let at = from + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === quote) return at + 1
    else if (text[at] === '\n') return at
  }
  return text.length
}

function templateEnd(text, from) {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '`') return at + 1
    else if (text[at] === '$' && text[at + 1] === '{') return at + 2
  }
  return text.length
}

function regexEnd(text, from) {
  let inClass = false
  for (let at = from + 1; at < text.length; at += 1) {
    const char = text[at]
    if (char === '\n') return at
    if (char === '\\') at += 1
    else if (char === '[') inClass = true
    else if (char === ']') inClass = false
    else if (char === '/' && !inClass) return at + 1
  }
  return text.length
}

function regexMayStart(before) {
  if (before === undefined) return true
  if (before.kind === 'word') return BEFORE_REGEX.has(before.text)
  return before.kind === 'sign' && !/^[)\]}]$/.test(before.text)
}
