import * as z from 'zod'
import { BASELINE_FORMAT, type BaselineEntry } from '../../lint/baseline.ts'

/** The one description of the baseline file: its checks and the JSON Schema come from it. */
export function baselineSchema(): z.ZodType<BaselineFile> {
  const entry = z
    .strictObject({
      file: z.string().describe('Where the finding was, from the folder of the baseline.'),
      rule: z.string().min(1).describe('Id of the rule.'),
      object: z
        .string()
        .min(1)
        .describe('Kind, group, namespace and name without a hash; or the path of the file.'),
      pointer: z.string().describe('The field, with the names of list items for their positions.'),
      value: z.string().optional().describe('What stood there: a scalar as JSON, or short text.'),
      reason: z.string().regex(/\S/).describe('Why it may stay. Somebody will read it in a year.'),
      fingerprint: z
        .string()
        .regex(/^[0-9a-f]{32}$/)
        .describe('Over rule, object, pointer and value; semel writes it.'),
    })
    .describe('One finding that is known.')
  return z
    .strictObject({
      $schema: z.string().optional().describe('For editors.'),
      format: z.literal(BASELINE_FORMAT).describe('Version of this format.'),
      findings: z.array(entry),
    })
    .describe(
      'Findings that semel lint leaves out. Written by --write-baseline.',
    ) as unknown as z.ZodType<BaselineFile>
}

export interface BaselineFile {
  readonly $schema?: string
  readonly format: string
  readonly findings: readonly BaselineEntry[]
}

/** The JSON Schema for editors, as text that ends in a line feed. */
export function baselineJsonSchema(): string {
  const schema = z.toJSONSchema(baselineSchema(), { target: 'draft-7', io: 'input' })
  return `${JSON.stringify({ title: 'Baseline of semel lint', ...schema }, null, 2)}\n`
}
