import { describe, expect, it } from 'vitest'
import { NameFinder } from './names-in-bytes.ts'

const finder = new NameFinder(new Set(['db-migrate', 'x', 'a.b']))
const isIn = (text: string): boolean => finder.isIn(new TextEncoder().encode(text))

describe('a name is found', () => {
  it.each([
    'db-migrate',
    'job/db-migrate',
    '"db-migrate"',
    'see db-migrate.',
    'db-migrate-',
    'x',
    ' a.b ',
    'é db-migrate é',
  ])('in %j', (text) => {
    expect(isIn(text)).toBe(true)
  })
})

describe('a name is not found', () => {
  it.each([
    '',
    'db-migrate2',
    'my-db-migrate',
    'db-migrate-1',
    'a.b.c',
    'xx',
    'DB-MIGRATE',
    '-x'.repeat(500),
  ])('in %j', (text) => {
    expect(isIn(text)).toBe(false)
  })
})

it('nothing is found of no names', () => {
  expect(new NameFinder(new Set()).isIn(new TextEncoder().encode('x'))).toBe(false)
})
