import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { applyEdits } from '../../src/core/edits.ts'
import { onlyStamped } from '../../src/stamp/only-stamped.ts'
import { stamp } from '../../src/stamp/stamp.ts'
import { fullParser } from './harness.ts'
import { chooser, mutated } from './mutations.ts'

/** More with MUTATIONS=20000. */
const MUTATIONS = Number(process.env['MUTATIONS'] ?? 1500)

const FOLDERS = ['fixtures/cases', 'fixtures/stamp', 'examples/shop']
const manifests = FOLDERS.flatMap((folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:ya?ml|json)$/.test(entry.name))
    .map((entry) => readFileSync(path.join(entry.parentPath ?? entry.path, entry.name)))
    .filter((bytes) => bytes.includes('Job') && bytes.length < 20_000),
)

const OPTIONS = { fullParser, rendered: true, cronJobs: true, hooks: true, generateNames: true }

it('never throws, writes nothing beside names, and writes nothing the second time', () => {
  let stamped = 0
  let refused = 0
  for (let seed = 0; seed < MUTATIONS; seed += 1) {
    const choose = chooser(seed + 1)
    const original = manifests[choose(manifests.length)] ?? new Uint8Array()
    const bytes =
      seed < manifests.length ? (manifests[seed] ?? original) : mutated(original, choose)
    const source = { path: `seed-${seed}`, bytes }
    const result = stamp([source], OPTIONS)
    expect(result.needsFullParser).toBe(false)
    const edits = result.files[0]?.edits ?? []
    if (result.faults.length > 0) {
      refused += 1
      expect(edits, `seed ${seed}`).toEqual([])
      continue
    }
    if (edits.length > 0) stamped += 1
    const output = applyEdits(bytes, edits)
    const show = (): string => `seed ${seed}\n${new TextDecoder().decode(output)}`
    expect(onlyStamped(bytes, output, { fullParser }), show()).toEqual([])
    const again = stamp([{ path: `seed-${seed}`, bytes: output }], OPTIONS)
    expect(again.faults, show()).toEqual([])
    expect(again.files[0]?.edits, show()).toEqual([])
  }
  expect(stamped).toBeGreaterThan(MUTATIONS / 10)
  expect(refused).toBeGreaterThan(MUTATIONS / 20)
})
