import { describe, expect, test } from 'vitest'
import type { YamlDocument } from '../../core/yaml/document.ts'
import {
  flux,
  job,
  lineOf,
  nameOf,
  notesOf,
  onlySubject,
  repositoryOf,
  ttlOf,
} from '../../../test/ownership/harness.ts'
import { expand } from './flux-substitution.ts'

const origin = { document: {} as unknown as YamlDocument, path: [] }
const values = new Map([
  ['A', { text: 'a', origin }],
  ['EMPTY', { text: '', origin }],
  ['LINES', { text: 'x\ny\n', origin }],
])

describe('what becomes of a text', () => {
  test.each([
    ['${A}', 'a'],
    ['x-${A}-${A}', 'x-a-a'],
    ['${B:=b}', 'b'],
    ['${B:-b}', 'b'],
    ['${B=b}', 'b'],
    ['${B:=}', ''],
    ['${EMPTY:-b}', 'b'],
    ['${EMPTY}', ''],
    ['${LINES}', 'xy'],
    ['$${A}', '${A}'],
    ['$A', '$A'],
    // Other forms are left as they are: what they give is unknown.
    ['${A:0:1}', '${A:0:1}'],
    ['${A^^}', '${A^^}'],
    ['${B:-${C}}', '${B:-${C}}'],
    ['${B}', '${B}'],
  ])('%s becomes %s', (text, expected) => {
    expect(expand(text, { values, complete: true }).text).toBe(expected)
  })

  test('defaults do not count while a Secret may define the variable', () => {
    expect(expand('${B:=b}', { values, complete: false }).text).toBe('${B:=b}')
    expect(expand('${A:=b}', { values, complete: false }).text).toBe('a')
  })

  test('a variable without a value or a default is told', () => {
    expect(expand('${B} ${C:=c}', { values, complete: true }).undefined).toEqual(['B'])
    expect(expand('${B}', { values, complete: false }).undefined).toEqual([])
  })
})

describe('substitution', () => {
  const postBuild = (lines: string): string => flux('a', 'apps', `  postBuild:\n${lines}`)
  const text = job('a-${X}').replace('600', '${TTL}')

  test('a number stays one, and is shown where the variable is set', () => {
    const subject = onlySubject({
      'ks.yaml': postBuild('    substitute: {TTL: "60"}\n'),
      'apps/job.yaml': job('a').replace('600', '${TTL}'),
    })
    expect(ttlOf(subject)).toBe(60)
    expect(lineOf(subject.placeOf(['spec', 'ttlSecondsAfterFinished']))).toBe('ks.yaml:14')
  })

  test('without postBuild nothing is replaced', () => {
    const subject = onlySubject({ 'ks.yaml': flux('a', 'apps'), 'apps/job.yaml': text })
    expect(nameOf(subject)).toBe('Job a-${X}')
  })

  test('values come from ConfigMaps of the repository, own ones win', () => {
    const subject = onlySubject({
      'ks.yaml': postBuild(
        '    substitute: {X: own}\n    substituteFrom: [{kind: ConfigMap, name: vars}]\n',
      ),
      'vars.yaml':
        'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: vars}\ndata: {X: map, TTL: "7"}',
      'apps/job.yaml': text,
    })
    expect([nameOf(subject), ttlOf(subject)]).toEqual(['Job a-own', 7])
  })

  test('a Secret after a ConfigMap may change everything in it', () => {
    const subject = onlySubject({
      'ks.yaml': postBuild(
        '    substituteFrom: [{kind: ConfigMap, name: vars}, {kind: Secret, name: s}]\n',
      ),
      'vars.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: vars}\ndata: {X: map}',
      'apps/job.yaml': text,
    })
    expect(nameOf(subject)).toBe('Job a-${X}')
  })

  test('of two ConfigMaps of one name the one that is nearer counts, or none', () => {
    const map = (value: string): string =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: vars, namespace: flux-system}\ndata: {X: ${value}}`
    const files = {
      'clusters/a/ks.yaml': postBuild('    substituteFrom: [{kind: ConfigMap, name: vars}]\n'),
      'clusters/b/vars.yaml': map('bb'),
      'apps/job.yaml': job('a-${X}'),
    }
    expect(nameOf(onlySubject({ ...files, 'clusters/a/vars.yaml': map('aa') }))).toBe('Job a-aa')
    const { subjects } = repositoryOf({ ...files, 'clusters/c/vars.yaml': map('cc') })
    expect(subjects.map(nameOf)).toEqual(['Job a-${X}'])
  })

  test('an object may ask to be left alone', () => {
    const subject = onlySubject({
      'ks.yaml': postBuild('    substitute: {X: x}\n'),
      'apps/job.yaml': job('a-${X}').replace(
        'metadata:',
        'metadata:\n  labels: {kustomize.toolkit.fluxcd.io/substitute: Disabled}',
      ),
    })
    expect(nameOf(subject)).toBe('Job a-${X}')
  })

  test('a variable that nothing defines is noted', () => {
    const repository = repositoryOf({
      'ks.yaml': postBuild('    substitute: {X: x}\n'),
      'apps/job.yaml': job('a').replace('value: info', 'value: "${LEVEL}"'),
    })
    expect(notesOf(repository)).toEqual(['apps/job.yaml:15 ${LEVEL} has no value and no default'])
  })
})
