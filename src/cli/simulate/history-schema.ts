import * as z from 'zod'

/**
 * The one description of what `semel simulate -o json` writes. Objects are open: fields
 * may be added within a version.
 */
const time = z.string().describe('RFC 3339, UTC.')
const seconds = z.number().describe('Seconds from the start; milliseconds are kept.')
const count = z.number().int().min(0)

const TRIGGERS = [
  'interval',
  'revision',
  'request',
  'retry',
  'watch',
  'dependency',
  'schedule',
  'expiry',
  'start',
] as const

const rule = {
  rule: z.string().optional().describe('The rule of docs/engines that decided: F-11.'),
  page: z.string().optional().describe('The page and anchor of that rule.'),
}

const cause = z.enum([
  'first',
  'changed',
  'restored',
  'replaced',
  'retried',
  'hook',
  'schedule',
  'manual',
])

const step = z
  .object({
    at: time,
    seconds,
    role: z.enum(['trigger', 'state', 'effect']),
    actor: z.string().describe('Who: kustomize-controller, person.'),
    words: z.string(),
    trigger: z.enum(TRIGGERS).optional().describe('What began the round of work.'),
    ...rule,
    unconfirmed: z.literal(true).optional().describe('No recording has shown this rule.'),
  })
  .describe('One link of a cause chain.')

const life = z
  .object({
    run: count
      .optional()
      .describe('Which run of the Job it is, from 1. Absent: no pod was started.'),
    uid: z.string(),
    namespace: z.string(),
    name: z.string(),
    cronJob: z.string().optional().describe('The CronJob that made it.'),
    image: z.string(),
    cause,
    outcome: z.enum(['complete', 'failed', 'running', 'gone', 'waiting']),
    pods: count,
    held: z.string().optional().describe('Why it has no pod, after the word it.'),
    createdAt: time,
    createdSeconds: seconds,
    startedAt: time.optional(),
    startedSeconds: seconds.optional(),
    endedAt: time.optional(),
    endedSeconds: seconds.optional(),
    deletedAt: time.optional(),
    deletedSeconds: seconds.optional(),
    created: z.array(step).describe('Why it was created: the creation comes last.'),
    deleted: z.array(step).optional().describe('Why it was deleted: the deletion comes last.'),
  })
  .describe('One Job object, from its creation to its deletion.')

const job = z
  .object({
    name: z.string().describe('namespace/name; the prefix and * of generateName.'),
    kind: z.enum(['Job', 'CronJob']),
    appliedBy: z.string().optional(),
    contract: z.string().optional().describe('once, converges or never-again.'),
    ttlSeconds: z.number().optional(),
    schedule: z.string().optional(),
    timeZone: z.string().optional(),
    sentence: z.string().describe('How often it runs, and why.'),
    why: z.string(),
    runs: count.describe('Job objects that started a pod.'),
    outcomes: z.object({
      complete: count,
      failed: count,
      running: count,
      gone: count,
      waiting: count,
    }),
    periodSeconds: z.number().optional().describe('The distance of its runs, where it is steady.'),
    held: z.string().optional(),
    unknown: z.string().optional().describe('Why nobody can tell how often it runs.'),
    lives: z.array(life),
  })
  .describe('One Job or CronJob, whatever number of objects it became.')

const happening = z
  .object({
    at: time,
    seconds,
    until: time.optional(),
    untilSeconds: seconds.optional(),
    row: z.string().describe('Where it belongs: Git, people, Kustomization flux-system/shop.'),
    kind: z.enum([
      'commit',
      'round',
      'sync',
      'refused',
      'failed',
      'created',
      'deleted',
      'pruned',
      'outage',
      'drift',
      'request',
      'note',
    ]),
    words: z.string(),
    object: z.string().optional(),
    ...rule,
  })
  .describe('Something else that happened.')

const warning = z.object({
  id: z.string(),
  jobs: z.array(z.string()),
  what: z.string(),
  why: z.string(),
  remedy: z.string().optional(),
})

const tool = z.object({ name: z.literal('semel'), version: z.string() })

const spread = z.object({ min: z.number(), median: z.number(), max: z.number() })

export const distributionSchema: z.ZodType = z
  .object({
    format: z.literal('semel.dev/simulation-distribution/v1'),
    tool,
    plays: count.describe('How many times it was played.'),
    seeds: z.object({ first: z.number().int(), last: z.number().int() }).optional(),
    start: time,
    end: time,
    spanSeconds: z.number(),
    jobs: z.array(
      z.object({
        name: z.string(),
        kind: z.enum(['Job', 'CronJob']),
        appliedBy: z.string().optional(),
        ran: count.describe('Plays in which it ran at all.'),
        runs: spread.describe('Runs of one play, those without a run included.'),
        firstSeconds: spread
          .optional()
          .describe('When its first run began, in the plays with one.'),
        failed: spread.describe('Failed runs of one play.'),
        overlapped: count.describe('Plays in which two of its runs were going at one time.'),
        counts: z
          .array(z.object({ runs: count, plays: count }))
          .describe('How many plays had how many runs.'),
      }),
    ),
  })
  .describe('How far the answers of many plays with chance lie apart.')

const drilledRun = z.object({ at: time, seconds, cause })

const drill = z
  .object({
    drill: z.string().describe('As it was asked for: controller-down=2h.'),
    at: time,
    seconds,
    what: z.string(),
    jobs: z
      .array(
        z.object({
          name: z.string(),
          runsWithout: count.describe('Runs after that time in the play without the accident.'),
          runsWith: count,
          again: z.array(drilledRun).describe('Runs that only the accident brought.'),
          missed: z.array(drilledRun).describe('Runs that it took away.'),
        }),
      )
      .describe('Those that fared otherwise.'),
  })
  .describe('An accident, and which Jobs ran otherwise because of it.')

export const historySchema: z.ZodType = z
  .object({
    format: z.literal('semel.dev/simulation/v1'),
    tool,
    title: z.string().optional().describe('The variant or cluster, where there are several.'),
    start: time,
    end: time.describe('Half open: what happens exactly here is outside.'),
    spanSeconds: z.number(),
    timing: z.object({
      mode: z.enum(['idealised', 'realistic']),
      seed: z.number().int().optional(),
    }),
    jobs: z.array(job),
    happenings: z.array(happening),
    warnings: z.array(warning),
    distribution: distributionSchema.optional(),
    drills: z.array(drill).optional(),
  })
  .describe('What was played: every Job, every run, why it came, and what else happened.')

export const simulationsSchema: z.ZodType = z
  .object({
    format: z.literal('semel.dev/simulations/v1'),
    simulations: z.array(historySchema),
  })
  .describe('Several variants or clusters, or one with drills.')

export function simulationJsonSchema(): string {
  const any = z.union([historySchema, distributionSchema, simulationsSchema])
  const schema = z.toJSONSchema(any, { target: 'draft-7', io: 'input', reused: 'ref' })
  return `${JSON.stringify({ title: 'semel.dev/simulation/v1', ...schema }, null, 2)}\n`
}
