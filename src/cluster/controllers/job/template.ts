import { isObject, listAt, type JsonObject } from '../../../core/json.ts'
import type { Container, Pod, PodSpec } from '../../pod.ts'
import { ownerReference } from './claim.ts'
import { judgeFailure } from './failure-policy.ts'
import {
  COMPLETION_INDEX,
  INDEX_FAILURE_COUNT,
  INDEX_IGNORED_FAILURE_COUNT,
  TRACKING_FINALIZER,
  type Job,
} from './job.ts'
import { failureCount, ignoredFailureCount } from './pods.ts'

const LONGEST_PREFIX = 58

/**
 * The pod that a Job creates; the server adds the end of its name. For an Indexed Job with its
 * index, and with backoffLimitPerIndex the failures of that index so far, read off the pod that it
 * replaces.
 */
export function podOf(job: Job, index?: number, replaced?: Pod): JsonObject {
  const { metadata = {}, spec } = job.spec.template
  const { labels = {}, annotations = {}, finalizers = [] } = metadata
  const common = {
    finalizers: finalizers.includes(TRACKING_FINALIZER)
      ? finalizers
      : [...finalizers, TRACKING_FINALIZER],
    ownerReferences: [ownerReference(job)],
  }
  if (index === undefined) {
    return pod({ generateName: `${job.metadata.name}-`, labels, annotations, ...common }, spec)
  }
  const indexed = {
    generateName: indexedPrefix(job.metadata.name, index),
    labels: { ...labels, [COMPLETION_INDEX]: String(index) },
    annotations: {
      ...annotations,
      [COMPLETION_INDEX]: String(index),
      ...failureCounts(job, replaced),
    },
    ...common,
  }
  return pod(indexed, { ...withIndexVariable(spec), hostname: `${job.metadata.name}-${index}` })
}

function pod(metadata: JsonObject, spec: PodSpec): JsonObject {
  return { apiVersion: 'v1', kind: 'Pod', metadata, spec }
}

function failureCounts(job: Job, replaced: Pod | undefined): JsonObject {
  if (job.spec.backoffLimitPerIndex === undefined) return {}
  let counted = 0
  let ignored = 0
  if (replaced !== undefined) {
    const { counts } = judgeFailure(job, replaced)
    counted = failureCount(replaced) + (counts ? 1 : 0)
    ignored = ignoredFailureCount(replaced) + (counts ? 0 : 1)
  }
  return {
    [INDEX_FAILURE_COUNT]: String(counted),
    ...(ignored > 0 ? { [INDEX_IGNORED_FAILURE_COUNT]: String(ignored) } : {}),
  }
}

function indexedPrefix(name: string, index: number): string {
  const end = `-${index}-`
  return name.length + end.length > LONGEST_PREFIX
    ? name.slice(0, LONGEST_PREFIX - end.length) + end
    : name + end
}

function withIndexVariable(spec: PodSpec): PodSpec {
  const { initContainers, containers } = spec
  return {
    ...spec,
    ...(initContainers === undefined ? {} : { initContainers: initContainers.map(withVariable) }),
    containers: containers.map(withVariable),
  }
}

function withVariable(container: Container): Container {
  const env = listAt(container, ['env'])
  if (env.some((one) => isObject(one) && one['name'] === 'JOB_COMPLETION_INDEX')) return container
  const fieldRef = { fieldPath: `metadata.labels['${COMPLETION_INDEX}']` }
  return { ...container, env: [...env, { name: 'JOB_COMPLETION_INDEX', valueFrom: { fieldRef } }] }
}
