import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect } from 'vitest'
import { VERSION } from '../../src/cli/version.ts'
import { root, semel, type World } from './cli.ts'

/**
 * Runs a command line and compares everything it says with fixtures/cli/NAME/expected.txt.
 * `UPDATE=1` writes what it said instead.
 */
export async function golden(name: string, args: string, world: World): Promise<void> {
  const { code, out, err } = await semel(args, world)
  const said = [
    `$ semel ${args}\n`,
    out,
    ...(err === '' ? [] : [`--- stderr\n${err}`]),
    `--- exit code ${code}\n`,
  ].join('')
  const file = path.join(root, 'fixtures/cli', name, 'expected.txt')
  // Colours as text, so that a person can read the file; and no new file for each version.
  const shown = said.replaceAll('\u001b', '␛').replaceAll(`"${VERSION}"`, '"VERSION"')
  if (process.env['UPDATE'] === '1') {
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, shown)
  }
  expect(shown).toBe(existsSync(file) ? readFileSync(file, 'utf8') : '')
}

export const shop: string = path.join(root, 'examples/shop')
