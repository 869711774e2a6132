import type { JsonObject } from '../../../../src/core/json.ts'
import { create, JOBS, type Script, type Step } from '../script.ts'
import { job, template } from './objects.ts'

/** Each spec in a Job of its own. */
function jobs(specs: readonly JsonObject[], code: number): readonly Step[] {
  return specs.map((spec, index) => create(JOBS, job(`${code}-${index}`, spec), { code }))
}

const INDEXED = { completionMode: 'Indexed', completions: 4 }

/** What is refused of a Job, and absurd numbers. */
export const validationScripts: readonly Script[] = [
  {
    title: 'a TTL of 2^31 - 1 is the longest; one more does not fit',
    steps: [
      ...jobs([{ ttlSecondsAfterFinished: 2147483647 }, { ttlSecondsAfterFinished: 0 }], 201),
      ...jobs(
        [{ ttlSecondsAfterFinished: 2147483648 }, { ttlSecondsAfterFinished: -2147483649 }],
        400,
      ),
      ...jobs([{ ttlSecondsAfterFinished: -1 }], 422),
    ],
  },
  {
    title: 'parallelism and completions of 0 are accepted, negative ones not',
    steps: [
      ...jobs([{ parallelism: 0 }, { completions: 0 }, { parallelism: 0, completions: 0 }], 201),
      ...jobs([{ parallelism: -1 }, { completions: -1 }, { backoffLimit: -1 }], 422),
    ],
  },
  {
    title: 'large numbers: what fits into 32 bits is accepted without Indexed',
    steps: [
      ...jobs(
        [
          { parallelism: 2147483647 },
          { completions: 2147483647 },
          { backoffLimit: 2147483647 },
          { activeDeadlineSeconds: 2147483648 },
        ],
        201,
      ),
      ...jobs([{ parallelism: 2147483648 }, { completions: 1e20 }], 400),
    ],
  },
  {
    title: 'a fraction is no whole number',
    steps: jobs(
      [{ parallelism: 1.5 }, { ttlSecondsAfterFinished: 0.1 }, { activeDeadlineSeconds: 2.5 }],
      400,
    ),
  },
  {
    title: 'text is no number, and a number no text',
    steps: [
      ...jobs([{ parallelism: '2' }, { ttlSecondsAfterFinished: '60' }, { suspend: 'true' }], 400),
      ...jobs([{ completionMode: 1 }, { managedBy: true }], 400),
    ],
  },
  {
    title: 'lists and objects where a number belongs, and the other way round',
    steps: [
      ...jobs([{ parallelism: [] }, { parallelism: {} }, { template: [] }, { template: 'x' }], 400),
      create(JOBS, { ...job('spec'), spec: [] }, { code: 400 }),
      create(JOBS, { ...job('metadata'), metadata: 'x' }, { code: 400 }),
      create(JOBS, { ...job('status'), status: 5 }, { code: 400 }),
    ],
  },
  {
    title: 'an active deadline is at least 0',
    steps: [
      ...jobs([{ activeDeadlineSeconds: -1 }], 422),
      ...jobs([{ activeDeadlineSeconds: 0 }, { activeDeadlineSeconds: 1 }], 201),
    ],
  },
  {
    title: 'a Job without a template, without containers, or without an image',
    steps: [
      create(JOBS, { ...job('a'), spec: {} }, { code: 422 }),
      create(JOBS, { ...job('b'), spec: null }, { code: 422 }),
      create(JOBS, job('c', { template: { spec: { restartPolicy: 'Never' } } }), { code: 422 }),
      create(JOBS, job('d', { template: template({ containers: [] }) }), { code: 422 }),
      create(JOBS, job('e', { template: template({ containers: [{ name: 'x' }] }) }), {
        code: 422,
      }),
    ],
  },
  {
    title: 'the pods of a Job restart never or on failure',
    steps: [
      ...jobs([{ template: template({ restartPolicy: 'OnFailure' }) }], 201),
      ...jobs(
        [
          { template: template({ restartPolicy: 'Always' }) },
          { template: template({ restartPolicy: null }) },
          { template: template({ restartPolicy: 'Sometimes' }) },
        ],
        422,
      ),
    ],
  },
  {
    title: 'an Indexed Job needs completions where it has parallelism, and has limits',
    steps: [
      ...jobs(
        [
          INDEXED,
          { ...INDEXED, completions: 0 },
          { ...INDEXED, parallelism: 8 },
          { completionMode: 'Indexed', completions: null },
          { completionMode: 'Indexed', completions: 2147483647 },
        ],
        201,
      ),
      ...jobs(
        [
          { completionMode: 'Indexed', completions: null, parallelism: 2 },
          { completionMode: 'Indexed', completions: 5, parallelism: 100_001 },
          { completionMode: 'Random' },
          { completionMode: '' },
        ],
        422,
      ),
    ],
  },
  {
    title: 'limits by index belong to Indexed Jobs',
    steps: [
      ...jobs([{ ...INDEXED, backoffLimitPerIndex: 0, maxFailedIndexes: 0 }], 201),
      ...jobs(
        [
          { backoffLimitPerIndex: 1 },
          { maxFailedIndexes: 1 },
          { ...INDEXED, maxFailedIndexes: 1 },
          { ...INDEXED, backoffLimitPerIndex: -1 },
          { ...INDEXED, backoffLimitPerIndex: 1, maxFailedIndexes: 5 },
          { ...INDEXED, backoffLimitPerIndex: 1, maxFailedIndexes: -1 },
        ],
        422,
      ),
    ],
  },
  {
    title: 'rules of a pod failure policy',
    steps: [
      ...jobs(
        [
          { podFailurePolicy: {} },
          { podFailurePolicy: { rules: [] } },
          { podFailurePolicy: { rules: [exit({ operator: 'NotIn', values: [0, 1] })] } },
          {
            ...INDEXED,
            backoffLimitPerIndex: 1,
            podFailurePolicy: { rules: [exit({}, 'FailIndex')] },
          },
        ],
        201,
      ),
      ...jobs(
        [
          { podFailurePolicy: { rules: [exit({}, 'Explode')] } },
          { podFailurePolicy: { rules: [exit({}, 'FailIndex')] } },
          { podFailurePolicy: { rules: [exit({ values: [] })] } },
          { podFailurePolicy: { rules: [exit({ values: [0] })] } },
          { podFailurePolicy: { rules: [exit({ values: [1, 1] })] } },
          { podFailurePolicy: { rules: [exit({ values: [2, 1] })] } },
          { podFailurePolicy: { rules: [exit({ operator: 'Like' })] } },
          { podFailurePolicy: { rules: [exit({ containerName: 'nobody' })] } },
          { podFailurePolicy: { rules: [{ action: 'Count' }] } },
          {
            podFailurePolicy: {
              rules: [
                {
                  ...exit({}),
                  onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }],
                },
              ],
            },
          },
          {
            podFailurePolicy: {
              rules: [{ action: 'Ignore', onPodConditions: [{ type: 'A b', status: 'Maybe' }] }],
            },
          },
          {
            podFailurePolicy: { rules: [exit({})] },
            template: template({ restartPolicy: 'OnFailure' }),
          },
        ],
        422,
      ),
    ],
  },
  {
    title: 'rules of a success policy',
    steps: [
      ...jobs(
        [
          { ...INDEXED, successPolicy: { rules: [{ succeededIndexes: '0,2-3' }] } },
          { ...INDEXED, successPolicy: { rules: [{ succeededCount: 2 }] } },
          { ...INDEXED, successPolicy: { rules: [{ succeededCount: 0 }] } },
        ],
        201,
      ),
      ...jobs(
        [
          { successPolicy: { rules: [{ succeededCount: 1 }] } },
          { ...INDEXED, successPolicy: { rules: [] } },
          { ...INDEXED, successPolicy: { rules: [{}] } },
          { ...INDEXED, successPolicy: { rules: [{ succeededIndexes: '3-1' }] } },
          { ...INDEXED, successPolicy: { rules: [{ succeededIndexes: '0-9' }] } },
          { ...INDEXED, successPolicy: { rules: [{ succeededIndexes: 'a' }] } },
          { ...INDEXED, successPolicy: { rules: [{ succeededCount: 9 }] } },
          { ...INDEXED, successPolicy: { rules: [{ succeededIndexes: '0', succeededCount: 2 }] } },
        ],
        422,
      ),
    ],
  },
  {
    title: 'podReplacementPolicy is one of two, and Failed with a failure policy',
    steps: [
      ...jobs([{ podReplacementPolicy: 'Failed' }], 201),
      ...jobs(
        [
          { podReplacementPolicy: 'Later' },
          {
            podReplacementPolicy: 'TerminatingOrFailed',
            podFailurePolicy: { rules: [exit({})] },
          },
        ],
        422,
      ),
    ],
  },
  {
    title: 'managedBy is a path below a domain of at most 63 characters',
    steps: [
      ...jobs([{ managedBy: 'semel.dev/replay' }, { managedBy: 'a/b/c' }], 201),
      ...jobs(
        [
          { managedBy: 'replay' },
          { managedBy: '' },
          { managedBy: 'a b/c' },
          { managedBy: `example.test/${'x'.repeat(60)}` },
        ],
        422,
      ),
    ],
  },
  {
    title: 'several faults are all told, in one answer',
    steps: jobs(
      [
        {
          parallelism: -1,
          completions: -2,
          backoffLimit: -3,
          ttlSecondsAfterFinished: -4,
          template: template({ restartPolicy: 'Always', containers: [{ name: 'A b' }] }),
        },
      ],
      422,
    ),
  },
]

function exit(more: JsonObject, action = 'FailJob'): JsonObject {
  return { action, onExitCodes: { operator: 'In', values: [1], ...more } }
}
