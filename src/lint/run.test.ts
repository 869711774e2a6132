import { describe, expect, it } from 'vitest'
import { stringAt } from '../core/json.ts'
import { repositoryOfTree } from '../../test/lint/rules-harness.ts'
import type { Severity } from '../core/findings.ts'
import { coveredBy, NO_CONFIG, type LintConfig } from './config.ts'
import type { Rule, RuleFinding } from './rule.ts'
import { lint, type LintResult } from './run.ts'

const words = { what: 'what', why: 'why', remedy: 'remedy' }

/** A rule that finds one thing in every Job. */
const every = (id: string, more: Partial<Rule> = {}, finding: Partial<RuleFinding> = {}): Rule => ({
  id,
  severity: 'warning',
  summary: '',
  kinds: ['Job'],
  check: () => [{ at: ['spec'], ...words, ...finding }],
  ...more,
})

const job = (name: string): string =>
  `apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: ${name}\n  namespace: shop\nspec:\n  template: {}\n`

const two = { 'b/two.yaml': job('two'), 'a/one.yaml': job('one') }

const run = (
  rules: readonly Rule[],
  config: LintConfig = NO_CONFIG,
  files: Readonly<Record<string, string>> = two,
): LintResult => lint(repositoryOfTree(files), rules, config, '2026-11-29')

const found = ({ findings }: LintResult): readonly string[] =>
  findings.map(({ rule, severity, place }) => `${place.source.path} ${severity} ${rule}`)

describe('lint', () => {
  it('sorts by path, place and rule, whatever the order of the rules', () => {
    const rules = [every('z'), every('a'), every('m', {}, { at: ['metadata', 'name'] })]
    expect(found(run(rules))).toEqual([
      'a/one.yaml warning m',
      'a/one.yaml warning a',
      'a/one.yaml warning z',
      'b/two.yaml warning m',
      'b/two.yaml warning a',
      'b/two.yaml warning z',
    ])
  })

  it('adds object, pointer and the place of the field', () => {
    const [finding] = run([every('a', {}, { at: ['metadata', 'name'] })]).findings
    expect(finding).toMatchObject({ object: 'Job shop/one', pointer: '/metadata/name' })
    expect(finding?.place.span).toEqual({ start: 49, end: 52 })
  })

  it('asks a rule only about its kinds', () => {
    expect(found(run([every('a', { kinds: ['CronJob'] })]))).toEqual([])
  })

  it('lets a finding have another severity than its rule, and semel.yaml decide over both', () => {
    const rules = [every('a', { severity: 'error' }, { severity: 'info' })]
    expect(found(run(rules))[0]).toBe('a/one.yaml info a')
    const config = { ...NO_CONFIG, levels: { a: 'warning' as const } }
    expect(found(run(rules, config))[0]).toBe('a/one.yaml warning a')
  })

  it('leaves rules out that are off by default until semel.yaml names them', () => {
    const rules = [every('a', { offByDefault: true })]
    expect(found(run(rules))).toEqual([])
    const config = { ...NO_CONFIG, levels: { a: 'error' as const } }
    expect(found(run(rules, config))).toHaveLength(2)
  })

  it('lets the last scope that covers a file decide', () => {
    const scope = (pattern: string, level: Severity | 'off') => ({
      covers: coveredBy([pattern]),
      levels: { a: level },
    })
    const config = {
      ...NO_CONFIG,
      levels: { a: 'info' as const },
      scopes: [scope('**', 'error'), scope('b', 'off')],
    }
    expect(found(run([every('a')], config))).toEqual(['a/one.yaml error a'])
  })

  it('counts by severity', () => {
    const rules = [every('a', { severity: 'error' }), every('b', { severity: 'info' })]
    expect(run(rules).counts).toEqual({ error: 2, warning: 0, info: 2 })
  })

  it('gives findings on files to the Job whose text they stand in', () => {
    const rule: Rule = {
      ...every('a'),
      checkFile: ({ source }) => [{ place: { source, span: { start: 40, end: 41 } }, ...words }],
    }
    delete (rule as { check?: unknown }).check
    const { findings, subjects } = run([rule])
    expect(findings[0]?.object).toBe('Job shop/one')
    expect(subjects.get(findings[0] as never)).toHaveLength(1)
  })

  it('names the file where a finding is on no object', () => {
    const rule: Rule = {
      ...every('a'),
      checkRepository: ({ files }) =>
        files.map(({ source }) => ({
          place: { source: { ...source, path: 'other' }, span: { start: 0, end: 1 } },
          ...words,
        })),
    }
    delete (rule as { check?: unknown }).check
    expect(run([rule]).findings[0]).toMatchObject({ object: 'other', pointer: '' })
  })

  it('says once what two owners share, and both things where they differ', () => {
    const flux = (name: string): string =>
      `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: ${name}, namespace: flux-system}\nspec: {interval: 1h, path: ./a, prune: true, sourceRef: {kind: GitRepository, name: x}}\n`
    const files = { ...two, 'flux/x.yaml': flux('x'), 'flux/y.yaml': flux('y') }
    const shared = run([every('a')], NO_CONFIG, files)
    expect(found(shared)).toHaveLength(2)
    expect(shared.subjects.get(shared.findings[0] as never)).toHaveLength(2)
    const differing = every('a', {
      check: ({ carrier }) => [{ at: ['spec'], ...words, why: carrier?.name ?? '' }],
    })
    expect(found(run([differing], NO_CONFIG, files))).toHaveLength(3)
  })

  it('makes one finding of a file that is applied to several namespaces, and names them all', () => {
    const into = (namespace: string): string =>
      `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: ${namespace}, namespace: flux-system}\nspec: {interval: 1h, path: ./a, prune: true, targetNamespace: ${namespace}, sourceRef: {kind: GitRepository, name: x}}\n`
    const files = {
      'a/one.yaml': job('one'),
      'flux/dev.yaml': into('dev'),
      'flux/prod.yaml': into('prod'),
    }
    const named = every('a', {
      check: ({ object }) => [
        { at: ['spec'], ...words, what: `Job ${String(stringAt(object, NAMESPACE))}/one is odd` },
      ],
    })
    const result = run([named], NO_CONFIG, files)
    expect(found(result)).toEqual(['a/one.yaml warning a'])
    expect(result.findings[0]?.related.map(({ note }) => note)).toEqual([
      'the same for Job prod/one',
    ])
    expect(result.findings[0]?.related[0]?.place.source.path).toBe('flux/prod.yaml')
    expect(result.counts.warning).toBe(1)
  })
})

const NAMESPACE = ['metadata', 'namespace']
