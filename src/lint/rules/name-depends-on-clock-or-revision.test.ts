import { describe, expect, it } from 'vitest'
import { context, hook, made, type Made } from '../../../test/lint/subject.ts'
import type { JsonObject } from '../../core/json.ts'
import { nameDependsOnClockOrRevision } from './name-depends-on-clock-or-revision.ts'

const judge = (options: Made) =>
  nameDependsOnClockOrRevision.check?.(made(options), context()) ?? []
const named = (name: string, options: Made = {}) => judge({ name, ...options })
const CLOCK = 'init-{{ now | date "20060102" }}'
const CONVERGES = { annotations: { 'semel.dev/contract': 'converges' } }

describe('a name that is new at each rendering', () => {
  it.each([
    [CLOCK, 'the clock (now)'],
    ['init-{{ randAlphaNum 5 | lower }}', 'chance (randAlphaNum)'],
    ['init-{{ .Release.Time.Seconds }}', 'the clock (.Release.Time)'],
  ])('%s', (name, words) => {
    const [finding] = named(name)
    expect(finding?.what).toBe(`the name of Job shop/${name} depends on ${words}`)
    expect(finding?.severity).toBeUndefined()
    expect(finding?.at).toEqual(['metadata', 'name'])
  })

  it('is known in a ResourceSet', () => {
    const carrier = { apiVersion: 'fluxcd.controlplane.io/v1', kind: 'ResourceSet' }
    expect(named('init-<< now | date "150405" >>', { carrier })).toHaveLength(1)
  })

  it.each([
    ['init-{{ .Release.Revision }}', 'Helm counts it up with every upgrade'],
    ['init-{{ .Release.IsUpgrade }}', 'differs between install and upgrade'],
    ['init-${GIT_COMMIT}', 'changes with commits and builds'],
  ])('only warns for a counter or a commit: %s', (name, why) => {
    const [finding] = named(name)
    expect(finding?.severity).toBe('warning')
    expect(finding?.why).toContain(why)
    expect(named(name, CONVERGES)).toEqual([])
  })

  it('makes a CronJob lose its history', () => {
    expect(named(CLOCK, { kind: 'CronJob' })[0]?.remedy).toContain('a fixed name')
  })

  it('piles up hook Jobs, as no policy finds the old one', () => {
    const [finding] = named(CLOCK, { traits: { hook: hook() } })
    expect(finding?.severity).toBe('warning')
    expect(finding?.why).toContain('no policy ever finds the old Job')
  })

  it('may hold a build variable of a plugin', () => {
    const carrier: JsonObject = { kind: 'Application', spec: { sources: [{ plugin: {} }] } }
    const [finding] = named('init-$ARGOCD_APP_REVISION_SHORT', { carrier })
    expect(finding?.severity).toBe('warning')
    expect(finding?.why).toContain('changes with commits and builds')
    expect(named('init-$ARGOCD_APP_REVISION_SHORT')).toEqual([])
  })

  it('is found in a parameter that the Application sets to the revision', () => {
    const parameters = [{ name: 'build', value: '$ARGOCD_APP_REVISION' }]
    const carrier: JsonObject = { kind: 'Application', spec: { source: { helm: { parameters } } } }
    expect(named('init-{{ .Values.build }}', { carrier })[0]?.what).toContain(
      'depends on .Values.build, which the Application sets to the revision',
    )
  })
})

describe('a pod template that is new at each rendering', () => {
  const annotated = (value: string): JsonObject => ({
    template: { metadata: { annotations: { rollme: value } } },
  })
  const rolled = (value: string, options: Made = {}) =>
    judge({ spec: annotated(value), ...options })

  it('is refused as immutable under its fixed name', () => {
    const [finding] = rolled('{{ randAlphaNum 5 }}')
    expect(finding?.at).toEqual(['spec', 'template', 'metadata', 'annotations', 'rollme'])
    expect(finding?.why).toContain('field is immutable')
  })

  it('runs where a changed Job is created again', () => {
    const [finding] = rolled('{{ now }}', { traits: { templateChange: 'recreates' } })
    expect(finding?.why).toContain('deleted and runs again though nothing changed')
  })

  it('is one finding for all its places', () => {
    const containers = [{ args: ['{{ now }}', '{{ uuidv4 }}'] }]
    const findings = judge({ spec: { template: { spec: { containers } } } })
    expect(findings).toHaveLength(1)
    expect(findings[0]?.related?.map(({ note }) => note)).toEqual([
      'depends on chance (uuidv4) too',
    ])
  })

  it('may come from a build variable, where those are replaced', () => {
    const annotations = annotated('$ARGOCD_APP_REVISION')
    const application = (source: JsonObject): JsonObject => ({
      kind: 'Application',
      spec: { source },
    })
    const replaced = [{ kustomize: { commonAnnotationsEnvsubst: true } }, { plugin: {} }]
    for (const source of replaced) {
      const [finding] = judge({ spec: annotations, carrier: application(source) })
      expect(finding?.what).toContain('depends on the revision')
      expect(finding?.severity).toBeUndefined()
    }
    expect(judge({ spec: annotations, carrier: application({}) })).toEqual([])
  })

  it.each<[string, string, Made]>([
    ['a hook, which is replaced anyway', '{{ now }}', { traits: { hook: hook() } }],
    [
      'an engine that leaves a changed Job as it is',
      '{{ now }}',
      { traits: { templateChange: 'skipped' } },
    ],
    ['a value', '{{ .Values.rollme }}', {}],
  ])('is left alone for %s', (_, value, options) => {
    expect(rolled(value, options)).toEqual([])
  })

  it('is left alone in a CronJob, where a change starts nothing', () => {
    const spec = { jobTemplate: { spec: annotated('{{ now }}') } }
    expect(judge({ kind: 'CronJob', spec })).toEqual([])
  })

  const SCRIPT = 'cat <<EOF\n$(date) now\nEOF\ndate >> log; echo ${BUILD_ID}'
  const SUBSTITUTED: JsonObject = { spec: { postBuild: { substitute: {} } } }
  const running = (container: JsonObject, carrier?: JsonObject) =>
    judge({
      spec: { template: { spec: { containers: [container] } } },
      ...(carrier === undefined ? {} : { carrier }),
    })

  it('is a warning for a variable that a substitution replaces', () => {
    const container = { env: [{ name: 'SHA', value: '${GIT_SHA}' }] }
    expect(running(container, SUBSTITUTED)[0]?.severity).toBe('warning')
    expect(running(container)).toEqual([])
  })

  it.each<[string, JsonObject]>([
    ['a shell with its own variables and here-documents', { args: [SCRIPT] }],
    ['a commit in the image: that is the version of the program', { image: 'api:${GIT_SHA}' }],
  ])('is left alone for %s', (_, container) => {
    expect(running(container)).toEqual([])
    expect(running(container, SUBSTITUTED)).toEqual([])
  })
})

describe('name-depends-on-clock-or-revision', () => {
  it.each<[string, string, Made?]>([
    ['what an include decides', '{{ include "shop.jobName" . }}'],
    ['a version from values', 'init-{{ .Values.image.tag }}'],
    ['a commit in values, which a commit wrote', 'init-{{ .Values.commit }}'],
    [
      'a hook that is deleted on success',
      CLOCK,
      { traits: { hook: hook({ deletePolicies: ['hook-succeeded'] }) } },
    ],
    ['an object that the engine leaves alone', CLOCK, { traits: { applies: false } }],
  ])('is silent for %s', (_, name, options) => {
    expect(named(name, options)).toEqual([])
  })
})
