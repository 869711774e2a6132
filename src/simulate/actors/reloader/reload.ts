import { objectAt, type JsonObject } from '../../../core/json.ts'
import type { Io } from '../../../cluster/actor.ts'
import { succeeded, type Answer } from '../../../cluster/api/request.ts'
import type { KubeObject, ResourceId } from '../../../cluster/object.ts'
import { refusalOf, shown, type Round } from '../causes.ts'
import type { Change } from './change.ts'
import { concerns, type Annotations } from './decide.ts'
import type { ReloaderSettings } from './settings.ts'
import { reloaded } from './template.ts'

const APPS = { group: 'apps', version: 'v1' }
const BATCH = { group: 'batch', version: 'v1' }
const WRITE = { fieldManager: 'Reloader' }
const POD_TEMPLATE = ['spec', 'template']

/** One kind of workload: where its pod template is, and how it is made to use the new data. */
export interface Reloadable {
  readonly resource: ResourceId
  readonly template: readonly string[]
  /** Undefined: done; or why not. */
  readonly reload: (
    workload: KubeObject,
    template: JsonObject,
    reloading: Reloading,
  ) => string | undefined
}

export interface Reloading {
  readonly io: Io<never>
  readonly round: Round
  readonly settings: ReloaderSettings
  /** Uids of Jobs that came in the same instant, after the change: they have the new data. */
  readonly younger: ReadonlySet<string>
}

/** In Reloader's order. */
function reloadables(settings: ReloaderSettings): readonly Reloadable[] {
  const { ignoresCronJobs, ignoresJobs, knowsJobs } = settings
  const plain = (resource: string): Reloadable => ({
    resource: { ...APPS, resource },
    template: POD_TEMPLATE,
    reload: patch,
  })
  const cronJobs: Reloadable = {
    resource: { ...BATCH, resource: 'cronjobs' },
    template: ['spec', 'jobTemplate', 'spec', 'template'],
    reload: createJob,
  }
  const jobs = {
    resource: { ...BATCH, resource: 'jobs' },
    template: POD_TEMPLATE,
    reload: recreate,
  }
  return [
    plain('deployments'),
    ...(ignoresCronJobs ? [] : [cronJobs]),
    ...(ignoresJobs || !knowsJobs ? [] : [jobs]),
    plain('daemonsets'),
    plain('statefulsets'),
  ]
}

/** RL-6: one after the other; the first refusal ends the round, and its words come back. */
export function reloadAll(change: Change, reloading: Reloading): string | undefined {
  const { io, round, settings, younger } = reloading
  for (const { resource, template: place, reload } of reloadables(settings)) {
    for (const workload of io.read.list(resource, change.namespace)) {
      const template = objectAt(workload, place) ?? {}
      const marks = annotationsOf(objectAt(template, ['metadata']))
      const why = concerns(change, workload.metadata.annotations ?? {}, marks, settings)
      if (why === undefined) continue
      const next = reloaded(template, change, why === 'auto', settings)
      if (next === undefined) continue
      if (younger.has(workload.metadata.uid)) {
        // RL-1: an engine that is slower than Reloader's watch; a faster one makes it run twice.
        const effect = 'left Job alone: it came just after the change (a race, else it runs twice)'
        round.did('RL-1', effect, shown(workload))
        continue
      }
      const fault = reload(workload, next, reloading)
      if (fault !== undefined) return fault
    }
  }
  return undefined
}

function annotationsOf(metadata: JsonObject | undefined): Annotations {
  return (objectAt(metadata, ['annotations']) ?? {}) as Annotations
}

/** RL-7 */
function patch(workload: KubeObject, template: JsonObject, { io, round }: Reloading) {
  const { namespace, name } = workload.metadata
  const resource = { ...APPS, resource: `${workload.kind.toLowerCase()}s` }
  const answer = io.request({
    verb: 'patch',
    resource,
    ...(namespace === undefined ? {} : { namespace }),
    name,
    patch: { type: 'strategic', body: { spec: { template } } },
    options: WRITE,
  })
  return told(answer, round, {
    rule: 'RL-7',
    object: shown(workload),
    done: `patched ${workload.kind}`,
    refused: `refused ${workload.kind}`,
  })
}

