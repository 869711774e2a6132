// `npm test`: prepares the checkout, runs the static checks and every test, and closes with one line
// that counts both: `N passed, N failed` (and `, N skipped`). Anything but a clean run ends with 1:
// also no test at all, a test file that cannot be loaded, a skipped test that says no reason, and an
// error outside of any test.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { runChecks } from './check.mjs'
import { judge } from './judge.mjs'
import { prepare } from './prepare.mjs'
import { endWithChildren, root, runTool } from './run.mjs'

async function main() {
  endWithChildren()
  const counts = { passed: 0, failed: 0, skipped: 0 }
  const problem = await prepare()
  if (problem !== undefined) {
    process.stderr.write(`${problem}\n`)
    return close({ ...counts, failed: 1 })
  }
  const checks = await runChecks({ withLists: false })

  const treeBefore = gitStatus()
  const { tests, complaints } = await runVitest()
  const treeAfter = gitStatus()
  if (process.env.CI !== undefined && treeBefore !== treeAfter) {
    complaints.push(`The tests changed the checkout:\n${treeAfter}`)
  }
  for (const complaint of complaints) process.stdout.write(`FAILED  ${complaint}\n`)
  return close({
    passed: checks.passed + tests.passed,
    failed: checks.failed + tests.failed + complaints.length,
    skipped: tests.skipped,
  })
}

async function runVitest() {
  const folder = mkdtempSync(path.join(tmpdir(), 'semel-test-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const reportFile = path.join(folder, 'report.json')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`]
  const { code } = await runTool('vitest', 'vitest', ['run', ...reporters], { show: true })
  return judge(readReport(reportFile), code, root)
}

function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

/** Golden files must be right as they are committed; undefined outside of a git checkout. */
function gitStatus() {
  const { status, stdout } = spawnSync('git', ['status', '--porcelain'], { cwd: root })
  return status === 0 ? stdout.toString() : undefined
}

function close({ passed, failed, skipped }) {
  const tail = skipped > 0 ? `, ${skipped} skipped` : ''
  process.stdout.write(`\n${passed} passed, ${failed} failed${tail}\n`)
  process.exitCode = failed === 0 && passed > 0 ? 0 : 1
}

await main()
