import { isList, isObject, type Json, type JsonObject } from '../../core/json.ts'
import type { Need } from '../../cluster/kubelet/script.ts'
import type { Workload } from '../../cluster/kubelet/scenario-script.ts'
import type { Scenario, ScenarioWorkload } from './format.ts'
import { spanSeconds } from './span.ts'
import type { Variant } from './variants.ts'
import { parseRef } from './words.ts'

/** How the work of a scenario behaves in one variant. */
export function workloadsOf({ workloads = [] }: Scenario, variant: Variant): readonly Workload[] {
  return (workloads.length > 0 ? workloads : everyJob(variant))
    .filter((workload) => workload.variant === undefined || workload.variant === variant.name)
    .map((workload) => workloadOf(workload, variant.changes))
}

/** A variant may say how the work behaves where no workload does. */
function everyJob({ changes }: Variant): readonly ScenarioWorkload[] {
  const isTold = ['duration', 'completes', 'exits', 'attempts'].some(
    (key) => changes[key] !== undefined,
  )
  return isTold ? [{ job: '*', exits: 'ok' }] : []
}

/** `changes` of a variant may say how this or all work behaves. */
export function workloadOf(written: ScenarioWorkload, changes: JsonObject): Workload {
  const workload = changedWorkload(written, changes)
  const { job, cronjob, deployment, exits, completes, containers, duration } = workload
  const name = job ?? cronjob ?? deployment ?? ''
  const needs = needsOf(workload.needs, name)
  const seconds =
    duration === undefined || changes['completes'] === false ? undefined : spanSeconds(duration)
  const attempts = isList(exits) ? (exits as Workload['attempts']) : workload.attempts
  return {
    name,
    ...(seconds === undefined ? {} : { durationMs: seconds * 1000 }),
    ...(completes === undefined ? {} : { completes }),
    ...(needs.length === 0 ? {} : { needs }),
    ...(exits === undefined || isList(exits)
      ? {}
      : { exits: exits as NonNullable<Workload['exits']> }),
    ...(attempts === undefined ? {} : { attempts }),
    ...(containers === undefined ? {} : { containers: plansOf(containers) }),
    ...readinessOf(workload.ready),
  }
}

/** Of a variant: `{exits: fail}` for all work, `{workloads: {shop/seed: {duration: 3h}}}` for one. */
function changedWorkload(written: ScenarioWorkload, changes: JsonObject): ScenarioWorkload {
  const { duration, exits, attempts, ready, needs } = changes
  const all = Object.fromEntries(
    Object.entries({ duration, exits, attempts, ready, needs }).filter(
      ([, one]) => one !== undefined,
    ),
  )
  const { workloads } = changes
  const name = written.job ?? written.cronjob ?? written.deployment ?? ''
  const rows = isList(workloads) ? workloads.filter(isObject) : []
  const listed = rows.find((row) =>
    ['job', 'cronjob', 'deployment'].some((key) => row[key] === name),
  )
  const own = listed ?? (isObject(workloads) ? workloads[name] : undefined)
  // Readiness is not for Jobs, and the end of the work not for Deployments.
  const ofReadiness = ready === undefined ? {} : { ready }
  const meant = written.deployment === undefined ? all : ofReadiness
  return { ...written, ...meant, ...(isObject(own) ? own : {}) }
}

/** `ConfigMap/hub/settings`; without a namespace, that of the work. */
function needsOf(needs: ScenarioWorkload['needs'], workload: string): readonly Need[] {
  const texts = typeof needs === 'string' ? [needs] : (needs ?? [])
  const own = workload.split('/')[0] ?? ''
  return texts.flatMap((text) => {
    const ref = parseRef(text)
    return ref === undefined
      ? []
      : [{ kind: ref.kind, namespace: ref.namespace ?? own, name: ref.name }]
  })
}

type Readiness = Pick<Workload, 'readyMs' | 'readyMsOf'>

/** A span, `never`, or one of them by commit, image or tag. */
function readinessOf(ready: Json | undefined): Readiness {
  if (ready === undefined) return {}
  if (!isObject(ready)) return { readyMs: readyMs(ready) }
  const spans = Object.entries(ready).map(([key, one]) => [key, readyMs(one ?? 'never')] as const)
  return { readyMsOf: Object.fromEntries(spans) }
}

function readyMs(ready: Json): number | 'never' {
  if (ready === true) return 0
  return typeof ready === 'string' && ready !== 'never' ? (spanSeconds(ready) ?? 0) * 1000 : 'never'
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
