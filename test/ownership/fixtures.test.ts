import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Subject } from '../../src/ownership/subject.ts'
import { lineOf, nameOf, notesOf, readTree, repositoryOf } from './harness.ts'

const FOLDER = path.resolve(import.meta.dirname, '../../fixtures/ownership')

/** Trees of every kind of carrier, with who carries what, how, and what could not be followed. */
describe('ownership of the fixtures', () => {
  const names = readdirSync(FOLDER, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
  test.each(names)('%s', (name) => {
    const { subjects, notes, manifests, files } = repositoryOf(
      readTree(path.join(FOLDER, name, 'tree')),
    )
    const found = {
      subjects: subjects.map(shown),
      notes: notesOf({ subjects, notes, manifests, files }),
    }
    const file = path.join(FOLDER, name, 'expected.json')
    if (process.env['UPDATE'] === '1') {
      writeFileSync(file, `${JSON.stringify(found, null, 2)}\n`)
    }
    expect(found).toEqual(JSON.parse(readFileSync(file, 'utf8')))
  })
})

function shown(subject: Subject): Record<string, unknown> {
  const { engine, chain, rivals, object, generatedNames } = subject
  return {
    name: nameOf(subject),
    engine: engine.id,
    at: lineOf(subject.placeOf(['metadata', 'name'])),
    chain: chain.map(({ label, path: file, settings }) => {
      const written = settings.filter(({ place }) => place !== undefined)
      const words = written.map((setting) => {
        const { name, value, place } = setting
        return `${name}=${value} (${place === undefined ? '' : lineOf(place)})`
      })
      return [`${label} in ${file}`, ...words].join(', ')
    }),
    ...(rivals.length === 0 ? {} : { rivals: rivals.length }),
    ...(generatedNames.length === 0 ? {} : { generated: generatedNames.map(({ name }) => name) }),
    spec: object['spec'],
    metadata: object['metadata'],
  }
}
