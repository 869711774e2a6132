import { isObject, objectAt, stringAt, type Json, type JsonObject } from '../core/json.ts'
import { envFromOf, envOf } from './env.ts'
import { imageOf } from './image.ts'
import { deepMerge, joined, unlessEmpty } from './merge.ts'
import type { TagPolicy } from './options.ts'
import { CLOSING, runOf, type Words } from './run.ts'
import { has, type JobScope } from './scope.ts'
import { storageOf } from './volumes.ts'

export interface PodInput {
  readonly fullName: string
  readonly tagPolicy: TagPolicy
  /** Labels of the pod, for constraints without a selector. */
  readonly labels: JsonObject
}

/** The pod spec of a job, keys in the order of the specification. */
export function podSpecOf(scope: JobScope, { fullName, tagPolicy, labels }: PodInput): JsonObject {
  const { root } = scope
  const run = runOf(scope)
  const { volumes, mounts } = storageOf(scope, fullName)
  const { image, imagePullPolicy } = imageOf(scope, tagPolicy)
  const env = envOf(scope)
  const envFrom = envFromOf(scope, (name) => ownConfigMap(root, name, fullName))
  const resources = closest(scope, 'resources')
  const securityContext = closest(scope, 'securityContext')
  const container = (name: string, { command, args }: Words): JsonObject =>
    present({
      name,
      image,
      imagePullPolicy,
      command,
      args,
      env,
      envFrom: envFrom.length === 0 ? undefined : envFrom,
      resources,
      securityContext,
      volumeMounts: mounts.length === 0 ? undefined : mounts,
    })
  const steps =
    run.mode === 'tasks' ? run.tasks.map(({ name, words }) => container(name, words)) : []
  const last =
    run.mode === 'tasks'
      ? closingContainer(scope, securityContext)
      : container(scope.jobName, run.words)
  return present({
    imagePullSecrets: pullSecrets(root),
    serviceAccountName:
      scope.text('serviceAccountName', objectAt(root, ['serviceAccount'])?.['name']) ?? 'default',
    automountServiceAccountToken: scope.flag(
      'automountServiceAccountToken',
      false,
      root['automountServiceAccountToken'],
    ),
    priorityClassName: stringAt(root, ['priorityClassName']),
    securityContext: closest(scope, 'podSecurityContext'),
    terminationGracePeriodSeconds: scope.pick(
      'terminationGracePeriodSeconds',
      root['terminationGracePeriodSeconds'],
    ),
    hostAliases: unlessEmpty(root['hostAliases']),
    restartPolicy: scope.text('restartPolicy') ?? 'Never',
    initContainers: steps.length === 0 ? undefined : steps,
    containers: [last],
    volumes: volumes.length === 0 ? undefined : volumes,
    nodeSelector: closest(scope, 'nodeSelector'),
    affinity: closest(scope, 'affinity'),
    tolerations: tolerationsOf(scope),
    topologySpreadConstraints: constraintsOf(scope, labels),
  })
}

/** Says that tasks are done: the API server wants one container that is no init container. */
function closingContainer(scope: JobScope, securityContext: Json | undefined): JsonObject {
  return present({
    name: CLOSING,
    image: scope.text('completionImage', scope.root['jobCompletionImage']) ?? 'alpine:3.21',
    imagePullPolicy: 'IfNotPresent',
    command: ['sh', '-c', 'echo SUCCESS'],
    resources: { requests: { cpu: '10m', memory: '16Mi' }, limits: { memory: '16Mi' } },
    securityContext,
  })
}

/** With neither on group nor job, the root value as a whole. */
function closest({ root, group, job }: JobScope, key: string): Json | undefined {
  const isOwn = group[key] !== undefined || job[key] !== undefined
  return unlessEmpty(isOwn ? deepMerge([group[key], job[key]]) : (root[key] ?? undefined))
}

function tolerationsOf({ root, group, job }: JobScope): Json | undefined {
  const [onGroup, onJob] = [group['tolerations'], job['tolerations']]
  const isOwn = onGroup !== undefined || onJob !== undefined
  return unlessEmpty(isOwn ? joined([onGroup, onJob]) : joined([root['tolerations']]))
}

function constraintsOf(scope: JobScope, labels: JsonObject): Json | undefined {
  const list = scope.pick('topologySpreadConstraints', scope.root['topologySpreadConstraints'])
  const completed = joined([list]).map((constraint) =>
    !isObject(constraint) || has(constraint, 'labelSelector')
      ? constraint
      : { ...constraint, labelSelector: { matchLabels: labels } },
  )
  return unlessEmpty(completed)
}

function pullSecrets(root: JsonObject): Json | undefined {
  const names = joined([root['imagePullSecrets']])
  return names.length === 0 ? undefined : names.map((name) => ({ name }))
}

/** A key of the root's `configMaps` stands for the ConfigMap that is made of it. */
function ownConfigMap(root: JsonObject, name: string, fullName: string): string {
  const entry = objectAt(root, ['configMaps'])?.[name]
  return isObject(entry) ? `${fullName}-${name}` : name
}

/** Without the members that are undefined. */
export function present(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined))
}
