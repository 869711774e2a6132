// `npm test`: prepares the checkout, runs the static checks and every test, and closes with one line
// that counts both: `N passed, N failed` (and `, N skipped`). Anything but a clean run ends with 1:
// also no test at all, a test file that cannot be loaded, a skipped test that says no reason, and an
// error outside of any test.
// The tests against a real control plane (test/real) are part of it where Go is there to build one;
// elsewhere one line names them as not run. SEMEL_REAL=off leaves them out, SEMEL_REAL=required
// makes it a failure when they cannot run.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { runChecks } from './check.mjs'
import { goProblem, goVersion } from './go.mjs'
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
  // First, because it builds kustomize and kpt, which some of the others run.
  const real = await runReal()
  const unit = await runVitest([])
  const treeAfter = gitStatus()
  const complaints = [...unit.complaints, ...real.complaints]
  if (process.env.CI !== undefined && treeBefore !== treeAfter) {
    complaints.push(`The tests changed the checkout:\n${treeAfter}`)
  }
  for (const complaint of complaints) process.stdout.write(`FAILED  ${complaint}\n`)
  return close({
    passed: checks.passed + unit.tests.passed + real.tests.passed,
    failed: checks.failed + unit.tests.failed + real.tests.failed + complaints.length,
    skipped: unit.tests.skipped + real.tests.skipped,
  })
}

/** The tests of test/real, or why they are not run. */
async function runReal() {
  const none = { tests: { passed: 0, failed: 0, skipped: 0 }, complaints: [] }
  const wish = process.env.SEMEL_REAL
  const reason = wish === 'off' ? 'SEMEL_REAL=off' : goProblem(goVersion())
  if (reason === undefined) return runVitest(['--config', 'vitest.real.config.ts'])
  const line = `test/real, the tests against a real control plane (not run: ${reason})`
  if (wish === 'required') return { ...none, complaints: [line] }
  process.stdout.write(`NOT RUN ${line}\n`)
  return none
}

async function runVitest(options) {
  const folder = mkdtempSync(path.join(tmpdir(), 'semel-test-'))
  const reportFile = path.join(folder, 'report.json')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`]
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const args = ['run', ...options, ...reporters]
  const { code } = await runTool('vitest', 'vitest', args, { show: true })
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
