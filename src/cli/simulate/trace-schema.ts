import * as z from 'zod'
import type { Trace } from '../../simulate/trace/format.ts'

/**
 * The one description of `job-trace/1`: the checks of `semel simulate --trace` and the JSON Schema
 * for editors come from it. Engines add keys of their own, so unknown keys are allowed.
 */
const seconds = z.number().describe('Seconds since the first event.')
const maybeSeconds = seconds.nullable()
const counts = z.record(z.string(), z.number().int().min(0))

const condition = z.looseObject({
  type: z.string(),
  status: z.string(),
  reason: z.string().nullable().optional(),
  t: seconds,
})

const pod = z.looseObject({
  image: z.string().nullable().optional(),
  created: seconds,
  started: maybeSeconds,
  ended: maybeSeconds,
  exit: z.number().int().nullable().describe('Exit code of the first container that failed, or 0.'),
  deletionRequested: maybeSeconds.optional(),
  deleted: maybeSeconds,
  index: z.number().int().nullable().optional().describe('Completion index of an Indexed Job.'),
  restarts: z.number().int().nullable().optional(),
})

const job = z.looseObject({
  name: z.string(),
  namespace: z.string(),
  uid: z.string().describe('J1, J2 ... in the order of creation.'),
  image: z.string().nullable().optional(),
  owner: z.string().nullable().optional().describe('Kind/name of the controlling owner.'),
  created: seconds,
  deletionRequested: maybeSeconds,
  deletionFinalizers: z.array(z.string()).nullable().optional(),
  deleted: maybeSeconds,
  conditions: z.array(condition),
  pods: z.array(pod),
})

export const traceSchema: z.ZodType<Trace> = z
  .looseObject({
    format: z.literal('job-trace/1'),
    id: z.string().min(1),
    title: z.string(),
    question: z.string(),
    engine: z.looseObject({
      name: z.string().min(1).describe('Which model plays it: kubernetes, argocd, ...'),
      version: z.string().optional(),
    }),
    kubernetes: z.string().describe('Version of the API server.'),
    files: z
      .record(z.string(), z.union([z.string(), z.record(z.string(), z.string())]))
      .describe('What was handed over, by the name that an event gives: a text, or path to text.'),
    events: z.array(z.looseObject({ t: seconds, do: z.string() })),
    observed: z.looseObject({
      jobs: z.array(job),
      engine: z.array(z.looseObject({})).optional(),
      requests: z.array(z.looseObject({})).optional(),
      wallClockAtZero: z.string().optional().describe('RFC 3339 time of t = 0.'),
    }),
    answer: z.looseObject({
      runs: counts.describe('Job objects by name that started a pod.'),
      jobsCreated: counts.optional(),
      error: z.string().nullable(),
      endState: z.string(),
    }),
    tolerance: z.looseObject({
      seconds: z.number().min(0).describe('By which a time may differ from the model.'),
      why: z.string().optional(),
    }),
  })
  .describe('What real controllers did with given files and events.') as unknown as z.ZodType<Trace>

export function traceJsonSchema(): string {
  const schema = z.toJSONSchema(traceSchema, { target: 'draft-7', io: 'input' })
  return `${JSON.stringify({ title: 'job-trace/1', ...schema }, null, 2)}\n`
}
