import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { valuesJsonSchema } from './json-schema.ts'
import { valuesTables } from './reference.ts'

describe('what is made from the table of values', () => {
  it('schema/values.schema.json is up to date', () => {
    const file = 'schema/values.schema.json'
    const current = valuesJsonSchema()
    if (process.env['UPDATE'] === '1') writeFileSync(file, current)
    expect(readFileSync(file, 'utf8')).toBe(current)
  })

  it('the tables of docs/render/values.md are up to date', () => {
    const file = 'docs/render/values.md'
    const page = readFileSync(file, 'utf8')
    let current = page
    for (const [name, text] of Object.entries(valuesTables())) {
      const place = new RegExp(`(<!-- ${name} -->\\n)[\\s\\S]*?(<!-- end -->)`)
      expect(current).toMatch(place)
      current = current.replace(place, (_all, before, after) => `${before}${text}\n${after}`)
    }
    if (process.env['UPDATE'] === '1') writeFileSync(file, current)
    else expect(page).toBe(current)
  })

  it('an open schema takes other top-level keys, and only those', () => {
    const closed = JSON.parse(valuesJsonSchema()) as Record<string, unknown>
    const open = JSON.parse(valuesJsonSchema({ open: true })) as Record<string, unknown>
    expect(open).toEqual({ ...closed, additionalProperties: true })
    expect(closed['additionalProperties']).toBe(false)
  })
})
