import type { Rule } from '../rule.ts'
import { failedJobBlocks } from './failed-job-blocks.ts'
import { forceReplaceRunsEverySync } from './force-replace-runs-every-sync.ts'
import { hashWithDeleteOnSuccess } from './hash-with-delete-on-success.ts'
import { hookDeletePolicyDropsDefault } from './hook-delete-policy-drops-default.ts'
import { hookRunsEverySync } from './hook-runs-every-sync.ts'
import { putCannotUpdateJob } from './put-cannot-update-job.ts'
import { recreateOnFailureWithoutConvergence } from './recreate-on-failure-without-convergence.ts'
import { suspendedUnderWaiter } from './suspended-under-waiter.ts'
import { ttlCausesRerun } from './ttl-causes-rerun.ts'
import { ttlContract } from './ttl-contract.ts'
import { ttlZeroUnderWaiter } from './ttl-zero-under-waiter.ts'

/** Every rule, in alphabetical order of its id. */
export const rules: readonly Rule[] = [
  failedJobBlocks,
  forceReplaceRunsEverySync,
  hashWithDeleteOnSuccess,
  hookDeletePolicyDropsDefault,
  hookRunsEverySync,
  putCannotUpdateJob,
  recreateOnFailureWithoutConvergence,
  suspendedUnderWaiter,
  ttlCausesRerun,
  ttlContract,
  ttlZeroUnderWaiter,
]
