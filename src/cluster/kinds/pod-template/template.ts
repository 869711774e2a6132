import type { JsonObject } from '../../../core/json.ts'
import type { Rules } from '../../api/kind.ts'
import { type Complaints, objectOf, objectsOf } from '../complaints.ts'
import { checkAnnotations, checkLabels } from '../labels.ts'
import { checkPodAnnotations, checkProfilesAgree } from './annotations.ts'
import { podContext } from './context.ts'
import { checkPodSpec } from './spec.ts'

/** A pod template of a Job or another workload. */
export function checkTemplate(
  out: Complaints,
  template: JsonObject | undefined,
  path: string,
  rules: Rules,
): void {
  const metadata = objectOf(template, 'metadata')
  const spec = objectOf(template, 'spec') ?? {}
  const pod = podContext(spec, { rules })
  checkLabels(out, metadata?.['labels'], `${path}.labels`)
  checkAnnotations(out, metadata?.['annotations'], `${path}.annotations`)
  checkPodAnnotations(out, metadata?.['annotations'], pod, `${path}.annotations`)
  checkPodSpec(out, pod, `${path}.spec`)
  checkProfilesAgree(out, metadata?.['annotations'], pod, `${path}.spec`)
  if (objectsOf(spec, 'ephemeralContainers').length > 0) {
    const detail = 'ephemeral containers not allowed in pod template'
    out.forbidden(`${path}.spec.ephemeralContainers`, detail)
  }
}
