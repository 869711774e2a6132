import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'

/**
 * kustomize and kpt as programs of their own, where they have been built: neither comes in an npm
 * package, and kubectl's kustomize runs no functions. They are looked for where the rig of
 * test/real keeps what it builds from `test/real/rig/go/NAME`; KUSTOMIZE and KPT name others.
 *
 *   cd test/real/rig/go/kustomize && go build -trimpath \
 *     -o ~/.cache/semel-real/kustomize/kustomize sigs.k8s.io/kustomize/kustomize/v5
 *   cd test/real/rig/go/kpt && go build -trimpath -o ~/.cache/semel-real/kpt/kpt .
 */
export type BuiltProgram = 'kustomize' | 'kpt'

/** Undefined where it has not been built. */
export function builtProgram(name: BuiltProgram): string | undefined {
  const given = process.env[name.toUpperCase()]
  if (given !== undefined && given !== '') return given
  const cache = process.env['SEMEL_REAL_CACHE'] ?? path.join(homedir(), '.cache/semel-real')
  const file = path.join(cache, name, name)
  return existsSync(file) ? file : undefined
}

/** For the name of a group of tests that is skipped. */
export function notBuilt(name: BuiltProgram): string {
  if (builtProgram(name) !== undefined) return ''
  return ` (not run: ${name} is not built, see test/built-programs.ts)`
}
