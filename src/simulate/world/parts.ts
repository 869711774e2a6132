import { serviceAccountAdmission } from '../../cluster/admission/service-account.ts'
import type { Admission } from '../../cluster/api/admission.ts'
import type { RegistryChange } from '../../cluster/kubelet/registry.ts'
import type { PodScript } from '../../cluster/kubelet/script.ts'
import { stringAt } from '../../core/json.ts'
import { registryOf } from '../actors/index.ts'
import type { Stage } from '../scenario/stage.ts'
import type { WorldEvent } from './world.ts'

/** The image registry as updaters see it, with what events push to it and its outages. */
export function registryOfEvents(events: readonly WorldEvent[]): ReturnType<typeof registryOf> {
  const pushes = events.flatMap((event) => (event.kind === 'tag' ? [event] : []))
  const outages = events.flatMap((event) =>
    event.kind === 'outage' && event.of === 'registry'
      ? [{ from: event.at, until: event.until }]
      : [],
  )
  return registryOf(pushes, outages)
}

/** The kubelet is told beforehand what becomes of the registry. */
export function registryChanges(events: readonly WorldEvent[]): readonly RegistryChange[] {
  return events.flatMap((event): readonly RegistryChange[] => {
    const { at } = event
    if (event.kind === 'tag') return [{ do: 'push', at, image: event.image, digest: event.digest }]
    if (event.kind !== 'outage' || event.of !== 'registry') return []
    return [{ do: 'outage', at, until: event.until }]
  })
}

/** Two stages of one engine bring the same kinds. */
export function distinctKinds(stages: readonly Pick<Stage, 'kinds'>[]): Stage['kinds'] {
  const kinds = new Map<string, Stage['kinds'][number]>()
  for (const kind of stages.flatMap((stage) => stage.kinds)) {
    kinds.set(`${kind.group}/${kind.version}/${kind.resource}`, kind)
  }
  return [...kinds.values()]
}

/** The pods do not wait for ConfigMaps and Secrets that nobody plays. */
export function withoutReferences(script: PodScript): PodScript {
  return { plan: (...about) => ({ ...script.plan(...about), needsReferences: false }) }
}

/** An account that no file declares is somebody else's, and counts as there. */
export function accountsAdmission(declared: readonly string[]): Admission {
  const known = new Set(declared)
  return {
    ...serviceAccountAdmission,
    mutate(review) {
      const spec = review.object?.['spec']
      const name = stringAt(spec, ['serviceAccountName']) ?? stringAt(spec, ['serviceAccount'])
      const isDeclared = known.has(`${review.namespace ?? ''}/${name ?? ''}`)
      return isDeclared && serviceAccountAdmission.mutate !== undefined
        ? serviceAccountAdmission.mutate(review)
        : { allowed: true }
    },
  }
}
