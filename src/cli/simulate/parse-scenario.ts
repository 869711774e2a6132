import type { Source } from '../../core/source.ts'
import type { FullParser } from '../../core/yaml/document.ts'
import { readFile } from '../../core/yaml/read-file.ts'
import { schemaProblems, type Wording } from '../config/issues.ts'
import { problemAt } from '../problem.ts'

type Schema = Parameters<typeof schemaProblems>[2]

/** The one document of a file that belongs to a scenario, by its schema; or what is wrong with it. */
export function parseScenarioFile(
  source: Source,
  schema: Schema,
  fullParser?: FullParser,
): unknown {
  const reading = readFile(source, { wanted: { all: true, needles: [] }, fullParser })
  if (reading.errors.length > 0) {
    return reading.errors.map(({ span, what, why, remedy }) =>
      problemAt('SCENARIO_INVALID', { source, span }, { what, why, remedy }),
    )
  }
  const document = reading.documents.find((one) => one.value() !== null)
  if (document === undefined) {
    const place = { source, span: { start: 0, end: 0 } }
    return [
      problemAt('SCENARIO_INVALID', place, {
        what: `${source.path} is empty`,
        why: 'a scenario says at least its engine and how long it goes on',
        remedy: 'write format: job-scenario/1, horizon and engine into it',
      }),
    ]
  }
  const parsed = schema.safeParse(document.value())
  if (parsed.success) return parsed.data
  return schemaProblems(parsed.error.issues, document, schema, WORDING)
}

const WORDING: Wording = {
  code: 'SCENARIO_INVALID',
  name: 'the scenario',
  missing: {
    format: 'it tells what kind of file it is, and in which version',
    horizon: 'without it the run has no end',
    engine: 'without it nobody applies anything',
  },
  examples: { format: 'job-scenario/1', horizon: '168h', engine: '{kind: flux-kustomization}' },
}
