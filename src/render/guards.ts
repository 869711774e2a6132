import { readCron } from '../core/cron.ts'
import type { JsonObject, Path } from '../core/json.ts'
import { zoneFault } from '../core/time-zone.ts'
import { ARGO_HOOK, ARGO_POLICY, argoPolicies, hasHook, HELM_HOOK, helmHook } from './hooks.ts'
import { restoresMissing, type RenderEngine } from './options.ts'
import { bothModes } from './run.ts'
import { CRON_FIELDS } from './schema/parts.ts'
import type { JobScope } from './scope.ts'

/** What must not be rendered although every value by itself is right. */
export function guard(
  scope: JobScope,
  made: { readonly annotations: JsonObject; readonly hash: boolean; readonly engine: RenderEngine },
): void {
  const both = bothModes(scope.job)
  if (both !== undefined) scope.say('JG101', { ...both, at: scope.whereIs('tasks') })
  guardKind(scope)
  guardCompletion(scope)
  if (made.hash) guardHash(scope, made)
  else if (scope.kind === 'Job') guardWithoutHash(scope, made.annotations)
}

function guardKind(scope: JobScope): void {
  if (scope.kind === 'CronJob') return guardCronJob(scope)
  for (const key of Object.keys(CRON_FIELDS)) {
    const value = scope.job[key]
    if (value !== undefined && value !== null) {
      scope.say('JG113', cronFieldOnJob(key, [...scope.path, key]))
    }
  }
}

export function cronFieldOnJob(key: string, at: Path): { text: string; remedy: string; at: Path } {
  const remedy = 'remove it, or set kind: CronJob on the group'
  return { text: `${key} is a field of CronJobs, and kind is Job`, remedy, at }
}

function guardCronJob(scope: JobScope): void {
  const schedule = scope.text('schedule')
  if (schedule === undefined) {
    scope.say('JG106', {
      text: 'schedule is required when kind is CronJob',
      remedy: 'set schedule: "0 3 * * *" on the job or the group',
    })
  } else judgeSchedule(scope, schedule)
  const zone = scope.text('timeZone')
  if (zone !== undefined && zoneFault(zone) !== undefined) {
    scope.say('JG104', {
      text: `timeZone '${zone}' is no time zone that Kubernetes knows`,
      remedy: 'write a name such as Europe/Berlin or Etc/UTC, with its capitals',
      at: scope.whereIs('timeZone'),
      on: 'value',
    })
  }
  if (hasHook(scope)) {
    scope.say('JG107', {
      text: 'hooks cannot be set when kind is CronJob',
      remedy: 'remove the hooks, or make it a group of kind Job',
      at: scope.whereIs('hooks'),
    })
  }
}

function judgeSchedule(scope: JobScope, schedule: string): void {
  const hasZone = /TZ=/.test(schedule)
  const reading = hasZone ? undefined : readCron(schedule)
  if (reading?.schedule !== undefined) return
  scope.say('JG104', {
    text: `Kubernetes refuses the schedule '${schedule}': ${reading?.fault.what ?? 'it holds a time zone'}`,
    remedy: hasZone ? 'set timeZone instead' : 'write five fields, such as "30 3 * * 1-5"',
    at: scope.whereIs('schedule'),
    on: 'value',
  })
}

function guardCompletion(scope: JobScope): void {
  const isIndexed = scope.text('completionMode') === 'Indexed'
  for (const key of ['backoffLimitPerIndex', 'successPolicy']) {
    if (isIndexed || scope.pick(key) === undefined) continue
    scope.say('JG112', {
      text: `${key} needs completionMode: Indexed`,
      remedy: `set completionMode: Indexed and completions, or remove ${key}`,
      at: scope.whereIs(key),
    })
  }
  if (isIndexed && scope.pick('completions') === undefined) {
    scope.say('JG112', {
      text: 'completionMode Indexed needs completions',
      remedy: 'set completions to the number of indexes',
      at: scope.whereIs('completionMode'),
    })
  }
  const restarts = scope.text('restartPolicy') === 'OnFailure'
  if (restarts && scope.pick('podFailurePolicy') !== undefined) {
    scope.say('JG112', {
      text: 'podFailurePolicy needs restartPolicy: Never',
      remedy: 'set restartPolicy: Never, or remove podFailurePolicy',
      at: scope.whereIs('podFailurePolicy'),
    })
  }
}

function guardHash(
  scope: JobScope,
  { annotations, engine }: { annotations: JsonObject; engine: RenderEngine },
): void {
  guardHooks(scope, annotations)
  const seconds = scope.pick('ttlSecondsAfterFinished')
  if (scope.kind !== 'Job' || typeof seconds !== 'number' || !restoresMissing(engine)) return
  const who = engine === 'any' ? 'an engine that restores missing objects' : engine
  scope.say('JG109', {
    text: `hashSuffix is on and the Job is deleted ${seconds} s after it finishes, so ${who} would create and run it again`,
    remedy:
      'remove ttlSecondsAfterFinished: a finished Job runs nothing; or say --engine argocd, helm or none where that applies it',
    at: scope.whereIs('ttlSecondsAfterFinished'),
  })
}

function guardHooks(scope: JobScope, annotations: JsonObject): void {
  const helm = helmHook(annotations)
  if (helm !== '') {
    scope.say('JG108', {
      text: `hashSuffix is on, but Helm runs hook Jobs on every '${helm}' whatever their name is`,
      remedy: 'remove the Helm hook, so that the name decides; or set hashSuffix: false',
      at: placeOf(scope, 'helm', 'hook', HELM_HOOK),
    })
    return
  }
  const argo = argoPolicies(annotations)
  if (!argo.replaces && !argo.deletesOnSuccess) return
  const origin = argo.isDefault ? ' (the default of Argo CD)' : ''
  scope.say('JG108', {
    text: `hashSuffix is on, but Argo CD delete policy '${argo.written}'${origin} removes or replaces the Job on every sync, so it would run on every sync`,
    remedy:
      'use deletePolicy: HookFailed, or no hook; to run at every sync on purpose: hashSuffix: false with BeforeHookCreation',
    at: placeOf(scope, 'argocd', 'deletePolicy', argo.isDefault ? ARGO_HOOK : ARGO_POLICY),
  })
}

function placeOf(scope: JobScope, tool: string, field: string, annotation: string): Path {
  const raw = scope.whereIs('metadataAnnotations', annotation)
  if (raw !== scope.path) return raw
  const hook = scope.whereIs('hooks', tool, field)
  if (hook !== scope.path) return hook
  const common = scope.whereIs('commonAnnotations', annotation)
  return common === scope.path ? scope.whereIs('hooks', tool) : common
}

function guardWithoutHash(scope: JobScope, annotations: JsonObject): void {
  if (helmHook(annotations) !== '' || argoPolicies(annotations).replaces) return
  scope.say('JG120', {
    text: 'hashSuffix is off and nothing replaces the Job, so the API server refuses every change of it',
    remedy:
      'remove hashSuffix: false; or make it a hook: Argo CD with deletePolicy BeforeHookCreation, or Helm',
    at: scope.whereIs('hashSuffix'),
  })
}
