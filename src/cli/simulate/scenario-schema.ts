import * as z from 'zod'
import type { Expectation, Scenario, ScenarioWorkload } from '../../simulate/scenario/format.ts'
import { isList, isObject, type Json, type JsonObject } from '../../core/json.ts'
import { nearest } from '../../core/nearest.ts'
import { secondActors } from '../../simulate/actors/index.ts'
import { REMARKS } from '../../simulate/scenario/remarks.ts'
import { settingProblems } from '../../simulate/scenario/settings.ts'
import { spanSeconds } from '../../simulate/scenario/span.ts'
import { parseRef } from '../../simulate/scenario/words.ts'
import { scenarioEngines } from '../../simulate/scenario/stages/index.ts'

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

/** Keys that only tell a reader something. */
const remarks = Object.fromEntries(REMARKS.map((key) => [key, z.json().optional()]))

const outcome = z.union([z.enum(['ok', 'fail', 'never']), z.number().int().min(0).max(255)])
function isExits(value: Json): boolean {
  const all = isList(value) ? value : isObject(value) ? Object.values(value) : [value]
  return all.length > 0 && all.every((one) => outcome.safeParse(one).success)
}

function isReadiness(value: Json): boolean {
  const all = isObject(value) ? Object.values(value) : [value]
  return all.every(
    (one) =>
      typeof one === 'boolean' ||
      one === 'never' ||
      (typeof one === 'string' && spanSeconds(one) !== undefined),
  )
}

/** RFC 3339 in UTC, or a day. */
function isInstant(text: string): boolean {
  const isWritten = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/.test(
    text,
  )
  return isWritten && !Number.isNaN(Date.parse(text))
}

const need = z
  .string()
  .refine((text) => parseRef(text) !== undefined, 'is no object such as ConfigMap/shop/settings')

export const workloadSchema: z.ZodType<ScenarioWorkload> = z.strictObject({
  ...remarks,
  job: z.string().optional().describe('namespace/name; * stands for any text.'),
  cronjob: z.string().optional(),
  deployment: z.string().optional(),
  duration: span.optional(),
  exits: z
    .json()
    .refine(isExits, 'is none of ok, fail, never, an exit code, a map or a list of these')
    .optional()
    .describe(
      'ok, fail, never, an exit code; one of them by commit, image or tag; a list by attempt.',
    ),
  ready: z
    .json()
    .refine(isReadiness, 'is no span such as 30s, nor never, nor a map to these')
    .optional()
    .describe('From running to Ready, by commit, image or tag if it differs; never: it never is.'),
  needs: z
    .union([need, z.array(need)])
    .optional()
    .describe('Kind/namespace/name that must exist.'),
  attempts: z.array(outcome).optional().describe('Outcomes by attempt, before exits counts.'),
  containers: z
    .record(z.string(), z.strictObject({ duration: span.optional(), exit: z.number().optional() }))
    .optional()
    .describe('What containers beside the work do.'),
  variant: z.string().optional().describe('The only variant in which it behaves so.'),
  completes: z.boolean().optional().describe('false: the work never ends.'),
}) as unknown as z.ZodType<ScenarioWorkload>

const ref = z.union([z.string(), z.record(z.string(), z.json())])

const only = z.union([z.string(), z.array(z.string())])

const event = z.strictObject({
  ...remarks,
  at: span.optional().describe('When, from the start.'),
  every: positiveSpan.optional(),
  from: span.optional(),
  count: z.number().int().min(1).max(100_000).optional(),
  commit: z.string().optional(),
  apply: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .describe('Files that are in Git from now on.'),
  note: z.string().optional(),
  only: only.optional().describe('The only variants that this event concerns.'),
  variant: only.optional().describe('The same as only.'),
  sync: z.json().optional().describe('A person asks for a sync: {by: person, resources: [...]}.'),
  install: z.json().optional().describe('A release is installed.'),
  values: z.json().optional().describe('A release gets these values.'),
  change: z.json().optional().describe('Fields of what is applied: {spec.suspend: true}.'),
  object: ref.optional().describe('What `change` is about.'),
  upgrade: z.json().optional().describe('helm upgrade, with its flags.'),
  rollback: z.json().optional(),
  uninstall: z.json().optional(),
  test: z.json().optional(),
  drift: z
    .union([ref, z.array(ref)])
    .optional()
    .describe(
      'Somebody edits live objects: {Deployment/shop/web: {spec.replicas: 5}}, {delete: Job/shop/x}.',
    ),
  outage: ref
    .optional()
    .describe('{of: engine, controllers, api-server, registry or sources; for}.'),
  for: positiveSpan.optional().describe('How long an outage lasts.'),
  restart: z.union([z.boolean(), z.string()]).optional().describe('A process starts anew.'),
  rebuild: z.literal(true).optional().describe('A new, empty cluster.'),
  restore: ref.optional().describe('etcd goes back: {to: 12h} or {back: 1h}.'),
  push: z.string().optional().describe('An image is pushed to this tag.'),
  digest: z.string().optional().describe('Of the image that is pushed.'),
  tag: ref.optional().describe('{image, digest}: the tag points there from now on.'),
  engine: ref.optional().describe('{version}: the engine is upgraded.'),
})

/** What is compared; a row with none of them and a key that looks like one is a slip. */
const OF_ROW = ['job', 'cronjob', 'variant', 'policy']
const ANSWERS = ['started', 'completed', 'failed', 'at_hours', 'times', 'period_seconds', 'images']

const runs = z
  .looseObject({
    job: z.string().optional(),
    cronjob: z.string().optional(),
    started: count.optional(),
    completed: count.optional(),
    failed: count.optional(),
    at_hours: z.json().optional(),
    period_seconds: z.json().optional(),
    images: z.json().optional(),
  })
  .superRefine((row, context) => {
    const isCompared = ANSWERS.some((key) => row[key] !== undefined)
    for (const key of isCompared ? [] : Object.keys(row)) {
      const meant = OF_ROW.includes(key) ? undefined : nearest(key, ANSWERS)
      if (meant === undefined) continue
      const message = `is not compared; ${meant} is`
      context.addIssue({ code: 'custom', path: [key], message })
    }
  })

export const expectationSchema: z.ZodType<Expectation> = z.looseObject({
  runs_7d: z.union([z.array(runs), z.record(z.string(), z.json())]).optional(),
  error: z.json().optional(),
  end_state: z.json().optional(),
}) as unknown as z.ZodType<Expectation>

const engineKinds = scenarioEngines.flatMap(({ kinds }) => kinds)

const engineSchema = z
  .looseObject({ kind: z.enum(engineKinds as [string, ...string[]]) })
  .superRefine((engine, context) => {
    for (const { path, words } of settingProblems(engine as JsonObject)) {
      context.addIssue({ code: 'custom', path: [...path], message: words })
    }
  })

const actorSchema = z.looseObject({
  kind: z.enum(secondActors.flatMap(({ kinds }) => kinds) as [string, ...string[]]),
})

export const scenarioSchema: z.ZodType<Scenario> = z
  .strictObject({
    ...remarks,
    format: z.literal('job-scenario/1'),
    horizon: positiveSpan.describe('How long it goes on; half open.'),
    start: z
      .string()
      .refine(isInstant, 'is no time such as 2026-03-02T00:00:00Z')
      .optional()
      .describe('Wall clock of 0h, UTC.'),
    engine: engineSchema,
    actors: z.array(actorSchema).optional().describe('Who acts on Jobs besides the engine.'),
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
