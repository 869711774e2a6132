import { goDurationSeconds } from '../../../core/go-duration.ts'
import type { KubectlCommand } from './command.ts'

/** `--timeout` in milliseconds; 0 when it is not given. */
export function timeoutOf({ flags }: KubectlCommand): number {
  const given = flags['timeout']
  if (given === undefined) return 0
  const seconds = /^\d+$/.test(given) ? Number(given) : goDurationSeconds(given)
  return (seconds ?? 0) * 1000
}
