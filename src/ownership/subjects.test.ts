import { describe, expect, test } from 'vitest'
import {
  argo,
  engineOf,
  flux,
  job,
  lineOf,
  nameOf,
  onlySubject,
  repositoryOf,
  type Files,
} from '../../test/ownership/harness.ts'

const BOTH: Files = {
  'ks.yaml': flux('a', 'apps'),
  'app.yaml': argo('b', 'apps'),
  'apps/job.yaml': job('x', 'shop'),
}

describe('several owners of one file', () => {
  const { subjects } = repositoryOf(BOTH)

  test('make one subject each, and know each other', () => {
    expect(subjects.map(engineOf).toSorted()).toEqual(['argocd', 'flux'])
    const [one, other] = subjects
    expect(one?.rivals).toEqual([other])
    expect(other?.rivals).toEqual([one])
  })

  test('carriers that come to a file in two ways own it once', () => {
    const subject = onlySubject({
      'root-a.yaml': flux('root-a', 'clusters'),
      'root-b.yaml': flux('root-b', './clusters/'),
      'clusters/ks.yaml': flux('shop', 'apps'),
      'apps/job.yaml': job('x'),
    })
    // Which of the two brings it is open, so the chain starts at the one that is sure.
    expect(subject.chain.map(({ label }) => label)).toEqual(['Kustomization flux-system/shop'])
  })

  test('a carrier that outer ones change in two ways is two', () => {
    const patch = (seconds: number): string => `  patches:
    - target: {kind: Kustomization}
      patch: '[{"op": "replace", "path": "/spec/interval", "value": "${seconds}s"}]'
`
    const { subjects: found } = repositoryOf({
      'a.yaml': flux('root-a', 'clusters', patch(60)),
      'b.yaml': flux('root-b', 'clusters', patch(90)),
      'clusters/ks.yaml': flux('shop', 'apps'),
      'apps/job.yaml': job('x'),
    })
    expect(found.map(({ traits }) => traits.restoresAbsent)).toMatchObject([
      { periodSeconds: 60 },
      { periodSeconds: 90 },
    ])
  })
})

describe('the engine that the user gives', () => {
  test('chooses among the owners', () => {
    const { subjects } = repositoryOf(BOTH, { engine: 'flux' })
    expect(
      subjects.map((subject) => [engineOf(subject), subject.engineGiven, subject.rivals]),
    ).toEqual([['flux', true, []]])
    expect(subjects[0]?.carrier?.kind).toBe('Kustomization')
  })

  test('stands alone where no owner has it', () => {
    const [subject] = repositoryOf(BOTH, { engine: 'kro' }).subjects
    expect([subject?.engine.id, subject?.carrier, subject?.chain]).toEqual(['kro', undefined, []])
  })

  test('for a file, by its name in this run', () => {
    const { subjects } = repositoryOf(
      { 'a.yaml': job('a'), 'b.yaml': job('b') },
      { root: 'here', overrides: (path) => (path === 'here/b.yaml' ? 'argocd' : undefined) },
    )
    expect(subjects.map((subject) => [engineOf(subject), subject.engineGiven])).toEqual([
      ['unknown', false],
      ['argocd', true],
    ])
  })

  test('on the command line wins over the one for a file', () => {
    const subject = onlySubject(
      { 'a.yaml': job('a') },
      { engine: 'kubectl', overrides: () => 'kro' },
    )
    expect(engineOf(subject)).toBe('kubectl')
  })
})

test('subjects come in the order of the files', () => {
  const { subjects } = repositoryOf({
    'z.yaml': flux('z', 'b'),
    'b/2.yaml': `${job('two')}---\n${job('three')}`,
    'b/1.yaml': job('one'),
    'a.yaml': job('zero'),
  })
  expect(subjects.map(nameOf)).toEqual(['Job zero', 'Job one', 'Job two', 'Job three'])
})

test('places lead to the file, and for what is missing to what is above it', () => {
  const subject = onlySubject({ 'a.yaml': job('a') })
  expect(lineOf(subject.placeOf(['metadata', 'name']))).toBe('a.yaml:4')
  expect(lineOf(subject.placeOf(['spec', 'template', 'spec', 'volumes']))).toBe('a.yaml:8')
  expect(lineOf(subject.placeOf(['nothing', 'here']))).toBe('a.yaml:1')
})

test('an owner hundreds of times is told a hundred times', () => {
  const files: Record<string, string> = { 'apps/job.yaml': job('a') }
  for (let index = 0; index < 150; index += 1) files[`ks-${index}.yaml`] = flux(`k${index}`, 'apps')
  expect(repositoryOf(files).subjects).toHaveLength(100)
})

test('without Jobs there is nothing to carry, and nothing to say', () => {
  const { subjects, notes } = repositoryOf({
    'a.yaml': 'apiVersion: v1\nkind: ConfigMap\n',
    'b.txt': 'x',
  })
  expect([subjects, notes]).toEqual([[], []])
})
