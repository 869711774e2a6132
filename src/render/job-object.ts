import { fingerprint, type Fingerprint } from '../core/fingerprint.ts'
import { objectAt, stringAt, type Json, type JsonObject } from '../core/json.ts'
import { guard } from './guards.ts'
import { annotationsOf, INTENT } from './hooks.ts'
import { keyedMerge, tidied, unlessEmpty } from './merge.ts'
import { labelValue, nameLimit, objectName, shortGroup } from './names.ts'
import type { RenderOptions } from './options.ts'
import { podSpecOf, present } from './pod.ts'
import { readsOf } from './reads.ts'
import type { JobScope } from './scope.ts'

export interface MadeObject {
  readonly name: string
  readonly intent: Fingerprint
  readonly object: JsonObject
}

/** One Job or CronJob, and what is wrong in it (in `scope.problems`). */
export function makeObject(scope: JobScope, fullName: string, options: RenderOptions): MadeObject {
  const { kind, groupName, jobName } = scope
  const shortName = `${shortGroup(groupName)}-${jobName}`
  const base = `${fullName}-${shortName}`
  const podLabels = {
    'app.kubernetes.io/name': labelValue(shortName),
    'app.kubernetes.io/instance': labelValue(base),
  }
  const tagPolicy = options.tagPolicy ?? 'warn'
  const pod = podSpecOf(scope, { fullName, tagPolicy, labels: podLabels })
  const podAnnotations = podAnnotationsOf(scope)
  const metadata = present({ annotations: unlessEmpty(podAnnotations), labels: podLabels })
  const jobSpec = jobSpecOf(scope, { metadata, spec: pod })
  const spec = kind === 'Job' ? jobSpec : cronJobSpecOf(scope, jobSpec)

  const hash = scope.flag('hashSuffix', kind === 'Job')
  const counts = scope.flag('hashIncludePodAnnotations', true)
  if (!counts && kind === 'Job' && Object.keys(podAnnotations).length > 0) sayUncounted(scope)
  const { config, external } = readsOf(pod, objectAt(scope.root, ['configMaps']) ?? {}, fullName)
  if (external.length > 0) sayExternal(scope, external)
  const annotations = annotationsOf(scope)
  guard(scope, { annotations, hash, engine: options.engine ?? 'any' })

  const covered = counts ? jobSpec : { ...jobSpec, template: { spec: pod } }
  const intent = intentOf(kind, covered, config)
  const adopted = stringAt(scope.job, ['adoptName'])
  const limit = nameLimit(kind, jobSpec)
  const name = adopted ?? objectName(base, hash ? intent.digest : undefined, limit)
  const object = {
    apiVersion: 'batch/v1',
    kind,
    metadata: {
      name,
      namespace: options.release.namespace,
      labels: labelsOf(scope.root, podLabels, fullName, options),
      annotations: { ...annotations, [INTENT]: intent.digest },
    },
    spec,
  }
  return { name, intent, object }
}

function intentOf(
  kind: 'Job' | 'CronJob',
  jobSpec: JsonObject,
  config: Readonly<Record<string, string>>,
): Fingerprint {
  const spec = kind === 'Job' ? jobSpec : { jobTemplate: { spec: jobSpec } }
  return fingerprint({ kind, spec }, { policy: 'adr-012', config })
}

function jobSpecOf(scope: JobScope, template: JsonObject): JsonObject {
  const value = (key: string): Json | undefined => unlessEmpty(scope.pick(key))
  return present({
    backoffLimit: scope.pick('backoffLimit') ?? 3,
    ttlSecondsAfterFinished: value('ttlSecondsAfterFinished'),
    activeDeadlineSeconds: value('activeDeadlineSeconds'),
    completions: value('completions'),
    parallelism: value('parallelism'),
    suspend: scope.kind === 'Job' ? value('suspend') : undefined,
    podFailurePolicy: value('podFailurePolicy'),
    podReplacementPolicy: value('podReplacementPolicy'),
    completionMode: value('completionMode'),
    backoffLimitPerIndex: value('backoffLimitPerIndex'),
    successPolicy: value('successPolicy'),
    template,
  })
}

function cronJobSpecOf(scope: JobScope, jobSpec: JsonObject): JsonObject {
  const value = (key: string): Json | undefined => scope.pick(key)
  return present({
    schedule: value('schedule'),
    timeZone: value('timeZone'),
    concurrencyPolicy: value('concurrencyPolicy'),
    successfulJobsHistoryLimit: value('successfulJobsHistoryLimit'),
    failedJobsHistoryLimit: value('failedJobsHistoryLimit'),
    startingDeadlineSeconds: value('startingDeadlineSeconds'),
    suspend: value('suspend'),
    jobTemplate: { spec: jobSpec },
  })
}

function podAnnotationsOf({ root, group, job }: JobScope): JsonObject {
  const levels = [
    root['podAnnotations'],
    root['jobPodAnnotations'],
    group['podAnnotations'],
    job['podAnnotations'],
  ]
  return tidied(keyedMerge(levels)) as JsonObject
}

/** Those of the user first; what tells the objects apart cannot be overridden. */
export function labelsOf(
  root: JsonObject,
  own: JsonObject,
  fullName: string,
  { release }: RenderOptions,
): JsonObject {
  const standard = objectAt(root, ['labels', 'standard']) ?? {}
  const wants = (key: string): boolean => standard['enabled'] !== false && standard[key] !== false
  const { appVersion = '' } = release
  const fixed = {
    ...own,
    ...(wants('partOf') ? { 'app.kubernetes.io/part-of': labelValue(fullName) } : {}),
    ...(wants('version') && appVersion !== ''
      ? { 'app.kubernetes.io/version': labelValue(appVersion) }
      : {}),
    ...(wants('managedBy') ? { 'app.kubernetes.io/managed-by': 'semel' } : {}),
  }
  const common = tidied(objectAt(root, ['commonLabels']) ?? {}) as JsonObject
  const others = Object.entries(common).filter(([key]) => !RESERVED.has(key) && !(key in fixed))
  return { ...Object.fromEntries(others), ...fixed }
}

/** Also where they are switched off or have no value. */
const RESERVED: ReadonlySet<string> = new Set([
  'app.kubernetes.io/name',
  'app.kubernetes.io/instance',
])

function sayUncounted(scope: JobScope): void {
  scope.say('JG202', {
    text: 'pod annotations are rendered and not part of the hash, so the API server refuses to change them later',
    remedy: 'remove hashIncludePodAnnotations: false, or the pod annotations',
    at: scope.whereIs('hashIncludePodAnnotations'),
  })
}

function sayExternal(
  scope: JobScope,
  external: readonly { readonly kind: string; readonly name: string }[],
): void {
  const names = external.map(({ kind, name }) => `${kind} ${name}`)
  const [them, are] = names.length === 1 ? ['its', 'is'] : ['their', 'are']
  scope.say('JG203', {
    text: `${names.join(', ')} ${are} not rendered with these values, so ${them} content is no part of the hash`,
    remedy:
      'leave it if a change of it needs no new run; else give it a new name then, or move a ConfigMap into configMaps',
  })
}
