import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { at, fullParser, stampText } from '../../test/stamp/harness.ts'
import { jobText, stream } from '../../test/stamp/manifests.ts'
import { firstFilledIn } from './embedded.ts'
import { stampResourceList } from './krm.ts'
import type { StampOptions } from './stamp-types.ts'

const indented = (text: string, by: number): string =>
  text.trimEnd().replaceAll('\n', `\n${' '.repeat(by)}`)

/** A ResourceSet with these objects in its list. */
function set(...objects: readonly string[]): string {
  return `apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSet
metadata: {name: set, namespace: apps}
spec:
  inputs: [{tenant: red}]
  resources:
${objects.map((object) => `    - ${indented(object, 6)}\n`).join('')}`
}

function told(text: string, options: StampOptions = {}): readonly string[] {
  const { objects, notes, faults } = stampText(text, options)
  return [
    ...objects.map(({ name, base }) => `stamped ${name ?? ''} as ${base}`),
    ...notes.map(({ code, place, object }) => `${code} ${at(place)} ${object}`),
    ...faults.map(({ code, object }) => `${code} ${object ?? ''}`),
  ]
}

describe('a Job in the list of a ResourceSet', () => {
  it('gets the name that it would get by itself', () => {
    const alone = stampText(jobText('migrate')).objects[0]?.newName
    const { objects, output } = stampText(set(jobText('migrate')))
    expect(objects.map(({ newName }) => newName)).toEqual([alone])
    expect(output).toContain(`\n        name: ${alone}\n        annotations:\n`)
    expect(stampText(output).files[0]?.edits).toEqual([])
  })

  it.each([
    ['a List', (text: string) => `apiVersion: v1\nkind: List\nitems:\n- ${indented(text, 2)}\n`],
    ['JSON', (text: string) => `${JSON.stringify(parse(text), null, 1)}\n`],
    [
      'a step',
      (text: string) => text.replace('  resources:', '  steps:\n  - name: a\n    resources:'),
    ],
    [
      'a Sequence',
      (text: string) =>
        text
          .replace('fluxcd.controlplane.io/v1', 'semel.dev/v1alpha1')
          .replace('ResourceSet', 'Sequence'),
    ],
  ])('is found in %s', (_where, wrap) => {
    expect(told(wrap(set(jobText('migrate'))))).toEqual(['stamped migrate as migrate'])
  })

  it('is found in the ResourceList that a KRM function is given', () => {
    const items = `- ${indented(set(jobText('migrate')), 2)}\n`
    const text = `apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n${items}`
    const bytes = new TextEncoder().encode(text)
    const made = stampResourceList({ path: '<stdin>', bytes }, { fullParser })
    expect(new TextDecoder().decode(made.bytes)).toMatch(/ {8}name: migrate-[0-9a-f]{8}\n/)
    expect(made.results[0]?.resourceRef).toMatchObject({ kind: 'ResourceSet', name: 'set' })
  })

  it.each([
    ['its image', jobText('a', { image: 'a:<< inputs.tag >>' })],
    ['a script', jobText('a', { args: '["cat <<EOF >>/tmp/x"]' })],
    ['a half of an action', jobText('a', { args: '["<<"]' })],
    ['an annotation', jobText('a', { annotations: { 'a/b': '<< inputs.x | toYaml >>' } })],
    ['a key', jobText('a', { annotations: { 'a/<< inputs.x >>': 'b' } })],
    ['a list', jobText('a', { args: '<< inputs.args >>' })],
  ])('is left alone, with a warning, where inputs fill in %s', (_what, job) => {
    const { objects, notes, output } = stampText(set(job))
    expect(objects).toEqual([])
    expect(output).toBe(set(job))
    expect(notes.map(({ code, severity, place }) => `${severity} ${code} ${at(place)}`)).toEqual([
      'warning not-rendered <stdin>:10:15',
    ])
    expect(notes[0]?.text).toContain('which ResourceSet apps/set fills in')
  })

  it('is refused then by a strict run, unless it opts out', () => {
    const job = jobText('a', { image: 'a:<< inputs.tag >>' })
    expect(told(set(job), { strict: true })).toEqual(['NOT_RENDERED Job a'])
    const annotations = { 'semel.dev/stamp': 'false' }
    const opted = jobText('a', { image: 'a:<< inputs.tag >>', annotations })
    expect(told(set(opted), { strict: true })).toEqual(['opted-out <stdin>:10:15 Job a'])
  })

  it('keeps its name where any Job would: hooks, CronJobs, generateName', () => {
    const cron = jobText('a')
      .replace('kind: Job', 'kind: CronJob')
      .replace(
        /spec:\n {2}template:[\s\S]*/,
        'spec:\n  jobTemplate: {spec: {template: {spec: {containers: [{image: "a:1"}]}}}}\n',
      )
    expect(told(set(cron))).toEqual(['cron-job <stdin>:10:15 CronJob a'])
    expect(told(set(cron), { cronJobs: true })).toEqual(['stamped a as a'])
  })

  it('takes its references with it, into the list and out of it', () => {
    const waiter = jobText('waiter', { args: '[wait, job/migrate]' })
    const { output, objects } = stampText(stream(set(jobText('migrate')), waiter))
    expect(output).toContain(`args: [wait, job/${objects[0]?.newName}]`)
    const turned = stampText(stream(jobText('migrate'), set(waiter)))
    expect(turned.output).toContain(`args: [wait, job/${turned.objects[0]?.newName}]`)
  })

  it('collides with another one that would get its name', () => {
    expect(told(stream(jobText('a'), set(jobText('a'))))).toContain('NAME_COLLISION Job a')
  })

  it('follows a ConfigMap of the list', () => {
    const job = jobText('a', { annotations: { 'semel.dev/follow': 'ConfigMap/c' } })
    const config = (data: string, notes = '{}'): string =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c, annotations: ${notes}}\ndata: ${data}\n`
    const name = (data: string): string | undefined =>
      stampText(set(job, config(data))).objects[0]?.newName
    expect(name('{a: b}')).not.toBe(name('{a: c}'))
    for (const unknown of [
      config('{a: << inputs.x >>}'),
      config('{}', '{fluxcd.controlplane.io/copyFrom: other/c}'),
    ]) {
      expect(told(set(job, unknown))).toContain('FOLLOW_NOT_FOUND Job a')
    }
  })
})

describe('a Job inside another object', () => {
  const graph = `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: graph}
spec:
  resources:
  - id: a
    template:
      ${indented(jobText('a', { annotations: { 'semel.dev/stamp': 'true' } }), 6)}
`

  it('is left alone with a note, whatever it asks for', () => {
    const { output, notes } = stampText(graph)
    expect(output).toBe(graph)
    expect(notes.map(({ code, place, text }) => [code, at(place), text])).toEqual([
      [
        'embedded',
        '<stdin>:11:15',
        'left alone: it stands inside ResourceGraphDefinition graph, whose controller makes the Job of it',
      ],
    ])
    expect(told(graph, { strict: true })).toEqual(['embedded <stdin>:11:15 Job a'])
  })

  it.each([
    [
      'a reference',
      'apiVersion: a/v1\nkind: A\nspec: {ref: {apiVersion: batch/v1, kind: Job, name: a}}\n',
    ],
    ['a rule', 'apiVersion: a/v1\nkind: A\nspec: {apiGroups: [batch], resources: [jobs]}\n'],
    [
      'another kind',
      `apiVersion: a/v1\nkind: A\nspec:\n  template:\n    ${indented(jobText('a').replace('batch/v1', 'jobs/v1'), 4)}\n`,
    ],
    ['text', `apiVersion: v1\nkind: ConfigMap\ndata:\n  a: |\n    ${indented(jobText('a'), 4)}\n`],
  ])('is not seen in %s', (_what, text) => {
    expect(told(text)).toEqual([])
  })
})

describe('a Job in the text of a resourcesTemplate', () => {
  it.each([
    ['kind: Job', ['embedded <stdin>:6:5 ResourceSet set']],
    ['- "kind": "CronJob" # each night', ['embedded <stdin>:6:8 ResourceSet set']],
    ['kind: Jobs', []],
    ['# kind: Job', []],
    ['x: kind: Job', []],
  ])('gives a note for each of its lines: %s', (line, notes) => {
    const head = 'apiVersion: fluxcd.controlplane.io/v1\nkind: ResourceSet\nmetadata: {name: set}\n'
    expect(told(`${head}spec:\n  resourcesTemplate: |\n    ${line}\n`)).toEqual(notes)
  })

  it('is no text of another kind', () => {
    const other = 'apiVersion: a/v1\nkind: Other\nspec: {resourcesTemplate: "kind: Job"}\n'
    expect(told(other)).toEqual([])
  })
})

describe('what a list fills in', () => {
  it.each([
    [{ a: ['x', 'y << inputs.z >> <<'] }, { path: ['a', 1], action: '<< inputs.z >>' }],
    [{ 'k<<': 1 }, { path: ['k<<'], action: '<<' }],
    [{ a: 'x >> y', b: [1, null, true] }, undefined],
  ])('is found in %j', (value, found) => {
    expect(firstFilledIn(value)).toEqual(found)
  })
})
