import type { Rule } from '../rule.ts'
import { ambiguousScalar } from './ambiguous-scalar.ts'
import { backoffDefault } from './backoff-default.ts'
import { backoffZeroStartsTwice } from './backoff-zero-starts-twice.ts'
import { chartLabelInTemplate } from './chart-label-in-template.ts'
import { cleanerDeletesJob } from './cleaner-deletes-job.ts'
import { copyFromLaterStep } from './copy-from-later-step.ts'
import { cronjobConcurrencyWithLongRun } from './cronjob-concurrency-with-long-run.ts'
import { cronjobHistory } from './cronjob-history.ts'
import { cronjobJobsStaySuspended } from './cronjob-jobs-stay-suspended.ts'
import { cronjobLateStart } from './cronjob-late-start.ts'
import { cronjobMissedSchedule } from './cronjob-missed-schedule.ts'
import { cronjobScheduleInvalid } from './cronjob-schedule-invalid.ts'
import { cronjobTimeZone } from './cronjob-time-zone.ts'
import { dependsOnJobUnreliable } from './depends-on-job-unreliable.ts'
import { droppedText } from './dropped-text.ts'
import { duplicateKey } from './duplicate-key.ts'
import { emptyInputsDeleteAll } from './empty-inputs-delete-all.ts'
import { failedJobBlocks } from './failed-job-blocks.ts'
import { finalizerHoldsJob } from './finalizer-holds-job.ts'
import { forceReplaceRunsEverySync } from './force-replace-runs-every-sync.ts'
import { generateNameNotAppliable } from './generate-name-not-appliable.ts'
import { hashDoesNotCover } from './hash-does-not-cover.ts'
import { hashPrefixTooAlike } from './hash-prefix-too-alike.ts'
import { hashWithDeleteOnSuccess } from './hash-with-delete-on-success.ts'
import { hookDeletePolicyDropsDefault } from './hook-delete-policy-drops-default.ts'
import { hookDeletesNeededObject } from './hook-deletes-needed-object.ts'
import { hookNeedsLaterObject } from './hook-needs-later-object.ts'
import { hookRunsEverySync } from './hook-runs-every-sync.ts'
import { hookWithoutDeadline } from './hook-without-deadline.ts'
import { ifnotpresentIsNotOnce } from './ifnotpresent-is-not-once.ts'
import { immutableByKustomizeHash } from './immutable-by-kustomize-hash.ts'
import { lastWaveNotWaitedFor } from './last-wave-not-waited-for.ts'
import { mutableTag } from './mutable-tag.ts'
import { nameDependsOnClockOrRevision } from './name-depends-on-clock-or-revision.ts'
import { nameTooLong } from './name-too-long.ts'
import { noDeadline } from './no-deadline.ts'
import { ordinaryObjectWaitsForHook } from './ordinary-object-waits-for-hook.ts'
import { putCannotUpdateJob } from './put-cannot-update-job.ts'
import { quantitySpellingDrift } from './quantity-spelling-drift.ts'
import { recreateOnFailureUnseen } from './recreate-on-failure-unseen.ts'
import { recreateOnFailureWithoutConvergence } from './recreate-on-failure-without-convergence.ts'
import { referenceToHashedName } from './reference-to-hashed-name.ts'
import { refusedChangeReadsSynced } from './refused-change-reads-synced.ts'
import { renameLeavesOldRun } from './rename-leaves-old-run.ts'
import { restartPolicyInvalid } from './restart-policy-invalid.ts'
import { retryBesideRunningHook } from './retry-beside-running-hook.ts'
import { retrySkipsHook } from './retry-skips-hook.ts'
import { secondOwner } from './second-owner.ts'
import { shutdownCallDecidesResult } from './shutdown-call-decides-result.ts'
import { sidecarBlocksCompletion } from './sidecar-blocks-completion.ts'
import { suspendedUnderWaiter } from './suspended-under-waiter.ts'
import { triggerConflict } from './trigger-conflict.ts'
import { ttlCausesRerun } from './ttl-causes-rerun.ts'
import { ttlContract } from './ttl-contract.ts'
import { ttlInSequence } from './ttl-in-sequence.ts'
import { ttlZeroUnderWaiter } from './ttl-zero-under-waiter.ts'

/** Every rule, in alphabetical order of its id. */
export const rules: readonly Rule[] = [
  ambiguousScalar,
  backoffDefault,
  backoffZeroStartsTwice,
  chartLabelInTemplate,
  cleanerDeletesJob,
  copyFromLaterStep,
  cronjobConcurrencyWithLongRun,
  cronjobHistory,
  cronjobJobsStaySuspended,
  cronjobLateStart,
  cronjobMissedSchedule,
  cronjobScheduleInvalid,
  cronjobTimeZone,
  dependsOnJobUnreliable,
  droppedText,
  duplicateKey,
  emptyInputsDeleteAll,
  failedJobBlocks,
  finalizerHoldsJob,
  forceReplaceRunsEverySync,
  generateNameNotAppliable,
  hashDoesNotCover,
  hashPrefixTooAlike,
  hashWithDeleteOnSuccess,
  hookDeletePolicyDropsDefault,
  hookDeletesNeededObject,
  hookNeedsLaterObject,
  hookRunsEverySync,
  hookWithoutDeadline,
  ifnotpresentIsNotOnce,
  immutableByKustomizeHash,
  lastWaveNotWaitedFor,
  mutableTag,
  nameDependsOnClockOrRevision,
  nameTooLong,
  noDeadline,
  ordinaryObjectWaitsForHook,
  putCannotUpdateJob,
  quantitySpellingDrift,
  recreateOnFailureUnseen,
  recreateOnFailureWithoutConvergence,
  referenceToHashedName,
  refusedChangeReadsSynced,
  renameLeavesOldRun,
  restartPolicyInvalid,
  retryBesideRunningHook,
  retrySkipsHook,
  secondOwner,
  shutdownCallDecidesResult,
  sidecarBlocksCompletion,
  suspendedUnderWaiter,
  triggerConflict,
  ttlCausesRerun,
  ttlContract,
  ttlInSequence,
  ttlZeroUnderWaiter,
]
