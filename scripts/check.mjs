// `npm run check`: everything that is known without running a test. Each check is reported by name;
// all of them run, whatever the first one says.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkTree } from './check-imports.mjs'
import { noticesProblem } from './notices.mjs'
import { prepare } from './prepare.mjs'
import { endWithChildren, root, runTool, secondsSince } from './run.mjs'

const checks = [
  { name: 'types (tsc)', check: () => tool('typescript', 'tsc', ['-p', '.']) },
  {
    name: 'types of what runs in a browser (tsc)',
    check: () => tool('typescript', 'tsc', ['-p', 'src/simulate/html/page']),
  },
  {
    name: 'faults of code (oxlint)',
    check: () => tool('oxlint', 'oxlint', ['--type-aware', '--format=unix']),
  },
  { name: 'format (oxfmt)', check: () => tool('oxfmt', 'oxfmt', ['--check']) },
  { name: 'direction of imports and purity', check: () => checkTree(root).join('\n') },
  { name: 'unused files, exports and packages (knip)', check: () => tool('knip', 'knip', []) },
  {
    name: 'package as others receive it (publint)',
    check: () => tool('publint', 'publint', ['run', '.', '--strict', '--pack', 'false']),
  },
  { name: 'lock file', check: lockProblem },
  { name: 'third-party notices', check: noticesProblem },
]

/** vitest runs this one as well, so `npm test` leaves it out here. */
const LISTS = {
  name: 'lists, files, pages and fixtures agree',
  check: () => tool('vitest', 'vitest', ['run', 'test/lists.test.ts']),
}

/**
 * Runs every check and prints a line for each, with what is wrong below it.
 *
 * @param {{ withLists: boolean }} options
 * @returns {Promise<{ passed: number, failed: number }>}
 */
export async function runChecks({ withLists }) {
  const counts = { passed: 0, failed: 0 }
  for (const { name, check } of withLists ? [...checks, LISTS] : checks) {
    const startedAt = performance.now()
    const problem = await outcome(check)
    counts[problem === '' ? 'passed' : 'failed'] += 1
    const mark = problem === '' ? 'ok    ' : 'FAILED'
    process.stdout.write(`${mark}  ${name} (${secondsSince(startedAt)})\n`)
    if (problem !== '') process.stdout.write(`${problem.replace(/^(?=.)/gm, '    ')}\n`)
  }
  return counts
}

/** The problem in words, empty when there is none; a check that throws has failed. */
async function outcome(check) {
  try {
    return ((await check()) ?? '').trimEnd()
  } catch (error) {
    return `the check itself failed: ${error instanceof Error ? error.message : String(error)}`
  }
}

async function tool(packageName, program, args) {
  const { ok, code, output } = await runTool(packageName, program, args, {
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined },
  })
  return ok ? '' : output.trim() || `${program} ended with code ${code} and no word`
}

/** The lock file must name no host, and must be made from package.json as it is. */
function lockProblem() {
  const lockText = readFileSync(path.join(root, 'package-lock.json'), 'utf8')
  const lock = JSON.parse(lockText)
  const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  const problems = []
  const line = lockText.split('\n').findIndex((text) => text.includes('://'))
  if (line >= 0) {
    problems.push(`package-lock.json:${line + 1} names a host: run \`node scripts/clean-lock.mjs\``)
  }
  for (const field of ['version', 'dependencies', 'devDependencies', 'bin', 'engines']) {
    const inLock = JSON.stringify(lock.packages[''][field])
    if (inLock !== JSON.stringify(manifest[field])) {
      problems.push(
        `package-lock.json has other ${field} than package.json: run \`npm install\`, then \`node scripts/clean-lock.mjs\``,
      )
    }
  }
  for (const [name, version] of Object.entries(manifest.devDependencies)) {
    if (!/^(npm:.+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) {
      problems.push(`package.json: ${name} has the version ${version}, which is not exact`)
    }
  }
  if (manifest.dependencies !== undefined) {
    problems.push('package.json: dependencies must be empty, packages are put inside dist')
  }
  return problems.join('\n')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  endWithChildren()
  const problem = await prepare()
  if (problem !== undefined) {
    process.stderr.write(`${problem}\n`)
    process.exitCode = 1
  } else {
    const { passed, failed } = await runChecks({ withLists: true })
    process.stdout.write(`${passed} checks passed, ${failed} failed\n`)
    process.exitCode = failed === 0 ? 0 : 1
  }
}
