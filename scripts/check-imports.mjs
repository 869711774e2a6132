// Holds the parts of src to the table of imports and to purity (ARCHITECTURE.md shows the rooms).
// Type-only imports count: a part that knows a type knows the part behind it.
import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { tokensOf } from './tokens.mjs'

/**
 * The rooms of src, and whom each may import. A pure room touches no file, network, timer, clock,
 * chance or environment, and imports no package; it receives what it needs as arguments.
 */
export const rooms = {
  core: { may: [], pure: true },
  engines: { may: ['core'], pure: true },
  ownership: { may: ['core', 'engines'], pure: true },
  render: { may: ['core'], pure: true },
  stamp: { may: ['core'], pure: true },
  lint: { may: ['core', 'engines', 'ownership'], pure: true },
  cluster: { may: ['core'], pure: true },
  simulate: { may: ['core', 'engines', 'ownership', 'cluster'], pure: true },
  plan: {
    may: ['core', 'engines', 'ownership', 'cluster', 'render', 'stamp', 'simulate'],
    pure: true,
  },
  controller: { may: ['core', 'engines', 'stamp'], pure: true },
  adapters: { may: ['core', 'controller'], pure: false },
  server: { may: ['core', 'cluster', 'lint', 'plan', 'simulate'], pure: false },
  cli: {
    may: [
      'core',
      'engines',
      'ownership',
      'render',
      'stamp',
      'lint',
      'cluster',
      'simulate',
      'plan',
      'controller',
      'adapters',
      'server',
    ],
    pure: false,
  },
}

/** What src/index.ts, the package's own face, may show. */
const PUBLIC_ROOMS = Object.keys(rooms).filter((name) => rooms[name].pure)

/** Globals that reach the outside world or hide it. */
const IMPURE_GLOBALS = new Set(
  `process console fetch setTimeout setInterval setImmediate queueMicrotask performance require
  globalThis global navigator WebSocket EventSource XMLHttpRequest BroadcastChannel Worker
  localStorage sessionStorage eval`.split(/\s+/),
)

/** Names that mean chance whatever they hang on. */
const CHANCE = new Set(
  `randomUUID randomBytes randomInt randomFill randomFillSync getRandomValues
  webcrypto`.split(/\s+/),
)

/** Members of Date that compute from their arguments alone. */
const PURE_DATE_MEMBERS = new Set(['parse', 'UTC', 'prototype'])

/**
 * What is wrong in one file. `file` is its path from the repository's root, with `/`.
 *
 * @param {string} file
 * @param {string} text
 * @returns {{ file: string, line: number, column: number, message: string }[]}
 */
export function problemsOf(file, text) {
  const [top, roomName] = file.split('/')
  if (top !== 'src') return []
  const isRoot = file.split('/').length === 2
  const room = isRoot ? { may: PUBLIC_ROOMS, pure: true } : rooms[roomName]
  if (room === undefined) {
    const message = `src/${roomName} is no part of the table in scripts/check-imports.mjs`
    return [{ file, line: 1, column: 1, message }]
  }
  const tokens = tokensOf(text)
  const isTest = file.endsWith('.test.ts')
  const here = { file, isTest, isRoot, roomName: isRoot ? undefined : roomName, room }
  const found = importProblems(tokens, here)
  if (room.pure && !isTest) found.push(...purityProblems(tokens))
  return found
    .sort((one, other) => one.offset - other.offset)
    .map(({ offset, message }) => ({ file, ...positionOf(text, offset), message }))
}

function importProblems(tokens, here) {
  const problems = []
  for (const { specifier, offset } of importsOf(tokens)) {
    const message =
      specifier === undefined
        ? here.room.pure && !here.isTest
          ? 'imports something that is computed, so nobody can check what'
          : undefined
        : importProblem(specifier, here)
    if (message !== undefined) problems.push({ offset, message })
  }
  return problems
}

/** Every module that the tokens name, static or dynamic, for types or values. */
function importsOf(tokens) {
  const found = []
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at]
    if (token.kind !== 'word' || isMember(tokens, at)) continue
    const next = tokens[at + 1]
    if (token.text === 'from' && next?.kind === 'string' && endsImportList(tokens, at)) {
      found.push({ specifier: next.text, offset: next.offset })
    } else if (token.text === 'import' && next?.kind === 'string') {
      found.push({ specifier: next.text, offset: next.offset })
    } else if ((token.text === 'import' || token.text === 'require') && next?.text === '(') {
      const argument = tokens[at + 2]
      const after = tokens[at + 3]?.text
      const isPlain =
        (argument?.kind === 'string' || argument?.kind === 'template') &&
        (after === ')' || after === ',')
      found.push({ specifier: isPlain ? argument.text : undefined, offset: token.offset })
    }
  }
  return found
}

/** `from` is a keyword only behind an import or export list: `} from`, `name from`, `* from`. */
function endsImportList(tokens, at) {
  for (let back = at - 1; back >= 0; back -= 1) {
    const { kind, text } = tokens[back]
    if (kind === 'word' && (text === 'import' || text === 'export')) return true
    if (kind === 'string' || kind === 'template' || text === ';' || text === '=') return false
    if (at - back > 2000) return false
  }
  return false
}

