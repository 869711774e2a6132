// What `npm start` and `npm test` share: a Node that is new enough, the packages of the lock file,
// and a build of the sources as they are now. Each step runs only when it is needed.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { root, run, runTool, secondsSince } from './run.mjs'

const OLDEST_NODE = [20, 19]
const ENTRY = path.join(root, 'dist/cli/main.js')
const BUILD_STAMP = path.join(root, 'node_modules/.cache/semel-build.json')

/**
 * Prepares the checkout. Returns undefined, or what went wrong in words for a person.
 *
 * @returns {Promise<string | undefined>}
 */
export async function prepare() {
  return nodeProblem(process.versions.node) ?? (await install()) ?? (await build())
}

/** What is wrong with this version of Node, if anything. */
export function nodeProblem(version) {
  const [major, minor] = version.split('.').map(Number)
  const [oldestMajor, oldestMinor] = OLDEST_NODE
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return undefined
  return [
    `Semel needs Node ${OLDEST_NODE.join('.')} or newer, this is Node ${version}.`,
    'Install a newer Node (20.19, 22 or 24) and run the command again.',
  ].join('\n')
}

async function install() {
  const missing = missingPackage()
  if (missing === undefined) return undefined
  const startedAt = performance.now()
  process.stdout.write(`installing packages (${missing})\n`)
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error']
  const { ok, code, output } = await npm(args)
  if (!ok) {
    return [
      output.trimEnd(),
      `The packages could not be installed: \`npm ci\` ended with code ${code}, its output is above.`,
      'Check that npm reaches its registry (`npm ping`), then run the command again.',
    ].join('\n')
  }
  const stillMissing = missingPackage()
  if (stillMissing !== undefined) {
    return `\`npm ci\` ended well, yet ${stillMissing}. Delete node_modules and run the command again.`
  }
  process.stdout.write(`installed packages in ${secondsSince(startedAt)}\n`)
  return undefined
}

/**
 * Why the packages must be installed: npm leaves a copy of the lock file in node_modules when it
 * has finished, so an interrupted installation and a changed lock file are both seen.
 */
function missingPackage() {
  const wanted = readLock('package-lock.json')
  const installed = readLock('node_modules/.package-lock.json')
  if (installed === undefined) return 'node_modules is missing or incomplete'
  for (const [place, entry] of Object.entries(wanted?.packages ?? {})) {
    if (place === '' || entry.link === true) continue
    const found = installed.packages[place]
    const name = place.replace(/^.*node_modules\//, '')
    if (found === undefined) {
      if (entry.optional === true || entry.devOptional === true || entry.peer === true) continue
      return `${name} is not installed`
    }
    if (found.version !== entry.version) {
      return `${name} is ${found.version}, the lock file says ${entry.version}`
    }
  }
  return undefined
}

function readLock(file) {
  try {
    return JSON.parse(readFileSync(path.join(root, file), 'utf8'))
  } catch {
    return undefined
  }
}

/** Under `npm start` npm names its own script; elsewhere it is looked up on the PATH. */
function npm(args) {
  const script = process.env.npm_execpath
  if (script !== undefined && /\.c?js$/.test(script))
    return run(process.execPath, [script, ...args])
  return run('npm', args, { shell: process.platform === 'win32' })
}

/** Builds dist when it is missing or not made from the sources as they are now. */
async function build() {
  const inputs = hashOfInputs()
  if (isBuiltFrom(inputs)) return undefined
  const startedAt = performance.now()
  const { ok, output } = await runTool('tsdown', 'tsdown', [])
  if (!ok || !existsSync(ENTRY)) {
    return `${output.trimEnd()}\nThe build failed; its output is above. \`npm run build\` repeats it.`
  }
  mkdirSync(path.dirname(BUILD_STAMP), { recursive: true })
  writeFileSync(BUILD_STAMP, JSON.stringify({ inputs, builtAt: statSync(ENTRY).mtimeMs }))
  process.stdout.write(`built in ${secondsSince(startedAt)}\n`)
  return undefined
}

/** The time of the entry belongs to the stamp, so that another build in between is noticed. */
function isBuiltFrom(inputs) {
  try {
    const stamp = JSON.parse(readFileSync(BUILD_STAMP, 'utf8'))
    return stamp.inputs === inputs && stamp.builtAt === statSync(ENTRY).mtimeMs
  } catch {
    return false
  }
}

function hashOfInputs() {
  const hash = createHash('sha256')
  const sources = readdirSync(path.join(root, 'src'), { recursive: true })
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => path.join('src', file))
    .filter((file) => statSync(path.join(root, file)).isFile())
    .sort()
  const others = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsdown.config.ts']
  for (const file of [...others, ...sources]) {
    hash.update(`${file}\0`)
    hash.update(readFileSync(path.join(root, file)))
    hash.update('\0')
  }
  return hash.digest('hex')
}
