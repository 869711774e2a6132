import path from 'node:path'
import * as z from 'zod'
import { shownName } from '../../adapters/files.ts'
import { readSource } from '../../adapters/read-source.ts'
import type { Workload } from '../../cluster/kubelet/scenario-script.ts'
import type { ScenarioWorkload } from '../../simulate/scenario/format.ts'
import { workloadOf } from '../../simulate/scenario/workloads.ts'
import type { Io } from '../io.ts'
import type { Problem } from '../problem.ts'
import { parseScenarioFile } from './parse-scenario.ts'
import { workloadSchema } from './scenario-schema.ts'

const MAX_BYTES = 1 << 20

const fileSchema = z.strictObject({ workloads: z.array(workloadSchema) })

/** Reads a file with `workloads:`, as a scenario has them. */
export function loadWorkloads(
  given: string,
  io: Io,
): { readonly workloads: readonly Workload[] } | readonly Problem[] {
  const absolute = path.resolve(io.cwd, given)
  const shown = shownName(given)
  const source = readSource({ path: shown, absolute, isNamed: true }, MAX_BYTES)
  const parsed = parseScenarioFile(source, fileSchema)
  if (Array.isArray(parsed)) return parsed as readonly Problem[]
  const { workloads } = parsed as { readonly workloads: readonly ScenarioWorkload[] }
  return { workloads: workloads.map((workload) => workloadOf(workload, {})) }
}
