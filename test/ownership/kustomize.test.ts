import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { JsonObject } from '../../src/core/json.ts'
import { repositoryOf, type Files } from './harness.ts'

interface Recorded {
  readonly root: string
  readonly files: Files
  readonly objects: readonly JsonObject[]
}

/**
 * Random bases, overlays, components and patches, with the answers of `kubectl kustomize` 5.7.1.
 * Left out are a tag suffix, which that version appends twice, and labels that it writes to two
 * places at once and then changes together.
 */
const recorded = JSON.parse(
  readFileSync(
    path.resolve(import.meta.dirname, '../../fixtures/ownership/kustomize-5.7.1.json'),
    'utf8',
  ),
) as readonly Recorded[]

test('kustomize itself gave the answers', () => {
  expect(recorded.length).toBeGreaterThanOrEqual(70)
})

test.each(recorded.map((one, index) => [index, one] as const))(
  'build %i is what kustomize makes of it',
  (_, { files, objects }) => {
    const { subjects } = repositoryOf(files)
    expect(subjects.map(({ object }) => object).toSorted(byName)).toEqual(objects.toSorted(byName))
  },
)

function byName(one: JsonObject, other: JsonObject): number {
  return keyOf(one) < keyOf(other) ? -1 : 1
}

function keyOf({ kind, metadata }: JsonObject): string {
  const { namespace, name } = metadata as JsonObject
  return JSON.stringify([kind, namespace, name])
}
