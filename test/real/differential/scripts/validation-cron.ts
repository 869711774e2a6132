import type { JsonObject } from '../../../../src/core/json.ts'
import { create, CRONJOBS, type Script, type Step } from '../script.ts'
import { cronJob, template } from './objects.ts'

/** Each spec in a CronJob of its own. */
function crons(specs: readonly JsonObject[], code: number): readonly Step[] {
  return specs.map((spec, index) => create(CRONJOBS, cronJob(`${code}-${index}`, spec), { code }))
}

/** What is refused of a CronJob. */
export const cronValidationScripts: readonly Script[] = [
  {
    title: 'schedules that cron does not read',
    steps: [
      ...crons(
        ['@daily', '@every 1h', '0 0 31 2 *', '1-5/2,10 * * JAN MON', '* * * * ?'].map(
          (schedule) => ({ schedule }),
        ),
        201,
      ),
      ...crons(
        [
          '',
          ' ',
          '* * * *',
          '* * * * * *',
          '60 * * * *',
          '5-1 * * * *',
          '@often',
          'x * * * *',
          '*/0 * * * *',
        ].map((schedule) => ({ schedule })),
        422,
      ),
    ],
  },
  {
    title: 'a time zone is a name of the database, not in the schedule',
    steps: [
      ...crons([{ timeZone: 'Europe/Berlin' }, { timeZone: 'Etc/UTC' }], 201),
      ...crons(
        [
          { timeZone: '' },
          { timeZone: 'local' },
          { timeZone: 'Local' },
          { timeZone: 'Nowhere/Land' },
          { timeZone: ' UTC' },
          { schedule: 'TZ=UTC * * * * *' },
          { schedule: 'CRON_TZ=UTC * * * * *', timeZone: 'UTC' },
        ],
        422,
      ),
    ],
  },
  {
    title: 'the numbers and words of a CronJob',
    steps: [
      ...crons(
        [
          { startingDeadlineSeconds: 0, successfulJobsHistoryLimit: 0, failedJobsHistoryLimit: 0 },
          { concurrencyPolicy: 'Forbid', suspend: true },
        ],
        201,
      ),
      ...crons(
        [
          { startingDeadlineSeconds: -1 },
          { successfulJobsHistoryLimit: -1 },
          { failedJobsHistoryLimit: -1 },
          { concurrencyPolicy: 'Maybe' },
          { jobTemplate: {} },
        ],
        422,
      ),
      ...crons([{ startingDeadlineSeconds: '5' }, { successfulJobsHistoryLimit: 1.5 }], 400),
    ],
  },
  {
    title: 'the Job in a CronJob is judged like a Job, and has no selector of its own',
    steps: crons(
      [
        { jobTemplate: { spec: { template: template(), parallelism: -1 } } },
        {
          jobTemplate: {
            spec: { template: template(), selector: { matchLabels: { a: 'b' } } },
          },
        },
        { jobTemplate: { spec: { template: template(), manualSelector: true } } },
      ],
      422,
    ),
  },
  {
    title: 'labels of the Job in a CronJob are not judged before a Job is made of them',
    steps: crons(
      [{ jobTemplate: { metadata: { labels: { 'a b': 'c' } }, spec: { template: template() } } }],
      201,
    ),
  },
]
