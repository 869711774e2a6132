import type { Cause } from '../../cluster/actor.ts'
import { controllerOf, type KubeObject } from '../../cluster/object.ts'
import type { Instant } from '../../cluster/time.ts'
import { isObject, stringAt } from '../../core/json.ts'
import type { Creation } from './cause-book.ts'
import type { RunCause, Step } from './history.ts'
import type { Entry } from './life.ts'

/** Why a Job was created, in one word. `before`: the life of its lane before it. */
export function causeOf(
  job: KubeObject,
  about: {
    readonly before: Entry | undefined
    readonly work: string
    readonly cause: Cause | undefined
  },
): RunCause {
  const { before, work, cause } = about
  const annotations = job.metadata.annotations ?? {}
  if (isObject(annotations) && annotations['cronjob.kubernetes.io/instantiate'] === 'manual') {
    return 'manual'
  }
  if (controllerOf(job)?.kind === 'CronJob') return 'schedule'
  if (cause?.data?.['hook'] !== undefined) return 'hook'
  if (before === undefined) return 'first'
  if (before.work !== work) return 'changed'
  const byWhom = before.deleted?.at(-1)
  if (byWhom === undefined || byWhom.actor !== cause?.actor) return 'restored'
  return before.outcome === 'failed' ? 'retried' : 'replaced'
}

/** How the one before went away, what began the round, what there was, and what was done. */
export function chainOf(
  job: KubeObject,
  about: {
    readonly before: Entry | undefined
    readonly cause: RunCause
    readonly at: Instant
    readonly chain: Creation
  },
): readonly Step[] {
  const { before, cause, at, chain } = about
  if (cause === 'schedule') return [...chain.trigger, ...chain.effect]
  const name = `Job ${job.metadata.namespace ?? ''}/${job.metadata.name}`
  const state = (words: string): Step => ({ at, role: 'state', actor: 'kube-apiserver', words })
  if (cause === 'hook') {
    const hook = stringAt(chain.cause?.data, ['hook']) ?? ''
    return [
      ...chain.trigger,
      state(`${name} is a ${hook} hook`.replace('  ', ' ')),
      ...chain.effect,
    ]
  }
  if (before === undefined || before.job.metadata.name !== job.metadata.name) {
    return [...chain.trigger, state(`there was no ${name}`), ...chain.effect]
  }
  const { deletedAt, deleted = [] } = before
  if (deletedAt === undefined) return [...chain.trigger, ...chain.effect]
  const last = deleted.at(-1)
  return [
    ...deleted.filter(({ trigger }) => trigger === 'expiry'),
    ...(last === undefined ? [] : [last]),
    ...chain.trigger,
    state(`${name} was absent, and is declared`),
    ...chain.effect,
  ]
}
