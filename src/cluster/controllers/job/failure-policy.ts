import type { ContainerStatus, Pod } from '../../pod.ts'
import type { FailureRule, Job, OnExitCodes } from './job.ts'
import { hasFailed } from './pods.ts'

/** What the first rule that fits says about a failed pod. */
export interface PolicyVerdict {
  /** Undefined: no rule fits, so the failure counts. */
  readonly action: string | undefined
  /** Whether it counts against the limits. */
  readonly counts: boolean
  /** Why the whole Job fails: only of a rule that says so. */
  readonly failsJob?: string
}

const COUNTS: PolicyVerdict = { action: undefined, counts: true }

/** K-22: rules in their order, the first that fits decides. */
export function judgeFailure(job: Job, pod: Pod): PolicyVerdict {
  const rules = job.spec.podFailurePolicy?.rules ?? []
  for (const [at, rule] of rules.entries()) {
    const match = matchOf(rule, pod)
    if (match === undefined) continue
    switch (rule.action) {
      case 'Ignore':
        return { action: rule.action, counts: false }
      case 'Count':
      case 'FailIndex':
        return { action: rule.action, counts: true }
      case 'FailJob':
        return {
          action: rule.action,
          counts: true,
          failsJob: `${match} matching ${rule.action} rule at index ${at}`,
        }
      default:
    }
  }
  return COUNTS
}

/** The message of the first failed pod that fails the whole Job. */
export function failJobMessage(job: Job, pods: readonly Pod[]): string | undefined {
  if (job.spec.podFailurePolicy === undefined) return undefined
  for (const pod of pods) {
    if (!hasFailed(pod, job)) continue
    const { failsJob } = judgeFailure(job, pod)
    if (failsJob !== undefined) return failsJob
  }
  return undefined
}

/** In the words of the message: what about the pod fits the rule. */
function matchOf(rule: FailureRule, pod: Pod): string | undefined {
  const name = `${pod.metadata.namespace ?? ''}/${pod.metadata.name}`
  if (rule.onExitCodes !== undefined) {
    const container = containerOf(rule.onExitCodes, pod)
    if (container === undefined) return undefined
    const code = container.state.terminated?.exitCode ?? 0
    return `Container ${container.name} for pod ${name} failed with exit code ${code}`
  }
  const patterns = rule.onPodConditions ?? []
  for (const condition of pod.status?.conditions ?? []) {
    for (const { type, status = 'True' } of patterns) {
      if (condition.type === type && condition.status === status) {
        return `Pod ${name} has condition ${type}`
      }
    }
  }
  return undefined
}

/** Ordinary containers before init containers; an exit code of zero never fits. */
function containerOf(rule: OnExitCodes, pod: Pod): ContainerStatus | undefined {
  const { containerStatuses = [], initContainerStatuses = [] } = pod.status ?? {}
  return [...containerStatuses, ...initContainerStatuses].find(({ name, state }) => {
    const code = state.terminated?.exitCode ?? 0
    if (code === 0) return false
    if (rule.containerName !== undefined && rule.containerName !== name) return false
    if (rule.operator === 'In') return rule.values.includes(code)
    return rule.operator === 'NotIn' && !rule.values.includes(code)
  })
}
