import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../core/json.ts'
import type { YamlDocument } from '../../core/yaml/document.ts'
import { traced } from '../traced.ts'
import { addAnnotations, addLabels, replaceImage, splitImage } from './transform.ts'

const document = {} as unknown as YamlDocument
const origin = { document, path: [] }
const DIGEST = `sha256:${'a'.repeat(64)}`

describe('the parts of an image', () => {
  test.each([
    ['busybox', { name: 'busybox' }],
    ['busybox:1', { name: 'busybox', tag: '1' }],
    ['localhost:5000/a/b', { name: 'localhost:5000/a/b' }],
    ['localhost:5000/a/b:2', { name: 'localhost:5000/a/b', tag: '2' }],
    [`a/b@${DIGEST}`, { name: 'a/b', digest: DIGEST }],
    [`a/b:3@${DIGEST}`, { name: 'a/b', tag: '3', digest: DIGEST }],
  ])('%s', (text, expected) => {
    expect(splitImage(text)).toEqual(expected)
  })
})

describe('an image under an entry of `images`', () => {
  test.each([
    ['a new tag drops the digest', `a/b:1@${DIGEST}`, { newTag: '2' }, 'a/b:2'],
    ['a new digest drops the tag', 'a/b:1', { digest: DIGEST }, `a/b@${DIGEST}`],
    ['both', 'a/b:1', { newTag: '2', digest: DIGEST }, `a/b:2@${DIGEST}`],
    ['a new name keeps the tag', 'a/b:1', { newName: 'c' }, 'c:1'],
    ['a suffix of the tag', 'a/b:1', { tagSuffix: '-x' }, 'a/b:1-x'],
    ['nothing new', 'a/b:1', {}, 'a/b:1'],
  ])('%s', (_, image, entry, expected) => {
    expect(replaceImage(image, { name: 'a/b', origin, ...entry })).toBe(expected)
  })

  test('another image, or one that is templated, is left alone', () => {
    expect(replaceImage('a/bc:1', { name: 'a/b', origin, newTag: '2' })).toBeUndefined()
    expect(replaceImage('a/b:${TAG}', { name: 'a/b', origin, newTag: '2' })).toBeUndefined()
  })
})

describe('labels and annotations', () => {
  const job: JsonObject = { kind: 'Job', metadata: { labels: null }, spec: { template: {} } }
  const cronJob: JsonObject = {
    kind: 'CronJob',
    spec: { jobTemplate: { spec: { selector: { matchLabels: {} } } } },
  }
  const pairs = { value: { app: 'x', n: 1 }, origin }
  const entry = { pairs, selectors: false, templates: false }
  const labelled = (object: JsonObject, more: Partial<typeof entry>): JsonObject =>
    addLabels(traced(object, origin), { ...entry, ...more }).value

  test('labels go to the object alone, and become text', () => {
    expect(labelled(job, {})).toEqual({
      kind: 'Job',
      metadata: { labels: { app: 'x', n: '1' } },
      spec: { template: {} },
    })
  })

  test('with templates also to the pods, and to the Jobs of a CronJob', () => {
    expect(labelled(cronJob, { templates: true })).toMatchObject({
      spec: {
        jobTemplate: {
          metadata: { labels: { app: 'x' } },
          spec: { template: { metadata: { labels: { app: 'x' } } }, selector: { matchLabels: {} } },
        },
      },
    })
  })

  test('with selectors also to a selector that is there', () => {
    expect(labelled(cronJob, { selectors: true, templates: true })).toMatchObject({
      spec: { jobTemplate: { spec: { selector: { matchLabels: { app: 'x' } } } } },
    })
    expect(labelled(job, { selectors: true, templates: true })).not.toHaveProperty('spec.selector')
  })

  test('common annotations reach the pods', () => {
    expect(addAnnotations(traced(job, origin), pairs).value).toMatchObject({
      metadata: { annotations: { app: 'x' } },
      spec: { template: { metadata: { annotations: { app: 'x' } } } },
    })
  })

  test('an object whose metadata is text is left alone', () => {
    const odd: JsonObject = { kind: 'Job', metadata: 'x' }
    expect(labelled(odd, {})).toEqual(odd)
  })
})
