import { describe, expect, it } from 'vitest'
import { repositoryOfTree } from '../../test/lint/rules-harness.ts'
import { positionOf } from '../core/source.ts'
import { NO_CONFIG, type LintConfig } from './config.ts'
import type { Rule } from './rule.ts'
import { lint } from './run.ts'

/** Rules that find something in every Job, at known fields. */
const tag: Rule = {
  id: 'mutable-tag',
  severity: 'warning',
  summary: '',
  kinds: ['Job', 'CronJob'],
  check: ({ kind }) => [
    {
      at:
        kind === 'Job'
          ? ['spec', 'template', 'spec', 'containers', 0, 'image']
          : ['spec', 'jobTemplate', 'spec', 'template', 'spec', 'containers', 0, 'image'],
      what: 'tag',
      why: 'w',
      remedy: 'r',
    },
  ],
}
const deadline: Rule = {
  id: 'no-deadline',
  severity: 'warning',
  summary: '',
  kinds: ['Job', 'CronJob'],
  check: () => [{ at: ['spec'], show: 'key', what: 'deadline', why: 'w', remedy: 'r' }],
}

function run(text: string | Readonly<Record<string, string>>, config: LintConfig = NO_CONFIG) {
  const files = typeof text === 'string' ? { 'job.yaml': text } : text
  const repository = repositoryOfTree(files)
  const { findings, suppressed } = lint(repository, [tag, deadline], config, '2026-11-29')
  return {
    found: findings.map(({ rule, place }) => {
      const { line, column } = positionOf(place.source, place.span.start)
      return `${rule} ${place.source.path}:${line}:${column}`
    }),
    said: findings.map(({ what, why, remedy }) => `${what} | ${why} | ${remedy}`).join('\n'),
    suppressed: suppressed.map(({ finding, reason, until }) =>
      [finding.rule, reason, ...(until === undefined ? [] : [until])].join(': '),
    ),
  }
}

/** A Job with a comment in one of several places. */
function job(
  at: Partial<Record<'top' | 'first' | 'spec' | 'specEnd' | 'item' | 'image' | 'imageEnd', string>>,
): string {
  const line = (comment: string | undefined, indent: number): string =>
    comment === undefined ? '' : `${' '.repeat(indent)}${comment}\n`
  return `${line(at.top, 0)}---
${line(at.first, 0)}apiVersion: batch/v1
kind: Job
metadata:
  name: one
${line(at.spec, 0)}spec:${at.specEnd === undefined ? '' : ` ${at.specEnd}`}
  template:
    spec:
      containers:
${line(at.item, 8)}        - name: a
${line(at.image, 10)}          image: registry.example.test/a:latest${at.imageEnd === undefined ? '' : ` ${at.imageEnd}`}
`
}

const bothFound = ['no-deadline', 'mutable-tag']
const rulesOf = (found: readonly string[]): readonly string[] =>
  found.map((text) => text.split(' ')[0] ?? '')

