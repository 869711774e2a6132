import { describe, expect, it } from 'vitest'
import { context, hook, made, type Made } from '../../../test/lint/subject.ts'
import type { JsonObject } from '../../core/json.ts'
import { mutableTag } from './mutable-tag.ts'

const pod = (podSpec: JsonObject): JsonObject => ({ template: { spec: podSpec } })
const running = (image: string, more: JsonObject = {}): JsonObject =>
  pod({ containers: [{ name: 'task', image, ...more }] })

function judge(image: string, options: Made & { readonly container?: JsonObject } = {}) {
  const { container, ...rest } = options
  const subject = made({ spec: running(image, container), ...rest })
  return mutableTag.check?.(subject, context()) ?? []
}

describe('mutable-tag', () => {
  it.each([
    ['registry.example.test/lake/migrator:dev', 'and the tag dev moves'],
    ['api', 'without a tag, which means latest'],
    ['localhost:5000/api', 'without a tag, which means latest'],
    ['{{ .Values.registry }}/api:latest', 'and the tag latest moves'],
  ])('speaks for %s', (image, what) => {
    const [finding] = judge(image)
    expect(finding?.what).toBe(`Job shop/migrate runs ${image}, ${what}`)
    expect(finding?.at).toEqual(['spec', 'template', 'spec', 'containers', 0, 'image'])
  })

  it('says that a hash in the name sees only the text', () => {
    const [finding] = judge('api:dev', { name: 'migrate-91be02aa' })
    expect(finding?.why).toContain('the hash in the name sees only the text api:dev')
  })

  it('says that a moved tag starts no hook', () => {
    expect(judge('api:dev', { traits: { hook: hook() } })[0]?.why).toContain('starts nothing')
  })

  it('says that pulling always is no fix, where that is written', () => {
    const container = { imagePullPolicy: 'Always' }
    expect(judge('api:dev', { container })[0]?.remedy).toContain(
      'imagePullPolicy: Always is no fix',
    )
    expect(judge('api:dev')[0]?.remedy).not.toContain('imagePullPolicy')
  })

  it('looks at init containers first, and names one image once', () => {
    const spec = pod({
      initContainers: [{ image: 'wait:main' }],
      containers: [{ image: 'api:dev' }, { image: 'api:dev' }],
    })
    expect(judge('', { spec }).map(({ at }) => at?.slice(-3).join('.'))).toEqual([
      'initContainers.0.image',
      'containers.0.image',
    ])
  })

  it.each<[string, string, Made?]>([
    ['a version', 'api:9.0.1'],
    ['a bare number', 'api:41'],
    ['a digest', `api:dev@sha256:${'1'.repeat(64)}`],
    ['a tag that rendering decides', 'api:{{ .Values.tag }}'],
    ['an image that rendering decides', '{{ .Values.image }}'],
    [
      'a CronJob',
      'api:dev',
      { kind: 'CronJob', spec: { jobTemplate: { spec: running('api:dev') } } },
    ],
    ['an object that the engine leaves alone', 'api:dev', { traits: { applies: false } }],
  ])('is silent for %s', (_, image, options) => {
    const kinds: readonly string[] = mutableTag.kinds
    const judged = kinds.includes(options?.kind ?? 'Job') ? judge(image, options) : []
    expect(judged).toEqual([])
  })
})
