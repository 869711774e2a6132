import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { fingerprint, fixedDigest } from './fingerprint.ts'
import { stringAt, type JsonObject } from './json.ts'

/**
 * Golden hashes. Of each input the first document is the base; documents called `same-...` have its
 * fingerprint, documents called `differs-...` have one of their own. A change of a digest here
 * renames the Jobs of everybody: it needs an ADR and a new algorithm id.
 */
const FOLDER = 'fixtures/hash'
const cases = readdirSync(FOLDER).filter((name) => existsSync(`${FOLDER}/${name}/input.yaml`))

function documentsOf(name: string): readonly JsonObject[] {
  const text = readFileSync(`${FOLDER}/${name}/input.yaml`, 'utf8')
  return parseAllDocuments(text).map((document) => document.toJS() as JsonObject)
}

const labelOf = (object: JsonObject): string => stringAt(object, ['metadata', 'name']) ?? ''

function digestsOf(object: JsonObject): Record<string, string> {
  return {
    intent: fingerprint(object).digest,
    'adr-012': fingerprint(object, { policy: 'adr-012' }).digest,
    fixed: fixedDigest(object),
  }
}

describe.each(cases)('%s', (name) => {
  const documents = documentsOf(name)
  const [base] = documents

  it('has the recorded digests', () => {
    const digests = documents.map((object) => [labelOf(object), digestsOf(object)])
    const actual = { algorithm: 'v1', documents: Object.fromEntries(digests) as unknown }
    const file = `${FOLDER}/${name}/expected.json`
    if (process.env['UPDATE'] === '1') writeFileSync(file, `${JSON.stringify(actual, null, 2)}\n`)
    expect(actual).toEqual(JSON.parse(readFileSync(file, 'utf8')))
  })

  it('has one fingerprint for all that is the same, and another for each that differs', () => {
    const digest = (object: JsonObject): string => fingerprint(object).digest
    expect(base).toBeDefined()
    const seen = new Map([[digest(base ?? {}), 'base']])
    for (const object of documents.slice(1)) {
      const label = labelOf(object)
      const known = seen.get(digest(object))
      expect(`${label} is ${known ?? 'new'}`).toBe(
        label.startsWith('same-') ? `${label} is base` : `${label} is new`,
      )
      if (known === undefined) seen.set(digest(object), label)
    }
  })

  it('has the same field digests exactly when it has the same fingerprint', () => {
    const all = documents.map((object) => fingerprint(object))
    for (const one of all) {
      for (const other of all) {
        const sameFields = JSON.stringify(one.fields) === JSON.stringify(other.fields)
        expect(sameFields).toBe(one.digest === other.digest)
      }
    }
  })
})

it('covers at least forty manifests', () => {
  expect(cases.flatMap(documentsOf).length).toBeGreaterThan(40)
})
