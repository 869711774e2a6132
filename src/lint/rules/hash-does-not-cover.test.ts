import { describe, expect, it } from 'vitest'
import { context, hook, made, type Made } from '../../../test/lint/subject.ts'
import { fingerprint, saltDigest } from '../../core/fingerprint.ts'
import type { JsonObject } from '../../core/json.ts'
import { contentName } from '../../core/names.ts'
import { hashDoesNotCover } from './hash-does-not-cover.ts'

const judge = (options: Made) => hashDoesNotCover.check?.(made(options), context()) ?? []
const pod = (container: JsonObject): JsonObject => ({
  template: { spec: { containers: [{ name: 'task', ...container }] } },
})

describe('a hash in a templated name', () => {
  const IMAGE = 'agent/tools:{{ .Values.tag }}'
  const SCRIPT = pod({ image: IMAGE, args: ['{{ .Values.script }}'] })

  it('leaves out what the pod template reads', () => {
    const name = 'provision-{{ .Values.script | sha256sum | trunc 8 }}'
    const [finding] = judge({ name, spec: SCRIPT })
    expect(finding?.what).toBe(
      `the name of Job shop/${name} holds a hash of .Values.script, but the pod template also reads .Values.tag`,
    )
    expect(finding?.why).toContain('the apply is refused')
    expect(finding?.severity).toBeUndefined()
  })

  it('leaves out an argument of kro', () => {
    const name = '${schema.metadata.name + "-" + "%x".format([hash.fnv64a(schema.spec.image)])}'
    const spec = pod({ image: '${schema.spec.image}', args: ['${schema.spec.arg}'] })
    expect(judge({ name, spec })[0]?.what).toContain('also reads schema.spec.arg')
  })

  it('leaves out an input of a ResourceSet', () => {
    const name = 'migrate-<< inputs.tag | sha256sum | trunc 8 >>'
    const spec = pod({ image: 'api:<< inputs.tag >>', args: ['<< inputs.mode >>'] })
    const carrier = { apiVersion: 'fluxcd.controlplane.io/v1', kind: 'ResourceSet' }
    expect(judge({ name, spec, carrier })[0]?.what).toContain('also reads inputs.mode')
  })

  it('does not take the variables of a shell for inputs', () => {
    const name = 'x-{{ .Values.tag | sha256sum | trunc 8 }}'
    const spec = pod({ image: 'a:{{ .Values.tag }}', args: ['echo ${HOME}; cat <<EOF >> log'] })
    expect(judge({ name, spec })).toEqual([])
  })

  it('names four at most', () => {
    const args = ['a', 'b', 'c', 'd', 'e'].map((key) => `{{ .Values.${key} }}`)
    const [finding] = judge({ name: 'x-{{ .Values.tag | sha256sum }}', spec: pod({ args }) })
    expect(finding?.what).toMatch(/\.Values\.a, \.Values\.b, \.Values\.c and 2 more$/)
  })

  it('never reaches the cluster where existing Jobs are skipped', () => {
    const name = 'provision-{{ .Values.script | sha256sum | trunc 8 }}'
    const [finding] = judge({ name, spec: SCRIPT, traits: { templateChange: 'skipped' } })
    expect(finding?.why).toContain('the change never runs')
  })

  it.each<[string, string, Made?]>([
    [
      'a hash of all of them',
      'x-{{ printf "%s%s" .Values.script .Values.tag | sha256sum | trunc 8 }}',
    ],
    ['a hash of their parent', 'x-{{ toYaml .Values | sha256sum | trunc 8 }}'],
    ['a hash of one, the other as text', 'x-{{ .Values.tag }}-{{ .Values.script | sha256sum }}'],
    ['a hash of a rendered file', 'x-{{ include (print $.Template.BasePath "/x") . | sha256sum }}'],
    ['a hash of what a helper gives', 'x-{{ include "agent.inputs" . | sha256sum }}'],
    ['a hash of a loop variable', 'x-{{ toYaml $job | sha256sum }}'],
    ['a hook', 'x-{{ .Values.script | sha256sum }}', { traits: { hook: hook() } }],
    [
      'an engine that re-creates',
      'x-{{ .Values.script | sha256sum }}',
      { traits: { templateChange: 'recreates' } },
    ],
    [
      'an object that is left alone',
      'x-{{ .Values.script | sha256sum }}',
      { traits: { applies: false } },
    ],
    ['a name that follows nothing', '{{ .Release.Name }}-migrate'],
  ])('is left alone: %s', (_, name, options) => {
    expect(judge({ name, spec: SCRIPT, ...options })).toEqual([])
  })
})

