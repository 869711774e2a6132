import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { applyEdits } from '../../src/core/edits.ts'
import { onlyStamped } from '../../src/stamp/only-stamped.ts'
import { stamp } from '../../src/stamp/stamp.ts'
import type { StampOptions, StampResult } from '../../src/stamp/stamp-types.ts'
import { at, fullParser } from './harness.ts'

/**
 * fixtures/stamp/NAME: input, options.json, expected output (none where it is refused), and what a
 * person is told. UPDATE=1 writes what is expected.
 */
const FOLDER = 'fixtures/stamp'
const UPDATE = process.env['UPDATE'] === '1'

describe.each(readdirSync(FOLDER).filter((name) => inputOf(name) !== undefined))('%s', (name) => {
  const file = inputOf(name) ?? ''
  const bytes = readFileSync(path.join(FOLDER, name, file))
  const options = optionsOf(name)
  const result = stamp([{ path: file, bytes }], options)
  const output = applyEdits(bytes, result.files[0]?.edits ?? [])

  it('gives the expected bytes', () => {
    const target = path.join(FOLDER, name, file.replace('input', 'expected'))
    if (result.faults.length > 0) {
      expect(existsSync(target)).toBe(false)
      return
    }
    if (UPDATE) writeFileSync(target, output)
    expect(new TextDecoder().decode(output)).toBe(readFileSync(target, 'utf8'))
  })

  it('tells what is expected', () => {
    const target = path.join(FOLDER, name, 'report.txt')
    const report = reportOf(result)
    if (UPDATE) writeFileSync(target, report)
    expect(report).toBe(readFileSync(target, 'utf8'))
  })

  it('changes nothing but names, annotations, labels and references', () => {
    expect(onlyStamped(bytes, output, { fullParser })).toEqual([])
  })

  it('writes nothing when it is stamped again', () => {
    if (result.faults.length > 0) return
    const again = stamp([{ path: file, bytes: output }], options)
    expect(again.faults).toEqual([])
    expect(again.files[0]?.edits).toEqual([])
  })
})

function inputOf(name: string): string | undefined {
  return readdirSync(path.join(FOLDER, name)).find((file) => file.startsWith('input.'))
}

function optionsOf(name: string): StampOptions {
  const file = path.join(FOLDER, name, 'options.json')
  const given = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as StampOptions) : {}
  return { rendered: true, fullParser, ...given }
}

function reportOf({ objects, references, notes, findings, faults }: StampResult): string {
  const lines = [
    ...faults.map(
      ({ code, place, object, what, why, remedy }) =>
        `fault ${code} ${at(place)} ${object ?? ''}\n  what: ${what}\n  why: ${why}\n  do: ${remedy}`,
    ),
    ...objects.map(
      ({ kind, namespace, name, newName, base, state, changes, place }) =>
        `${state} ${at(place)} ${kind} ${namespace ?? '-'}/${name ?? '-'} -> ${newName} (base ${base})` +
        changes.map(({ path: field, change }) => `\n  ${change} ${field}`).join(''),
    ),
    ...references.map(
      ({ place, object, role, from, to }) =>
        `reference ${at(place)} ${object}: ${role}: ${from} -> ${to}`,
    ),
    ...findings.map(
      ({ place, object, pointer, what, why, remedy }) =>
        `finding ${at(place)} ${object} ${pointer}\n  what: ${what}\n  why: ${why}\n  do: ${remedy}`,
    ),
    ...notes.map(
      ({ code, severity, place, object, text, remedy }) =>
        `${severity} ${code} ${at(place)} ${object}: ${text}\n  do: ${remedy}`,
    ),
  ]
  return lines.map((line) => `${line}\n`).join('')
}
