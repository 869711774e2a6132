import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { context, hook, made, type Made } from '../../../test/lint/subject.ts'
import { nameProblem } from '../../core/names.ts'
import { nameTooLong } from './name-too-long.ts'

const judge = (options: Made) => nameTooLong.check?.(made(options), context()) ?? []
const named = (name: string, options: Made = {}) => judge({ name, ...options })
const INDEXED = { completionMode: 'Indexed', completions: 1000 }

describe('a name that is too long', () => {
  it('says bytes, limit and a shorter one that keeps the hash', () => {
    const name = 'customer-billing-eu-west-staging-ledger-schema-migrate-all-3f9a1b2c0'
    const [finding] = named(name)
    expect(finding?.what).toBe(`the name of Job shop/${name} has 68 bytes, 63 are allowed`)
    expect(finding?.remedy).toContain(
      'customer-billing-eu-west-staging-ledger-schema-migrat-3f9a1b2c0',
    )
  })

  it.each<[string, number, Made]>([
    ['a Job', 63, {}],
    ['a CronJob', 52, { kind: 'CronJob' }],
    ['an Indexed Job of 1000', 59, { spec: INDEXED }],
    [
      'a CronJob of Indexed Jobs',
      50,
      { kind: 'CronJob', spec: { jobTemplate: { spec: INDEXED } } },
    ],
  ])('begins behind the limit of %s', (_, limit, options) => {
    expect(named('a'.repeat(limit), options)).toEqual([])
    expect(named('a'.repeat(limit + 1), options)[0]?.what).toContain(`${limit} are allowed`)
  })

  it('gets a proposal that fits and that Kubernetes takes', () => {
    const long = fc.stringMatching(/^[a-z0-9][a-zA-Z0-9._-]{64,120}$/)
    const kinds = fc.constantFrom('Job' as const, 'CronJob' as const)
    fc.assert(
      fc.property(long, kinds, (name, kind) => {
        const [finding] = named(name, { kind })
        const proposal = finding?.remedy.split(' ').at(-1) ?? ''
        expect(nameProblem(kind, proposal, {})).toBeUndefined()
      }),
    )
  })
})

describe('a name that Kubernetes does not allow', () => {
  it.each([
    ['Migrate_DB', 'migrate-db'],
    ['-migrate', 'migrate'],
    ['A'.repeat(70), 'a'.repeat(54)],
  ])('%s', (name, repaired) => {
    expect(named(name)[0]?.remedy).toContain(repaired)
  })

  it('may hold a variable of a build plugin', () => {
    expect(named('migrate-$ARGOCD_APP_NAME')).toEqual([])
  })
})

describe('a templated name', () => {
  it('is too long when its literal parts are', () => {
    const [finding] = named(`{{ .Release.Name }}-${'a'.repeat(63)}`)
    expect(finding?.what).toContain('has at least 64 bytes when rendered, 63 are allowed')
  })

  it.each([
    ['{{ .Values.image | sha256sum }}', '| trunc 8'],
    ['x-{{ .Values.image | sha256sum }}', '| trunc 8'],
    ['${"%x".format([hash.sha256(schema.spec.image)])}', '.substring(0, 8)'],
  ])('is too long with a hash that nothing cuts: %s', (name, remedy) => {
    expect(named(name)[0]?.remedy).toContain(remedy)
  })

  it('has a letter that no rendering takes away', () => {
    expect(named('{{ .Release.Name }}_migrate')[0]?.remedy).toBe('write "-"')
    expect(named('DB-{{ .Release.Name }}')[0]?.remedy).toBe('write "db"')
  })

  it.each([
    ['short parts', '{{ .Release.Name }}-migrate'],
    ['a long part that is likely', `{{ .Release.Name }}-${'a'.repeat(50)}`],
    ['a hash that is cut', '{{ .Values.image | sha256sum | trunc 8 }}'],
    ['a hash that is cut by CEL', '${"%x".format([hash.sha256(schema.spec.a)]).substring(0, 8)}'],
    ['a short hash', '${"%x".format([hash.fnv64a(schema.spec.a)])}'],
    ['branches', `{{ if .Values.a }}${'a'.repeat(40)}{{ else }}${'b'.repeat(40)}{{ end }}`],
  ])('is left alone with %s', (_, name) => {
    expect(named(name)).toEqual([])
  })
})

describe('a generateName', () => {
  const generated = (prefix: string, options: Made = {}) => {
    const subject = made(options)
    const object = { ...subject.object, metadata: { generateName: prefix } }
    return nameTooLong.check?.({ ...subject, object }, context()) ?? []
  }
  const inPhase = (phase: string): Made => ({
    traits: { generateName: 'hooks-only', hook: hook({ phases: [phase] }) },
  })

  it.each([
    ['PreSync', 37],
    ['Sync', 40],
    ['PostSync', 36],
    ['SyncFail', 36],
  ])('of a %s hook may have %d bytes', (phase, room) => {
    expect(generated('a'.repeat(room), inPhase(phase))).toEqual([])
    expect(generated('a'.repeat(room + 1), inPhase(phase))[0]?.what).toContain(
      `${room} are allowed`,
    )
  })

  it('of a CronJob leaves room for what the API server adds', () => {
    const options: Made = { kind: 'CronJob', traits: { generateName: 'creates-each-time' } }
    expect(generated('a'.repeat(47), options)).toEqual([])
    expect(generated('a'.repeat(48), options)[0]?.what).toContain('47 are allowed')
  })

  it.each<[string, Made]>([
    ['a Helm hook', inPhase('pre-upgrade')],
    ['a Job that the server names, and so cuts', { traits: { generateName: 'creates-each-time' } }],
    ['a Job that is refused anyway', {}],
  ])('is left alone for %s', (_, options) => {
    expect(generated('a'.repeat(60), options)).toEqual([])
  })
})

it('is silent for what the engine leaves alone', () => {
  expect(named('a'.repeat(64), { traits: { applies: false } })).toEqual([])
})
