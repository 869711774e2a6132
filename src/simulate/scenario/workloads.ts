import { isObject, stringAt, type JsonObject } from '../../core/json.ts'
import { needOf } from '../../cluster/kubelet/needs.ts'
import type { Workload } from '../../cluster/kubelet/scenario-script.ts'
import type { Scenario, ScenarioWorkload } from './format.ts'
import { spanSeconds } from './span.ts'
import type { Variant } from './variants.ts'

/** How the work of a scenario behaves in one variant. */
export function workloadsOf({ workloads = [] }: Scenario, variant: Variant): readonly Workload[] {
  return (workloads.length > 0 ? workloads : everyJob(variant))
    .filter((workload) => workload.variant === undefined || workload.variant === variant.name)
    .map((workload) => workloadOf(workload, variant.changes))
}

/** A variant may say how the work behaves where no workload does. */
function everyJob({ changes }: Variant): readonly ScenarioWorkload[] {
  const isTold = changes['duration'] !== undefined || changes['completes'] !== undefined
  return isTold ? [{ job: '*', exits: 'ok' }] : []
}

/** `changes` of a variant may say another duration, or that it never completes. */
export function workloadOf(workload: ScenarioWorkload, changes: JsonObject): Workload {
  const { job, cronjob, deployment, exits, ready, completes, attempts, containers } = workload
  const needs = (workload.needs ?? []).map(needOf).filter((need) => need !== undefined)
  const changed = stringAt(changes, ['duration'])
  const duration = changes['completes'] === false ? undefined : (changed ?? workload.duration)
  const seconds = duration === undefined ? undefined : spanSeconds(duration)
  const outcomes = isObject(exits) || exits === 'ok' || exits === 'fail' ? exits : undefined
  return {
    name: job ?? cronjob ?? deployment ?? '',
    ...(seconds === undefined ? {} : { durationMs: seconds * 1000 }),
    ...(completes === undefined ? {} : { completes }),
    ...(needs.length === 0 ? {} : { needs }),
    ...(outcomes === undefined ? {} : { exits: outcomes as NonNullable<Workload['exits']> }),
    ...(attempts === undefined ? {} : { attempts }),
    ...(containers === undefined ? {} : { containers: plansOf(containers) }),
    ...(ready === undefined
      ? {}
      : { readyMs: ready === 'never' ? 'never' : (spanSeconds(ready) ?? 0) * 1000 }),
  }
}

function plansOf(
  containers: NonNullable<ScenarioWorkload['containers']>,
): NonNullable<Workload['containers']> {
  return Object.fromEntries(
    Object.entries(containers).map(([name, { duration, exit }]) => {
      const seconds = duration === undefined ? undefined : spanSeconds(duration)
      const run = {
        ...(seconds === undefined ? {} : { durationMs: seconds * 1000 }),
        ...(exit === undefined ? {} : { exitCode: exit }),
      }
      return [name, { runs: [run] }]
    }),
  )
}
