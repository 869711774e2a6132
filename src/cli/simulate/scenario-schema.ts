import * as z from 'zod'
import type { Expectation, Scenario, ScenarioWorkload } from '../../simulate/scenario/format.ts'
import { spanSeconds } from '../../simulate/scenario/span.ts'

/**
 * The one description of `job-scenario/1`: the checks of `semel simulate --case` and the JSON Schema
 * for editors come from it.
 */
const span = z
  .string()
  .refine((text) => spanSeconds(text) !== undefined, 'is no span of time such as 168h or 49h30m')
  .describe('A span of time: 168h, 49h30m, 90s.')
const positiveSpan = span.refine((text) => (spanSeconds(text) ?? 0) > 0, 'is no span above zero')
const count = z.union([
  z.number().int().min(0),
  z
    .record(z.string(), z.json())
    .describe('{min, max}, or one answer for each named engine version.'),
])

export const workloadSchema: z.ZodType<ScenarioWorkload> = z.strictObject({
  job: z.string().optional().describe('namespace/name; * stands for any text.'),
  cronjob: z.string().optional(),
  deployment: z.string().optional(),
  duration: span.optional(),
  exits: z
    .union([z.enum(['ok', 'fail']), z.record(z.string(), z.enum(['ok', 'fail']))])
    .optional()
    .describe('ok, fail, or one of them by commit, image or tag.'),
  ready: span.optional(),
  needs: z.array(z.string()).optional().describe('Kind/namespace/name that must exist.'),
  completes: z.boolean().optional().describe('false: the work never ends.'),
}) as unknown as z.ZodType<ScenarioWorkload>

const event = z.looseObject({
  at: span.optional().describe('When, from the start.'),
  every: positiveSpan.optional(),
  from: span.optional(),
  count: z.number().int().min(1).max(100_000).optional(),
  commit: z.string().optional(),
  apply: z.array(z.string()).optional().describe('Files that are in Git from now on.'),
  note: z.string().optional(),
  only: z.string().optional().describe('The only variant that this event concerns.'),
})

const runs = z.looseObject({
  job: z.string().optional(),
  cronjob: z.string().optional(),
  started: count.optional(),
  completed: count.optional(),
  failed: count.optional(),
  at_hours: z.array(z.number()).optional(),
  period_seconds: z.number().optional(),
  images: z.array(z.string()).optional(),
})

export const expectationSchema: z.ZodType<Expectation> = z.looseObject({
  runs_7d: z.union([z.array(runs), z.record(z.string(), z.json())]).optional(),
  error: z.json().optional(),
  end_state: z.json().optional(),
}) as unknown as z.ZodType<Expectation>

export const scenarioSchema: z.ZodType<Scenario> = z
  .strictObject({
    format: z.literal('job-scenario/1'),
    horizon: positiveSpan.describe('How long it goes on; half open.'),
    start: z.iso.datetime().optional().describe('Wall clock of 0h, UTC.'),
    engine: z.looseObject({ kind: z.string().min(1) }),
    workloads: z.array(workloadSchema).optional(),
    variants: z.record(z.string(), z.json()).optional(),
    events: z.array(event).optional(),
    expect: expectationSchema.optional(),
  })
  .describe(
    'An engine, what happens to it, and how often each Job must run.',
  ) as unknown as z.ZodType<Scenario>

export function scenarioJsonSchema(): string {
  const schema = z.toJSONSchema(scenarioSchema, { target: 'draft-7', io: 'input' })
  return `${JSON.stringify({ title: 'job-scenario/1', ...schema }, null, 2)}\n`
}
