import { describe, expect, it } from 'vitest'
import { fieldPath, type Json } from '../../core/json.ts'
import { mentionsIn } from './find.ts'

const NAMES = new Set(['Job/db-migrate', 'CronJob/nightly'])

/** `path: name`, with a question mark where it is in doubt. */
function found(value: Json): readonly string[] {
  return mentionsIn(value, (kind, name) => NAMES.has(`${kind}/${name}`)).map(
    ({ path, text, start, end, doubt }) =>
      `${fieldPath(path)}: ${text.slice(start, end)}${doubt === undefined ? '' : '?'}`,
  )
}

describe('a reference', () => {
  it.each<[string, Json, readonly string[]]>([
    [
      'is kind and name',
      { spec: { healthChecks: [{ apiVersion: 'batch/v1', kind: 'Job', name: 'db-migrate' }] } },
      ['spec.healthChecks[0].name: db-migrate'],
    ],
    [
      'is group, kind and name',
      { ignoreDifferences: [{ group: 'batch', kind: 'Job', name: 'db-migrate' }] },
      ['ignoreDifferences[0].name: db-migrate'],
    ],
    [
      'may be a CronJob',
      { target: { kind: 'CronJob', name: 'nightly' } },
      ['target.name: nightly'],
    ],
    [
      'is a name in a rule for jobs',
      {
        rules: [
          {
            apiGroups: ['batch'],
            resources: ['jobs', 'jobs/status'],
            resourceNames: ['db-migrate', 'x'],
          },
        ],
      },
      ['rules[0].resourceNames[0]: db-migrate'],
    ],
    [
      'is in doubt in a rule for several resources',
      { rules: [{ resources: ['jobs', 'pods'], resourceNames: ['db-migrate'] }] },
      ['rules[0].resourceNames[0]: db-migrate?'],
    ],
    [
      'is in doubt in a rule for all',
      { rules: [{ apiGroups: ['*'], resources: ['*'], resourceNames: ['db-migrate'] }] },
      ['rules[0].resourceNames[0]: db-migrate?'],
    ],
    [
      'is the label of the pods',
      { matchLabels: { 'job-name': 'db-migrate', 'batch.kubernetes.io/job-name': 'db-migrate' } },
      [
        'matchLabels["batch.kubernetes.io/job-name"]: db-migrate',
        'matchLabels.job-name: db-migrate',
      ],
    ],
    [
      'is a value of a label expression',
      { matchExpressions: [{ key: 'job-name', operator: 'In', values: ['a', 'db-migrate'] }] },
      ['matchExpressions[0].values[1]: db-migrate'],
    ],
    [
      'is an argument',
      { containers: [{ command: ['kubectl'], args: ['wait', 'job/db-migrate'] }] },
      ['containers[0].args[1]: db-migrate'],
    ],
    [
      'is an argument of a probe',
      { exec: { command: ['kubectl', 'get', 'job', 'db-migrate'] } },
      ['exec.command[3]: db-migrate'],
    ],
    [
      'is one simple command of a shell',
      { command: ['sh', '-c', 'kubectl wait job/db-migrate'] },
      ['command[2]: db-migrate'],
    ],
    [
      'is in doubt in a longer script',
      { command: ['sh', '-c', 'kubectl wait job/db-migrate && ./run'] },
      ['command[2]: db-migrate?'],
    ],
    [
      'is in doubt for a program that is no kubectl',
      { command: ['python', 'job/db-migrate'] },
      ['command[1]: db-migrate?'],
    ],
    [
      'is a dependency of cli-utils',
      {
        metadata: {
          annotations: {
            'config.kubernetes.io/depends-on':
              'batch/namespaces/shop/Job/db-migrate,/namespaces/shop/Service/db-migrate',
          },
        },
      },
      ['metadata.annotations["config.kubernetes.io/depends-on"]: db-migrate'],
    ],
    [
      'is an annotation with kind and name',
      { metadata: { annotations: { 'a/b': 'Job/db-migrate', c: 'batch/v1/Job/db-migrate' } } },
      ['metadata.annotations["a/b"]: db-migrate', 'metadata.annotations.c: db-migrate'],
    ],
    [
      'is an annotation whose key speaks of a job',
      {
        metadata: {
          annotations: {
            'a/owner-job': 'db-migrate',
            'a/jobName': 'db-migrate',
            'prometheus.io/job': 'db-migrate',
            'a/waitForJob': 'db-migrate',
            'a/cronjob': 'nightly',
          },
        },
      },
      [
        'metadata.annotations["a/owner-job"]: db-migrate',
        'metadata.annotations["a/jobName"]: db-migrate?',
        'metadata.annotations["prometheus.io/job"]: db-migrate?',
        'metadata.annotations["a/waitForJob"]: db-migrate',
        'metadata.annotations["a/cronjob"]: nightly?',
      ],
    ],
    [
      'is in doubt in a variable',
      { env: [{ name: 'JOB_NAME', value: 'db-migrate' }] },
      ['env[0].value: db-migrate?'],
    ],
    [
      'is in doubt in a field of a kind that nobody knows',
      { spec: { jobRef: { name: 'db-migrate' } } },
      ['spec.jobRef.name: db-migrate?'],
    ],
    [
      'is in doubt in a file of a ConfigMap',
      { data: { 'a.sh': 'set -e\nkubectl wait job db-migrate\n# job/db-migrate.\n' } },
      ['data["a.sh"]: db-migrate?', 'data["a.sh"]: db-migrate?'],
    ],
    [
      'is in doubt in a patch that is text',
      { patches: [{ patch: 'kind: Job\nmetadata:\n  name: db-migrate\n' }] },
      ['patches[0].patch: db-migrate?'],
    ],
    [
      'is found at any depth, once',
      [{ a: [{ command: ['kubectl', 'logs', 'job/db-migrate'] }] }],
      ['[0].a[0].command[2]: db-migrate'],
    ],
  ])('%s', (_, value, expected) => {
    expect(found(value)).toEqual(expected)
  })
})

describe('no reference', () => {
  it.each<[string, Json]>([
    [
      'is the name of the object itself',
      { kind: 'Job', apiVersion: 'batch/v1', metadata: { name: 'db-migrate' } },
    ],
    ['is another kind', { kind: 'Deployment', name: 'db-migrate' }],
    [
      'is the same kind of another group',
      { apiVersion: 'batch.volcano.sh/v1alpha1', kind: 'Job', name: 'db-migrate' },
    ],
    ['is a rule for other resources', { resources: ['configmaps'], resourceNames: ['db-migrate'] }],
    [
      'is a rule for another group',
      { apiGroups: ['batch.volcano.sh'], resources: ['jobs'], resourceNames: ['db-migrate'] },
    ],
    ['is a part of a longer name', { kind: 'Job', name: 'db-migrate-2' }],
    [
      'is a path or an image',
      { a: 'x/job/db-migrate', b: 'job/db-migrate:1.0', c: './job/db-migrate/x' },
    ],
    [
      'is the same word elsewhere',
      { name: 'db-migrate', a: 'the job db-migrate is done', app: 'db-migrate' },
    ],
    [
      'is an annotation about something else',
      { annotations: { 'a/owner': 'db-migrate', 'a/job': 'other' } },
    ],
    [
      'is what stamp wrote',
      { annotations: { 'semel.dev/base': 'db-migrate', 'semel.dev/was': 'db-migrate' } },
    ],
    ['is the status', { status: { active: [{ kind: 'Job', name: 'db-migrate' }] } }],
  ])('%s', (_, value) => {
    expect(found(value)).toEqual([])
  })
})
