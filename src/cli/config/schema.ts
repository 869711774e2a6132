import * as z from 'zod'
import type { EngineId } from '../../engines/engine.ts'
import type { Level } from '../../lint/config.ts'
import { isDate } from '../../lint/dates.ts'
import { globProblem } from '../../lint/glob.ts'
import type { Rule } from '../../lint/rule.ts'

/**
 * The one description of semel.yaml: types, checks and the JSON Schema for editors all come from
 * it. Rules and engines are handed in, so that their lists stand nowhere twice.
 */
export function configSchema(known: Known): z.ZodType<ConfigFile> {
  const rules = z
    .strictObject(Object.fromEntries(known.rules.map((rule) => [rule.id, levelOf(rule)])))
    .describe('Level of each rule; what is not named keeps its own level.')
  const engine = z.enum(known.engines as [EngineId, ...EngineId[]])
  const scope = z
    .strictObject({
      path: glob.describe('Which files: a folder, or a pattern with *, **, ?, {a,b} and [0-9].'),
      engine: engine.optional().describe('What applies these files, whatever the repository says.'),
      rules: rules.optional(),
    })
    .describe('Settings for a part of the repository; later scopes win over earlier ones.')
  return z
    .strictObject({
      version: z.literal(1).describe('Version of this format.'),
      ignore: z.array(glob).optional().describe('Files and folders that are not judged.'),
      rules: rules.optional(),
      scopes: z.array(scope).optional(),
      ttlContract: ttlContract.optional(),
    })
    .describe('Settings of semel for one repository.') as unknown as z.ZodType<ConfigFile>
}

export interface Known {
  readonly rules: readonly Pick<Rule, 'id' | 'summary'>[]
  readonly engines: readonly EngineId[]
}

/** semel.yaml as it is written, after its schema was checked. */
export interface ConfigFile {
  readonly version: 1
  readonly ignore?: readonly string[] | undefined
  readonly rules?: Readonly<Record<string, Level>> | undefined
  readonly scopes?: readonly ScopeEntry[] | undefined
  readonly ttlContract?: TtlContractFile | undefined
}

export interface ScopeEntry {
  readonly path: string
  readonly engine?: EngineId | undefined
  readonly rules?: Readonly<Record<string, Level>> | undefined
}

export interface TtlContractFile {
  readonly seconds: number
  readonly none?: readonly JobEntry[] | undefined
  readonly value?: readonly (JobEntry & { readonly seconds: number })[] | undefined
}

export interface JobEntry {
  readonly file: string
  readonly job: string
  readonly reason: string
  readonly expires?: string | undefined
  readonly issue?: string | undefined
}

/** The JSON Schema for editors, as text that ends in a line feed. */
export function configJsonSchema(known: Known): string {
  const schema = z.toJSONSchema(configSchema(known), { target: 'draft-7', io: 'input' })
  return `${JSON.stringify({ title: 'semel.yaml', ...schema }, null, 2)}\n`
}

const LEVELS = ['off', 'info', 'warning', 'error'] as const

function levelOf({ summary }: Pick<Rule, 'summary'>): z.ZodType {
  return z.enum(LEVELS).optional().describe(summary)
}

const glob = z.string().superRefine((pattern, context) => {
  const problem = globProblem(pattern)
  if (problem !== undefined) {
    context.addIssue({ code: 'custom', message: `is no path pattern: ${problem}` })
  }
})

/** Kubernetes keeps the TTL in an int32. */
const seconds = z.int().min(0).max(2_147_483_647)

const file = z.string().superRefine((name, context) => {
  const problem = /[*?]/.test(name)
    ? 'it names one file, patterns are not allowed'
    : pathProblem(name)
  if (problem !== undefined) {
    context.addIssue({ code: 'custom', message: `is no path of a file: ${problem}` })
  }
})

const entry = {
  file: file.describe('Path of the file, from the folder of semel.yaml.'),
  job: z
    .string()
    .min(1)
    .describe('Name of the Job as it is written in the file, variables like ${TAG} included.'),
  reason: z
    .string()
    .regex(/\S/)
    .describe('Why this Job is an exception. Somebody will read it in a year.'),
  expires: z
    .string()
    .superRefine((day, context) => {
      if (!isDate(day)) {
        context.addIssue({ code: 'custom', message: 'is no day; write YYYY-MM-DD' })
      }
    })
    .optional()
    .meta({ description: 'Last day on which the exception holds, YYYY-MM-DD.', format: 'date' }),
  issue: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Link to where the exception is discussed.'),
}

const ttlContract = z
  .strictObject({
    seconds: seconds.describe('ttlSecondsAfterFinished that every Job has to have.'),
    none: z
      .array(z.strictObject(entry))
      .optional()
      .describe('Jobs that have no ttlSecondsAfterFinished.'),
    value: z
      .array(
        z.strictObject({
          ...entry,
          seconds: seconds.describe('ttlSecondsAfterFinished that this Job has to have.'),
        }),
      )
      .optional()
      .describe('Jobs with another ttlSecondsAfterFinished.'),
  })
  .describe('One TTL for all Jobs, with the exceptions listed.')

function pathProblem(name: string): string | undefined {
  if (name.trim() === '') return 'it is empty'
  if (name.startsWith('/')) return 'it starts with /; paths start at the folder of semel.yaml'
  if (/(?:^|\/)\.\.(?:\/|$)/.test(name)) return 'it leaves the folder of semel.yaml with ..'
  return undefined
}
