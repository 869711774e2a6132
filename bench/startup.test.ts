import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))
const isBuilt = existsSync(main)
const reason = isBuilt ? '' : ' (not run: dist is not built, `npm test` builds it)'

describe.skipIf(!isBuilt)(`the start of the command line${reason}`, () => {
  it('reads one file and no package for --version', () => {
    expect(loadedBy('--version')).toEqual([main])
  })

  it('reads no YAML parser and no schema library for --help', () => {
    const loaded = loadedBy('--help')
    expect(loaded.length).toBeGreaterThan(1)
    for (const file of loaded) {
      expect(readFileSync(file, 'utf8')).not.toMatch(/region node_modules\/(?:yaml|zod|ignore)\//)
    }
  })
})

/** The files that a run of the built command has loaded. */
function loadedBy(arg: string): readonly string[] {
  const program = `
    process.argv = [process.argv[0], ${JSON.stringify(main)}, ${JSON.stringify(arg)}]
    process.on('exit', () => {
      process.stderr.write(JSON.stringify(Object.keys(require.cache)))
    })
    require(${JSON.stringify(main)})`
  const { stderr } = spawnSync(process.execPath, ['-e', program])
  return JSON.parse(stderr.toString()) as string[]
}