/**
 * RL-4: a CronJob stays as it is; a Job is made from its template at once, whatever its schedule,
 * its concurrency policy or a suspension say.
 */
function createJob(cronJob: KubeObject, template: JsonObject, reloading: Reloading) {
  const { io, round, settings } = reloading
  const { namespace = '', name, uid } = cronJob.metadata
  const jobTemplate = objectAt(cronJob, ['spec', 'jobTemplate']) ?? {}
  const owner = { apiVersion: cronJob.apiVersion, kind: cronJob.kind, name, uid }
  const owners = [{ ...owner, controller: true, blockOwnerDeletion: true }]
  const body = {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      generateName: `${name}-`,
      namespace,
      annotations: {
        'cronjob.kubernetes.io/instantiate': 'manual',
        ...objectAt(jobTemplate, ['metadata', 'annotations']),
      },
      labels: objectAt(jobTemplate, ['metadata', 'labels']) ?? {},
      ...(settings.ownsItsJobs ? { ownerReferences: owners } : {}),
    },
    spec: { ...objectAt(jobTemplate, ['spec']), template },
  }
  const resource = { ...BATCH, resource: 'jobs' }
  const answer = io.request({ verb: 'create', resource, namespace, body, options: WRITE })
  return told(answer, round, {
    rule: 'RL-4',
    object: succeeded(answer) ? shown(answer.body) : `Job ${namespace}/${name}-`,
    done: `created Job from the template of ${shown(cronJob)}`,
    refused: 'refused Job',
  })
}

/**
 * RL-5: a Job, finished or not, is deleted in the background and created again under its name, with
 * its labels, annotations, owners and managers. A finalizer keeps the old one, and the name is taken.
 */
function recreate(job: KubeObject, template: JsonObject, { io, round }: Reloading) {
  const { namespace = '', name } = job.metadata
  const resource = { ...BATCH, resource: 'jobs' }
  const options = { propagationPolicy: 'Background' as const }
  const gone = io.request({ verb: 'delete', resource, namespace, name, options })
  const object = shown(job)
  const deletion = { rule: 'RL-5', object, done: 'deleted Job to run it again' }
  const fault = told(gone, round, { ...deletion, refused: 'refused to delete Job' })
  if (fault !== undefined) return fault
  const body = freshCopy(job, template)
  const answer = io.request({ verb: 'create', resource, namespace, body, options: WRITE })
  return told(answer, round, { rule: 'RL-5', object, done: 'created Job', refused: 'refused Job' })
}

/** Without what the server and the Job controller filled in. */
function freshCopy(job: KubeObject, template: JsonObject): JsonObject {
  const {
    uid: _uid,
    resourceVersion: _version,
    creationTimestamp: _created,
    deletionTimestamp: _deleted,
    deletionGracePeriodSeconds: _grace,
    generation: _generation,
    ...metadata
  } = job.metadata
  const { selector: _selector, ...spec } = objectAt(job, ['spec']) ?? {}
  const labels = Object.fromEntries(
    Object.entries(objectAt(template, ['metadata', 'labels']) ?? {}).filter(
      ([key]) => !/^(batch\.kubernetes\.io\/)?(controller-uid|job-name)$/.test(key),
    ),
  )
  const plain = { ...template, metadata: { ...objectAt(template, ['metadata']), labels } }
  return {
    apiVersion: job.apiVersion,
    kind: job.kind,
    metadata,
    spec: { ...spec, template: plain },
  }
}

interface Telling {
  readonly rule: string
  readonly object: string
  readonly done: string
  readonly refused: string
}

function told(answer: Answer, round: Round, telling: Telling): string | undefined {
  const { rule, object, done, refused } = telling
  if (succeeded(answer)) {
    round.did(rule, done, object)
    return undefined
  }
  const why = refusalOf(answer)
  round.did(rule, `${refused}: ${why}`, object)
  return why
}
