import { isObject, type JsonObject } from '../../../core/json.ts'
import type { Rules } from '../../api/kind.ts'
import { mapShared } from './defaults.ts'

/** First version in which a field is on by default; Infinity: in none yet. */
const POD_FIELDS: { readonly [field: string]: number } = {
  hostUsers: 33,
  hostnameOverride: 35,
  resources: 34,
  resourceClaims: 34,
  schedulingGroup: Infinity,
}
const CONTAINER_FIELDS: { readonly [field: string]: number } = {
  resizePolicy: 33,
  restartPolicyRules: 35,
}

/** A template or pod without what this version ignores. */
export function dropDisabled(owner: JsonObject, rules: Rules): JsonObject {
  const spec = owner['spec']
  if (!isObject(spec)) return owner
  const next = withoutFields(dropInContainers(spec, rules), POD_FIELDS, rules)
  const stripped = dropStopSignals(dropProjections(dropProcMounts(next, rules)))
  return stripped === spec ? owner : { ...owner, spec: stripped }
}

function withoutFields(
  value: JsonObject,
  fields: { readonly [field: string]: number },
  rules: Rules,
): JsonObject {
  let next = value
  for (const field in fields) {
    if (next[field] === undefined || rules.minor >= (fields[field] ?? 0)) continue
    const { [field]: _, ...rest } = next
    next = rest
  }
  return next
}

function inContainers(spec: JsonObject, change: (container: JsonObject) => JsonObject): JsonObject {
  let next = spec
  for (const list of ['initContainers', 'containers']) {
    const containers = spec[list]
    if (!Array.isArray(containers)) continue
    const changed = mapShared(containers as readonly JsonObject[], change)
    if (changed !== containers) next = { ...next, [list]: changed }
  }
  return next
}

function dropInContainers(spec: JsonObject, rules: Rules): JsonObject {
  if (rules.minor >= 35) return spec
  return inContainers(spec, (container) => withoutFields(container, CONTAINER_FIELDS, rules))
}

function dropProcMounts(spec: JsonObject, rules: Rules): JsonObject {
  if (rules.minor >= 33) return spec
  return inContainers(spec, (container) => {
    const security = container['securityContext']
    if (!isObject(security) || security['procMount'] === undefined) return container
    const { procMount: _, ...rest } = security
    return { ...container, securityContext: rest }
  })
}

/** Stop signals are alpha in every version so far. */
function dropStopSignals(spec: JsonObject): JsonObject {
  return inContainers(spec, (container) => {
    const lifecycle = container['lifecycle']
    if (!isObject(lifecycle) || lifecycle['stopSignal'] === undefined) return container
    const { stopSignal: _, ...rest } = lifecycle
    if (Object.keys(rest).length > 0) return { ...container, lifecycle: rest }
    const { lifecycle: __, ...without } = container
    return without
  })
}

/** Trust bundles and pod certificates are off by default. */
function dropProjections(spec: JsonObject): JsonObject {
  const volumes = spec['volumes']
  if (!Array.isArray(volumes)) return spec
  const changed = mapShared(volumes as readonly JsonObject[], (volume) => {
    const projected = volume['projected']
    if (!isObject(projected) || !Array.isArray(projected['sources'])) return volume
    const sources = mapShared(projected['sources'] as readonly JsonObject[], (source) => {
      if (source['clusterTrustBundle'] === undefined && source['podCertificate'] === undefined) {
        return source
      }
      const { clusterTrustBundle: _, podCertificate: __, ...rest } = source
      return rest
    })
    if (sources === projected['sources']) return volume
    return { ...volume, projected: { ...projected, sources } }
  })
  return changed === volumes ? spec : { ...spec, volumes: changed }
}