describe('a suppression by comment', () => {
  it('is not needed for the findings to be there', () => {
    expect(rulesOf(run(job({})).found)).toEqual(bothFound)
  })

  it.each<[string, Parameters<typeof job>[0]]>([
    ['on the line above the field', { image: '# semel-ignore mutable-tag: agreed' }],
    ['at the end of the line', { imageEnd: '# semel-ignore mutable-tag: agreed' }],
    ['above the list item that holds the field', { item: '# semel-ignore mutable-tag: agreed' }],
    ['above a mapping that holds the field', { spec: '# semel-ignore mutable-tag: agreed' }],
    ['above the first line of the document', { first: '# semel-ignore mutable-tag: agreed' }],
    ['above the separator at the top of the file', { top: '# semel-ignore mutable-tag: agreed' }],
    ['for the whole file', { first: '# semel-ignore-file mutable-tag: agreed' }],
    ['with more than one sign', { image: '## semel-ignore mutable-tag: agreed' }],
    ['without a blank', { image: '#semel-ignore mutable-tag: agreed' }],
  ])('covers a finding %s', (_case, comment) => {
    const { found, suppressed } = run(job(comment))
    expect(rulesOf(found)).toEqual(['no-deadline'])
    expect(suppressed).toEqual(['mutable-tag: agreed'])
  })

  it('covers several rules with one reason', () => {
    const { found, suppressed } = run(
      job({ first: '# semel-ignore mutable-tag, no-deadline: agreed' }),
    )
    expect(found).toEqual([])
    expect(suppressed).toEqual(['no-deadline: agreed', 'mutable-tag: agreed'])
  })

  it('may stand between other comments, and several above one field', () => {
    const comments =
      '# kept for the archive\n# semel-ignore mutable-tag: agreed\n# semel-ignore no-deadline: short\n# more'
    expect(run(job({ spec: comments })).found).toEqual([])
  })

  it('ends at the end of the field below it', () => {
    const text = job({}).replace('metadata:', '# semel-ignore no-deadline: agreed\nmetadata:')
    expect(rulesOf(run(text).found)).toEqual(['suppression-unused', ...bothFound])
  })

  it('ends at the end of its document', () => {
    const two = `${job({ first: '# semel-ignore mutable-tag: agreed' })}${job({}).replace('one', 'two')}`
    expect(rulesOf(run(two).found)).toEqual(['no-deadline', 'no-deadline', 'mutable-tag'])
  })

  it('covers a list without indentation below its key', () => {
    const text = job({}).replace(
      '      containers:\n        - name: a\n          image',
      '      # semel-ignore mutable-tag: agreed\n      containers:\n      - name: a\n        image',
    )
    expect(rulesOf(run(text).found)).toEqual(['no-deadline'])
  })

  it('covers what a Helm action stands above', () => {
    const files = {
      'chart/Chart.yaml': 'apiVersion: v2\nname: c\nversion: 1.0.0\n',
      'chart/templates/job.yaml': job({
        first: '# semel-ignore mutable-tag: agreed\n{{- if .Values.on }}',
      }).concat('{{- end }}\n'),
    }
    expect(rulesOf(run(files).found)).toEqual(['no-deadline'])
  })

  it('works with CRLF and a byte order mark', () => {
    const text = job({ first: '# semel-ignore mutable-tag: agreed' }).replace('---\n', '')
    expect(rulesOf(run(`\uFEFF${text}`.replaceAll('\n', '\r\n')).found)).toEqual(['no-deadline'])
  })

  it('covers text inside of another object, where it stands', () => {
    const inner = job({ image: '# semel-ignore mutable-tag: agreed' }).replace('---\n', '')
    const text = `apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSet
metadata:
  name: set
  namespace: flux-system
spec:
  resourcesTemplate: |
${inner.replaceAll(/^/gm, '    ').trimEnd()}
`
    const { found, suppressed } = run(text)
    expect(rulesOf(found)).toEqual(['no-deadline'])
    expect(suppressed).toEqual(['mutable-tag: agreed'])
  })

  it.each<[string, string]>([
    [
      'text of a script',
      `          args: [x]\n          command:\n            - |\n              # semel-ignore mutable-tag: no comment\n              run\n`,
    ],
    ['a quoted value', `          args: ["a # semel-ignore mutable-tag: no comment"]\n`],
    [
      'another word',
      `          # semel-ignored is another word\n          # see semel-ignore mutable-tag: x\n`,
    ],
  ])('is not looked for in %s', (_case, more) => {
    expect(rulesOf(run(job({}) + more).found)).toEqual(bothFound)
  })

  it('is not looked for in documents that nobody reads', () => {
    const other = 'kind: ConfigMap\ndata:\n  a: |\n    # semel-ignore mutable-tag: text\n'
    expect(rulesOf(run(`${other}${job({})}`).found)).toEqual(bothFound)
  })

  it.each<[string, string, string]>([
    ['no reason', '# semel-ignore mutable-tag', 'gives no reason'],
    ['an empty reason', '# semel-ignore mutable-tag:  ', 'gives no reason'],
    ['only an end', '# semel-ignore mutable-tag: until 2027-01-01', 'gives no reason'],
    ['no rule', '# semel-ignore: agreed', 'names no rule'],
    ['a mistyped rule', '# semel-ignore mutabel-tag: agreed', 'Did you mean mutable-tag?'],
    ['an unknown rule', '# semel-ignore zzz: agreed', 'there is no rule zzz.'],
    [
      'an unknown word',
      '# semel-ignore-next-line mutable-tag: agreed',
      'semel-ignore-next-line is no comment that Semel knows',
    ],
    [
      'an end that is no day',
      '# semel-ignore mutable-tag: agreed until 2027-02-30',
      '"2027-02-30", which is no date',
    ],
    [
      'an end that has passed',
      '# semel-ignore mutable-tag: agreed until 2026-11-28',
      'ended on 2026-11-28',
    ],
    [
      'a rule that reports on suppressions',
      '# semel-ignore suppression-unused: agreed',
      'cannot be suppressed in place',
    ],
  ])('has no effect with %s, and that is an error', (_case, image, words) => {
    const { found, said } = run(job({ image }))
    expect(rulesOf(found)).toEqual(['no-deadline', 'suppression-invalid', 'mutable-tag'])
    expect(said).toContain(words)
  })

  it('holds until the end of its last day', () => {
    const until = job({ image: '# semel-ignore mutable-tag: agreed [until 2026-11-29]' })
    expect(run(until).suppressed).toEqual(['mutable-tag: agreed: 2026-11-29'])
  })

  it('takes "until" before other words for a part of the reason', () => {
    const text = job({ image: '# semel-ignore mutable-tag: kept until the move is done' })
    expect(run(text).suppressed).toEqual(['mutable-tag: kept until the move is done'])
  })

  it('is reported when nothing is left to suppress', () => {
    const { found, said } = run(job({ first: '# semel-ignore contract-invalid: agreed' }))
    expect(found[0]).toBe('suppression-unused job.yaml:2:1')
    expect(said).toContain('nothing is left here that contract-invalid would report')
  })

  it('is not called unused while its rule is off there', () => {
    const text = job({ image: '# semel-ignore mutable-tag: agreed' })
    const off = { ...NO_CONFIG, levels: { 'mutable-tag': 'off' as const } }
    expect(rulesOf(run(text, off).found)).toEqual(['no-deadline'])
  })

  it('is not called unused when semel.yaml switches that rule off', () => {
    const off = { ...NO_CONFIG, levels: { 'suppression-unused': 'off' as const } }
    const text = job({ first: '# semel-ignore contract-invalid: agreed' })
    expect(rulesOf(run(text, off).found)).toEqual(bothFound)
  })
})