describe('a version in a templated name', () => {
  const NAME = 'site-migrate-{{ .Values.image.tag | lower | replace "." "-" }}'
  const TAG = '{{ .Values.image.repository }}:{{ .Values.image.tag }}'

  it('is only a warning', () => {
    const [finding] = judge({ name: NAME, spec: pod({ image: TAG }) })
    expect(finding?.severity).toBe('warning')
    expect(finding?.what).toContain(
      'follows .Values.image.tag, but the pod template also reads .Values.image.repository',
    )
  })

  it('leaves out the digest that wins over the tag', () => {
    const image =
      'site{{ if .Values.image.digest }}@{{ .Values.image.digest }}{{ else }}:{{ .Values.image.tag | default .Chart.AppVersion }}{{ end }}'
    expect(judge({ name: NAME, spec: pod({ image }) })[0]?.what).toContain(
      'also reads .Chart.AppVersion and .Values.image.digest',
    )
  })

  it('is left alone when the image reads nothing else', () => {
    expect(judge({ name: NAME, spec: pod({ image: 'site:{{ .Values.image.tag }}' }) })).toEqual([])
  })

  it('of a substitution is compared with the image alone', () => {
    const spec = pod({ image: 'api:${TAG}', args: ['${CLUSTER}'] })
    expect(judge({ name: 'migrate-${TAG}', spec })).toEqual([])
    const other = pod({ image: '${REGISTRY}/api:${TAG}' })
    expect(judge({ name: 'migrate-${TAG}', spec: other })[0]?.what).toContain('also reads REGISTRY')
  })
})

describe('a stamped fingerprint', () => {
  const spec = pod({ image: 'api:41' })
  const { digest } = fingerprint({ kind: 'Job', spec })
  const stamped = (text: string, options: Made = {}) =>
    judge({
      name: `migrate-${digest.slice(0, 8)}`,
      spec,
      ...options,
      annotations: { 'semel.dev/fingerprint': text, ...options.annotations },
    })

  it('is right for its own content', () => {
    expect(stamped(digest)).toEqual([])
    expect(stamped(`intent/v1:${digest}`)).toEqual([])
  })

  it('is wrong for other content', () => {
    const [finding] = stamped(digest, { spec: pod({ image: 'api:42' }) })
    expect(finding?.at).toEqual(['metadata', 'annotations', 'semel.dev/fingerprint'])
    expect(finding?.what).toContain(`is ${digest.slice(0, 8)}..., its content has `)
  })

  it('is wrong beside another hash in the name', () => {
    const [finding] = stamped(digest, { name: 'migrate-00000000' })
    expect(finding?.at).toEqual(['metadata', 'name'])
  })

  it('fits a name that was cut, and no other one', () => {
    const base = `migrate-${'the-orders-of-the-shop-'.repeat(3)}end`
    const { name } = contentName({ kind: 'Job', base, fingerprint: digest })
    const annotations = { 'semel.dev/base': base }
    expect(name).not.toContain(digest.slice(0, 8))
    expect(stamped(digest, { name, annotations })).toEqual([])
    const other = `${name.slice(0, -8)}00000000`
    expect(stamped(digest, { name: other, annotations })).toHaveLength(1)
  })

  it('fits a name that semel.dev/was keeps', () => {
    const name = 'migrate-20260101'
    const annotations = { 'semel.dev/was': `${name}@${digest.slice(0, 8)}` }
    expect(stamped(digest, { name, annotations })).toEqual([])
  })

  it('counts the salt', () => {
    const salt = 'after the restore'
    const config = { 'semel.dev/salt': saltDigest(salt) }
    const salted = fingerprint({ kind: 'Job', spec }, { config }).digest
    const options = (text: string): Made => ({
      name: `migrate-${salted.slice(0, 8)}`,
      annotations: { 'semel.dev/salt': text },
    })
    expect(stamped(salted, options(salt))).toEqual([])
    expect(stamped(salted, options('another time'))).toHaveLength(1)
  })

  it('may stand on content that was changed on the way to the cluster', () => {
    const options = { name: 'migrate', annotations: { 'semel.dev/fingerprint': digest } }
    const written = made({ ...options, spec })
    const { object } = made({ ...options, spec: pod({ image: 'mirror.example.test/api:41' }) })
    expect(hashDoesNotCover.check?.({ ...written, object }, context())).toEqual([])
  })

  it.each<[string, string, Made?]>([
    ['of a later algorithm', `intent/v2:${'0'.repeat(64)}`],
    ['that is no digest', 'todo'],
    [
      'with content of other objects',
      '0'.repeat(64),
      { annotations: { 'semel.dev/follow': 'all' } },
    ],
    [
      'of content that rendering decides',
      '0'.repeat(64),
      { spec: pod({ image: '{{ .Values.i }}' }) },
    ],
  ])('is left alone: one %s', (_, text, options) => {
    expect(stamped(text, { name: 'migrate', ...options })).toEqual([])
  })
})
