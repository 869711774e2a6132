import { describe, expect, it } from 'vitest'
import { onlyStamped } from './only-stamped.ts'

const JOB = `apiVersion: batch/v1
kind: Job
metadata:
  name: migrate
spec:
  template: {spec: {containers: [{image: "a:1"}]}}
`
const ROLE = `---
kind: Role
rules: [{resources: [jobs], resourceNames: [migrate]}]
`
const changes = (before: string, after: string): readonly string[] => {
  const [one, other] = [before, after].map((text) => new TextEncoder().encode(text))
  return onlyStamped(one ?? new Uint8Array(), other ?? new Uint8Array()).map(
    ({ path, what }) => `${path}: ${what}`,
  )
}

describe('stamping may', () => {
  it.each([
    ['change nothing', JOB, JOB],
    ['rename a Job', JOB, JOB.replace('migrate', 'migrate-12345678')],
    [
      'rename what refers to it',
      JOB + ROLE,
      (JOB + ROLE).replaceAll('migrate', 'migrate-12345678'),
    ],
    [
      'write its annotations',
      JOB,
      JOB.replace(
        'name: migrate',
        'name: m\n  annotations: {semel.dev/base: migrate, semel.dev/fields: x}',
      ),
    ],
    [
      'write its label',
      JOB,
      JOB.replace('name: migrate', 'name: migrate\n  labels: {semel.dev/once: "true"}'),
    ],
    ['give a name for generateName', JOB.replace('name: migrate', 'generateName: m-'), JOB],
  ])('%s', (_, before, after) => {
    expect(changes(before, after)).toEqual([])
  })
})

describe('stamping may not', () => {
  it.each([
    ['change what runs', JOB, JOB.replace('a:1', 'a:2'), 'spec.template.spec.containers[0].image'],
    [
      'change another label',
      JOB,
      JOB.replace('name: migrate', 'name: migrate\n  labels: {a: b}'),
      'metadata.labels.a',
    ],
    [
      'take an annotation away',
      JOB.replace('name: migrate', 'name: migrate\n  annotations: {a: b}'),
      JOB,
      'metadata.annotations.a',
    ],
    [
      'move it to another namespace',
      JOB,
      JOB.replace('name: migrate', 'name: migrate\n  namespace: x'),
      'metadata.namespace',
    ],
    [
      'rename what is no Job',
      ROLE,
      ROLE.replace('migrate', 'migrate-12345678'),
      'rules[0].resourceNames[0]',
    ],
    [
      'rename to a name that no Job has',
      JOB + ROLE,
      JOB.replace('migrate', 'migrate-1') + ROLE.replace('migrate', 'migrate-2'),
      'rules[0].resourceNames[0]',
    ],
    ['add a document', JOB, JOB + ROLE, ''],
    ['take a document away', JOB + ROLE, JOB, ''],
    ['change a number', `a: 1\n${JOB}`, `a: 2\n${JOB}`, 'a'],
    ['change the type of a value', `a: 1\n${JOB}`, `a: "1"\n${JOB}`, 'a'],
  ])('%s', (_, before, after, path) => {
    expect(changes(before, after)[0]?.split(': ')[0]).toBe(path)
  })
})
