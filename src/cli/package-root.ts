import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the package: the sources run two levels below it, the bundle may lie elsewhere. */
function packageRoot(): string {
  const start = path.dirname(fileURLToPath(import.meta.url))
  for (let at = start; path.dirname(at) !== at; at = path.dirname(at)) {
    const manifest = path.join(at, 'package.json')
    if (existsSync(manifest) && /"name":\s*"semel"/.test(readFileSync(manifest, 'utf8'))) return at
  }
  return start
}

/** A page of the package's own documents; undefined when it was not installed along. */
export function readPage(...steps: readonly string[]): string | undefined {
  try {
    return readFileSync(path.join(packageRoot(), 'docs', ...steps), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
