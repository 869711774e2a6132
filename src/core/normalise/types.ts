import type { Types } from './field.ts'
import { CONTAINER_TYPES } from './types-container.ts'
import { JOB_TYPES } from './types-job.ts'
import { POD_TYPES } from './types-pod.ts'
import { VOLUME_TYPES } from './types-volume.ts'

/** All that is known of Job, CronJob and the pod template. */
export const TYPES: Types = { ...JOB_TYPES, ...POD_TYPES, ...CONTAINER_TYPES, ...VOLUME_TYPES }
