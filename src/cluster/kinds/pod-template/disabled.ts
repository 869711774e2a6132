import { isObject, type JsonObject } from '../../../core/json.ts'
import type { Rules } from '../../api/kind.ts'
import { changeIn, mapShared } from './defaults.ts'

/** First version in which each field is on by default; Infinity: in none yet. */
type Since = { readonly [field: string]: number }

const POD: Since = {
  hostUsers: 33,
  hostnameOverride: 35,
  resources: 34,
  resourceClaims: 34,
  schedulingGroup: Infinity,
}
const POD_SECURITY: Since = { supplementalGroupsPolicy: 33, seLinuxChangePolicy: 33 }
const CONTAINER: Since = { resizePolicy: 33, restartPolicyRules: 35 }
const CONTAINER_SECURITY: Since = { procMount: 33 }
const MOUNT: Since = { recursiveReadOnly: 31 }
const VARIABLE_SOURCE: Since = { fileKeyRef: 35 }
const VOLUME: Since = { image: 35 }
const PROJECTION: Since = { clusterTrustBundle: Infinity, podCertificate: Infinity }
const LIFECYCLE: Since = { stopSignal: Infinity }
const HANDLER: Since = { sleep: 30 }
/** From here on only what is on nowhere has to be looked for. */
const ALL_SINCE = 35

/** A template or pod without what a server of this version ignores. */
export function dropDisabled(owner: JsonObject, rules: Rules): JsonObject {
  return changeIn(owner, 'spec', (spec) => {
    const kept = inList(withoutFields(spec, POD, rules), 'volumes', (volume) =>
      dropInVolume(volume, rules),
    )
    const secured = changeIn(kept, 'securityContext', (security) =>
      withoutFields(security, POD_SECURITY, rules),
    )
    const changed = inList(secured, 'initContainers', (item) => dropInContainer(item, rules))
    return inList(changed, 'containers', (item) => dropInContainer(item, rules))
  })
}

function withoutFields(value: JsonObject, fields: Since, rules: Rules): JsonObject {
  let next = value
  for (const field in fields) {
    if (next[field] === undefined || rules.minor >= (fields[field] ?? 0)) continue
    const { [field]: _, ...rest } = next
    next = rest
  }
  return next
}

function inList(
  owner: JsonObject,
  key: string,
  change: (item: JsonObject) => JsonObject,
): JsonObject {
  const list = owner[key]
  if (!Array.isArray(list)) return owner
  const items = list as readonly JsonObject[]
  const changed = mapShared(items, change)
  return changed === items ? owner : { ...owner, [key]: changed }
}

function dropInContainer(container: JsonObject, rules: Rules): JsonObject {
  const live = dropInLifecycle(container, rules)
  if (rules.minor >= ALL_SINCE) return live
  const kept = changeIn(withoutFields(live, CONTAINER, rules), 'securityContext', (security) =>
    withoutFields(security, CONTAINER_SECURITY, rules),
  )
  const mounted = inList(kept, 'volumeMounts', (mount) => withoutFields(mount, MOUNT, rules))
  return inList(mounted, 'env', (variable) =>
    changeIn(variable, 'valueFrom', (source) => withoutFields(source, VARIABLE_SOURCE, rules)),
  )
}

/** A lifecycle of which nothing is left is gone. */
function dropInLifecycle(container: JsonObject, rules: Rules): JsonObject {
  const { lifecycle } = container
  if (!isObject(lifecycle)) return container
  let next = withoutFields(lifecycle, LIFECYCLE, rules)
  for (const moment of ['postStart', 'preStop']) {
    next = changeIn(next, moment, (handler) => withoutFields(handler, HANDLER, rules))
  }
  if (next === lifecycle) return container
  if (Object.keys(next).length > 0) return { ...container, lifecycle: next }
  const { lifecycle: _, ...rest } = container
  return rest
}

function dropInVolume(volume: JsonObject, rules: Rules): JsonObject {
  return changeIn(withoutFields(volume, VOLUME, rules), 'projected', (projected) =>
    inList(projected, 'sources', (source) => withoutFields(source, PROJECTION, rules)),
  )
}