describe('a suppression by annotation', () => {
  const annotated = (lines: string): string =>
    job({}).replace('  name: one\n', `  name: one\n  annotations:\n    ${lines}\n`)

  it('covers every finding of its rule on the object', () => {
    const { found, suppressed } = run(
      annotated('semel.dev/ignore.mutable-tag: agreed [until 2027-01-01]'),
    )
    expect(rulesOf(found)).toEqual(['no-deadline'])
    expect(suppressed).toEqual(['mutable-tag: agreed: 2027-01-01'])
  })

  it('may come from a kustomization, for all that it touches', () => {
    const files = {
      'a.yaml': job({}),
      'b.yaml': job({}).replace('one', 'two'),
      'kustomization.yaml':
        'resources: [a.yaml, b.yaml]\ncommonAnnotations:\n  semel.dev/ignore.mutable-tag: agreed\n',
    }
    const { found, suppressed } = run(files)
    expect(rulesOf(found)).toEqual(['no-deadline', 'no-deadline'])
    expect(suppressed).toEqual(['mutable-tag: agreed', 'mutable-tag: agreed'])
  })

  it.each<[string, string, string]>([
    ['no reason', 'semel.dev/ignore.mutable-tag: ""', 'gives no reason'],
    ['a reason that is no text', 'semel.dev/ignore.mutable-tag: true', 'gives no reason'],
    ['an unknown rule', 'semel.dev/ignore.zzz: agreed', 'there is no rule zzz'],
    ['no rule', 'semel.dev/ignore.: agreed', 'names no rule'],
    [
      'a passed end',
      'semel.dev/ignore.mutable-tag: agreed until 2020-01-01',
      'ended on 2020-01-01',
    ],
  ])('has no effect with %s', (_case, line, words) => {
    const { found, said } = run(annotated(line))
    expect(rulesOf(found)).toContain('suppression-invalid')
    expect(rulesOf(found)).toContain('mutable-tag')
    expect(said).toContain(words)
  })

  it('is reported once when nothing is left to suppress', () => {
    const { found } = run(annotated('semel.dev/ignore.contract-invalid: agreed'))
    expect(found.filter((text) => text.startsWith('suppression-unused'))).toEqual([
      'suppression-unused job.yaml:7:5',
    ])
  })
})
