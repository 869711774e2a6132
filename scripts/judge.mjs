import path from 'node:path'

/**
 * Counts a report of vitest. What went wrong outside of the tests comes back as complaints.
 *
 * @param {any} report the json reporter's object; undefined when vitest wrote none
 * @param {number} code the exit code of vitest
 * @param {string} root of the repository, to shorten names
 */
export function judge(report, code, root) {
  const tests = { passed: 0, failed: 0, skipped: 0 }
  const complaints = []
  if (report === undefined) {
    return { tests, complaints: [`vitest ended with code ${code} and left no report`] }
  }
  for (const file of report.testResults) {
    const name = path.relative(root, file.name)
    if (file.status === 'failed' && !file.assertionResults.some(isFailed)) {
      complaints.push(`${name} could not be run as a whole: ${firstLine(file.message)}`)
    }
    for (const test of file.assertionResults) {
      if (test.status === 'passed') tests.passed += 1
      else if (test.status === 'failed') tests.failed += 1
      else {
        tests.skipped += 1
        if (!/\(not run: .+\)/.test(test.fullName)) {
          complaints.push(`${name}: "${test.fullName}" is skipped and says no "(not run: reason)"`)
        }
      }
    }
  }
  if (tests.passed + tests.failed === 0) complaints.push('no test has run')
  if (code !== 0 && tests.failed === 0 && complaints.length === 0) {
    complaints.push(`vitest ended with code ${code} though no test failed: an unhandled error?`)
  }
  return { tests, complaints }
}

function isFailed(test) {
  return test.status === 'failed'
}

function firstLine(text) {
  return (text ?? '').trim().split('\n')[0] || 'no message'
}
