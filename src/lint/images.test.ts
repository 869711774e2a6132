import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isChannel, parseImage } from './images.ts'

const DIGEST = `sha256:${'0'.repeat(64)}`

describe('an image reference', () => {
  it.each([
    ['api', { repository: 'api' }],
    ['api:2', { repository: 'api', tag: '2' }],
    ['shop/api:2', { repository: 'shop/api', tag: '2' }],
    [
      'registry.example.test/shop/api',
      { registry: 'registry.example.test', repository: 'shop/api' },
    ],
    ['localhost/api:2', { registry: 'localhost', repository: 'api', tag: '2' }],
    ['localhost:5000/api', { registry: 'localhost:5000', repository: 'api' }],
    ['registry:5000/a/b:2', { registry: 'registry:5000', repository: 'a/b', tag: '2' }],
    [`api@${DIGEST}`, { repository: 'api', digest: DIGEST }],
    [`api:dev@${DIGEST}`, { repository: 'api', tag: 'dev', digest: DIGEST }],
  ])('%s', (text, expected) => {
    expect(parseImage(text)).toEqual(expected)
  })

  it.each([
    '{{ .Values.image }}',
    '{{ .Values.repository }}:{{ .Values.tag }}',
    'registry.example.test/shop/{{ .Values.name }}',
    'api:dev-{{ .Values.build }}',
    'api:${TAG}',
    '',
  ])('is unknown where rendering decides the tag: %s', (text) => {
    expect(parseImage(text)).toBeUndefined()
  })

  it('keeps a literal tag behind a templated repository', () => {
    expect(parseImage('{{ .Values.registry }}/api:latest')?.tag).toBe('latest')
  })

  it('is put together again from its parts', () => {
    const word = fc.stringMatching(/^[a-z][a-z0-9-]{0,8}$/)
    fc.assert(
      fc.property(word, word, word, fc.boolean(), (host, path, tag, pinned) => {
        const text = `${host}.test:5000/${path}/${path}:${tag}${pinned ? `@${DIGEST}` : ''}`
        const read = parseImage(text)
        expect(read?.registry).toBe(`${host}.test:5000`)
        expect(read?.repository).toBe(`${path}/${path}`)
        expect(read?.tag).toBe(tag)
        expect(read?.digest).toBe(pinned ? DIGEST : undefined)
      }),
    )
  })
})

describe('a tag that is made to move', () => {
  it.each([
    'latest',
    'latest-alpine',
    '17-latest',
    'main',
    'Dev',
    'nightly',
    'stable-slim',
    'prod',
  ])('%s', (tag) => {
    expect(isChannel(tag)).toBe(true)
  })

  it.each(['2', '41', '9.0.1', 'v1', 'dev-20261129', 'main-3f9a1b2', 'alpine', 'jammy', 'debug'])(
    'is not %s',
    (tag) => {
      expect(isChannel(tag)).toBe(false)
    },
  )
})
