import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { cached } from './cache.ts'
import { goBuild } from './go.ts'

/** Programs that no npm package brings; test/built-programs.ts looks for them where they are put. */
const TOOLS = [
  { name: 'kustomize', packages: ['sigs.k8s.io/kustomize/kustomize/v5'] },
  { name: 'kpt', packages: ['.'] },
] as const

/**
 * Builds kustomize and kpt into the cache. One that cannot be built is said and left out: the tests
 * that need it are then skipped with that reason.
 */
export async function buildTools(say: (line: string) => void): Promise<void> {
  for (const { name, packages } of TOOLS) {
    const module = fileURLToPath(new URL(`go/${name}/`, import.meta.url))
    try {
      await cached(
        name,
        (into) => goBuild({ name, module, packages, output: path.join(into, name), say }),
        say,
      )
    } catch (error) {
      say(`${name} was not built: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
}
