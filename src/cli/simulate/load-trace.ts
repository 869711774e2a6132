import { readSource, type ListedFile } from '../../adapters/read-source.ts'
import { Fault } from '../../core/faults.ts'
import { readFile } from '../../core/yaml/read-file.ts'
import type { Trace } from '../../simulate/trace/format.ts'
import { schemaProblems, type Wording } from '../config/issues.ts'
import { problemAt, problemOf, type Problem } from '../problem.ts'
import { traceSchema } from './trace-schema.ts'

/** A trace, or what is wrong with the file, with positions. */
export function loadTrace(file: ListedFile): Trace | readonly Problem[] {
  try {
    const source = readSource(file, MAX_TRACE_BYTES)
    const reading = readFile(source, {
      wanted: { all: true, needles: [] },
      fullParser: undefined,
    })
    if (reading.errors.length > 0) {
      return reading.errors.map(({ span, what, why, remedy }) =>
        problemAt('TRACE_INVALID', { source, span }, { what, why, remedy }),
      )
    }
    const [document, second] = reading.documents
    if (document === undefined || second !== undefined) {
      return [
        problemAt(
          'TRACE_INVALID',
          { source, span: { start: 0, end: 0 } },
          {
            what: `${file.path} holds ${document === undefined ? 'nothing' : 'several documents'}`,
            why: 'a trace is one JSON document of the format job-trace/1',
            remedy: 'give the file that the recorder wrote',
          },
        ),
      ]
    }
    const parsed = traceSchema.safeParse(document.value())
    if (parsed.success) return parsed.data
    return schemaProblems(parsed.error.issues, document, traceSchema, WORDING)
  } catch (error) {
    if (error instanceof Fault) return [problemOf(error)]
    throw error
  }
}

const MAX_TRACE_BYTES = 64 << 20

const WORDING: Wording = {
  code: 'TRACE_INVALID',
  name: 'the trace',
  missing: {
    format: 'it tells what kind of file it is, and in which version',
    tolerance: 'without it nobody can say whether a time agrees',
  },
  examples: { format: '"job-trace/1"', tolerance: '{"seconds": 1}' },
}
