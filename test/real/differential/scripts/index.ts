import type { Script } from '../script.ts'
import { applyScripts } from './apply.ts'
import { createScripts } from './create.ts'
import { customScripts } from './custom.ts'
import { defaultScripts } from './defaults.ts'
import { deleteScripts } from './delete.ts'
import { dryRunScripts } from './dry-run.ts'
import { listScripts } from './list.ts'
import { namespaceScripts } from './namespaces.ts'
import { patchScripts } from './patch.ts'
import { policyScripts } from './policies.ts'
import { statusScripts } from './status.ts'
import { updateScripts } from './update.ts'
import { cronValidationScripts } from './validation-cron.ts'
import { podValidationScripts } from './validation-pod.ts'
import { validationScripts } from './validation.ts'

/** Every script, by file. One line each. */
export const scripts: { readonly [file: string]: readonly Script[] } = {
  create: createScripts,
  defaults: defaultScripts,
  validation: validationScripts,
  'validation of CronJobs': cronValidationScripts,
  'validation of pods': podValidationScripts,
  update: updateScripts,
  patch: patchScripts,
  apply: applyScripts,
  status: statusScripts,
  delete: deleteScripts,
  'dry run': dryRunScripts,
  list: listScripts,
  namespaces: namespaceScripts,
  'custom resources': customScripts,
  'admission policies': policyScripts,
}
