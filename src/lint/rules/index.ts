import type { Rule } from '../rule.ts'
import { ambiguousScalar } from './ambiguous-scalar.ts'
import { droppedText } from './dropped-text.ts'
import { duplicateKey } from './duplicate-key.ts'
import { failedJobBlocks } from './failed-job-blocks.ts'
import { forceReplaceRunsEverySync } from './force-replace-runs-every-sync.ts'
import { generateNameNotAppliable } from './generate-name-not-appliable.ts'
import { hashDoesNotCover } from './hash-does-not-cover.ts'
import { hashWithDeleteOnSuccess } from './hash-with-delete-on-success.ts'
import { hookDeletePolicyDropsDefault } from './hook-delete-policy-drops-default.ts'
import { hookNeedsLaterObject } from './hook-needs-later-object.ts'
import { hookRunsEverySync } from './hook-runs-every-sync.ts'
import { mutableTag } from './mutable-tag.ts'
import { nameDependsOnClockOrRevision } from './name-depends-on-clock-or-revision.ts'
import { nameTooLong } from './name-too-long.ts'
import { noDeadline } from './no-deadline.ts'
import { putCannotUpdateJob } from './put-cannot-update-job.ts'
import { recreateOnFailureWithoutConvergence } from './recreate-on-failure-without-convergence.ts'
import { restartPolicyInvalid } from './restart-policy-invalid.ts'
import { secondOwner } from './second-owner.ts'
import { suspendedUnderWaiter } from './suspended-under-waiter.ts'
import { ttlCausesRerun } from './ttl-causes-rerun.ts'
import { ttlContract } from './ttl-contract.ts'
import { ttlZeroUnderWaiter } from './ttl-zero-under-waiter.ts'

/** Every rule, in alphabetical order of its id. */
export const rules: readonly Rule[] = [
  ambiguousScalar,
  droppedText,
  duplicateKey,
  failedJobBlocks,
  forceReplaceRunsEverySync,
  generateNameNotAppliable,
  hashDoesNotCover,
  hashWithDeleteOnSuccess,
  hookDeletePolicyDropsDefault,
  hookNeedsLaterObject,
  hookRunsEverySync,
  mutableTag,
  nameDependsOnClockOrRevision,
  nameTooLong,
  noDeadline,
  putCannotUpdateJob,
  recreateOnFailureWithoutConvergence,
  restartPolicyInvalid,
  secondOwner,
  suspendedUnderWaiter,
  ttlCausesRerun,
  ttlContract,
  ttlZeroUnderWaiter,
]