function importProblem(specifier, { file, isTest, isRoot, roomName, room }) {
  if (!specifier.startsWith('.')) {
    if (isTest || !room.pure) return undefined
    if (roomName === 'core' && specifier === 'node:crypto') return undefined
    const who = isRoot ? file : roomName
    return `${who} is pure and may not import ${specifier}${
      specifier.startsWith('node:') ? '' : ' (packages are used in adapters and cli)'
    }`
  }
  const target = path.posix.normalize(path.posix.join(path.posix.dirname(file), specifier))
  const [top, targetRoom] = target.split('/')
  if (top !== 'src') {
    if (isTest || target === 'package.json') return undefined
    return `code in src may not import ${target}`
  }
  if (!isTest && target.endsWith('.test.ts')) return `code may not import the test ${target}`
  if (isRoot || targetRoom !== roomName) {
    const targetIsFile = target.split('/').length === 2
    if (targetIsFile) return isRoot ? undefined : `only users of the package import ${target}`
    if (!room.may.includes(targetRoom)) {
      const allowed = room.may.length === 0 ? 'nothing' : `only ${room.may.join(', ')}`
      const who = isRoot ? file : roomName
      return `${who} may not import ${targetRoom} (${specifier}): it may import ${allowed}`
    }
  }
  return undefined
}

function purityProblems(tokens) {
  const problems = []
  const report = (token, message) => problems.push({ offset: token.offset, message })
  const own = declaredNames(tokens)
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at]
    if (token.kind !== 'word') continue
    const next = tokens[at + 1]
    const member = isDot(next) ? tokens[at + 2]?.text : memberInBrackets(tokens, at)
    if (CHANCE.has(token.text) && !isKey(tokens, at)) {
      report(token, `uses chance (${token.text}): receive it as an argument`)
    }
    if (isMember(tokens, at)) continue
    if (token.text === 'import' && isDot(next)) {
      report(token, 'asks for import.meta: receive what you need as an argument')
    } else if (token.text === 'Math' && (member === 'random' || isCopied(tokens, at))) {
      report(token, 'uses chance (Math.random): receive it as an argument')
    } else if (token.text === 'Date') {
      const clock = clockUse(tokens, at, member)
      if (clock !== undefined) report(token, `reads the clock (${clock}): receive the time`)
    } else if (IMPURE_GLOBALS.has(token.text) && !own.has(token.text) && !isKey(tokens, at)) {
      report(token, `uses ${token.text}: this part is pure, receive what you need as an argument`)
    }
  }
  return problems
}

/** Names that the file gives to things of its own: they are not the globals. */
function declaredNames(tokens) {
  const names = new Set()
  for (const [at, token] of tokens.entries()) {
    if (/^(?:const|let|var|function)$/.test(token.text)) names.add(tokens[at + 1]?.text)
  }
  return names
}

function clockUse(tokens, at, member) {
  if (member !== undefined) return PURE_DATE_MEMBERS.has(member) ? undefined : `Date.${member}`
  const isNew = tokens[at - 1]?.text === 'new'
  const opens = tokens[at + 1]?.text === '('
  if (isNew) return opens && tokens[at + 2]?.text !== ')' ? undefined : 'new Date()'
  if (opens) return 'Date()'
  return isCopied(tokens, at) ? 'Date' : undefined
}

/** `= Math`: whatever is done with the copy cannot be seen. */
function isCopied(tokens, at) {
  return tokens[at - 1]?.text === '=' && !isDot(tokens[at + 1])
}

function isDot(token) {
  return token?.kind === 'sign' && (token.text === '.' || token.text === '?.')
}

function isMember(tokens, at) {
  return isDot(tokens[at - 1])
}

function memberInBrackets(tokens, at) {
  const isIndex = tokens[at + 1]?.text === '[' && tokens[at + 2]?.kind === 'string'
  return isIndex ? tokens[at + 2].text : undefined
}

/** `{ process: 1 }`, `readonly process?: X`: the name of a field, not the global. */
function isKey(tokens, at) {
  const next = tokens[at + 1]?.text
  const isNamed = next === ':' || (next === '?' && tokens[at + 2]?.text === ':')
  if (!isNamed) return false
  const before = tokens[at - 1]?.text
  return before !== '?' && before !== '('
}

function positionOf(text, offset) {
  const before = text.slice(0, offset).split('\n')
  return { line: before.length, column: before.at(-1).length + 1 }
}

/** The TypeScript files below a folder, from the repository's root, sorted. */
export function sourceFiles(root, folder = 'src') {
  return readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.[cm]?tsx?$/.test(entry.name))
    .map((entry) => path.relative(root, path.join(entry.parentPath ?? entry.path, entry.name)))
    .map((file) => file.split(path.sep).join('/'))
    .sort()
}

/** Checks the whole tree; returns the lines to print. */
export function checkTree(root) {
  const files = sourceFiles(root)
  if (files.length === 0) return ['src holds no TypeScript file: nothing was checked']
  return files.flatMap((file) =>
    problemsOf(file, readFileSync(path.join(root, file), 'utf8')).map(
      ({ line, column, message }) => `${file}:${line}:${column}  ${message}`,
    ),
  )
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const lines = checkTree(fileURLToPath(new URL('../', import.meta.url)))
  for (const line of lines) console.error(line)
  process.exitCode = lines.length === 0 ? 0 : 1
}
