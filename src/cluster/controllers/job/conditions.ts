import { timestamp, type Instant } from '../../time.ts'
import type { JobCondition } from './job.ts'

export interface Wanted {
  readonly type: string
  readonly status: 'True' | 'False'
  readonly reason?: string
  readonly message?: string
}

export function condition({ type, status, reason, message }: Wanted, now: Instant): JobCondition {
  return {
    type,
    status,
    lastProbeTime: timestamp(now),
    lastTransitionTime: timestamp(now),
    ...(reason === undefined ? {} : { reason }),
    ...(message === undefined ? {} : { message }),
  }
}

/**
 * The list with the wanted condition: replaced in its place when anything of it differs, else
 * appended. A False one that was never there is not added, as nothing happened.
 */
export function withCondition(
  list: readonly JobCondition[],
  wanted: Wanted,
  now: Instant,
): readonly JobCondition[] {
  const index = list.findIndex(({ type }) => type === wanted.type)
  const there = list[index]
  if (there === undefined) {
    return wanted.status === 'False' ? list : [...list, condition(wanted, now)]
  }
  const isSame =
    there.status === wanted.status &&
    (there.reason ?? '') === (wanted.reason ?? '') &&
    (there.message ?? '') === (wanted.message ?? '')
  return isSame ? list : list.with(index, condition(wanted, now))
}

export function findTrue(list: readonly JobCondition[], type: string): JobCondition | undefined {
  const found = list.find((one) => one.type === type)
  return found?.status === 'True' ? found : undefined
}
