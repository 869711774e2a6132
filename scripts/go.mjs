// Which Go is here, for what is built from Go modules (test/real/rig).
import { spawnSync } from 'node:child_process'

/** What the modules ask for, and the release that an older Go fetches as a module of its own. */
const WANTED = [1, 26]
const TOOLCHAIN = 'go1.26.8'
/** The first Go that can fetch a newer one. */
const OLDEST = [1, 21]

/** `go1.26.8`, or undefined where there is no Go. */
export function goVersion() {
  const { stdout } = spawnSync('go', ['env', 'GOVERSION'], { encoding: 'utf8' })
  return (stdout ?? '').trim() || undefined
}

/** Why nothing can be built with this Go, or undefined. */
export function goProblem(version) {
  if (version === undefined) return 'Go is not installed'
  if (isAtLeast(version, OLDEST)) return undefined
  return `${version} is too old: Go ${WANTED.join('.')} is needed, ${OLDEST.join('.')} can fetch it`
}

/** What a call of this Go needs in its environment. */
export function goEnvironment(version) {
  return isAtLeast(version, WANTED) ? {} : { GOTOOLCHAIN: TOOLCHAIN }
}

/** A version that does not look like one (a build of Go's own head) is new. */
function isAtLeast(version, [wantedMajor, wantedMinor]) {
  const found = /^go(\d+)\.(\d+)/.exec(version)
  if (found === null) return true
  const [major, minor] = found.slice(1).map(Number)
  return major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)
}
