import { isObject, isList, objectAt, type Json, type JsonObject } from '../../../core/json.ts'
import { withFields } from '../applier.ts'
import { withField } from '../fields.ts'
import type { StageInput } from '../stage.ts'

/** Settings of the scenario that are sync options of each Application. */
const OPTIONS: Readonly<Record<string, string>> = {
  applyOutOfSyncOnly: 'ApplyOutOfSyncOnly',
  serverSideApply: 'ServerSideApply',
  replace: 'Replace',
  pruneLast: 'PruneLast',
  createNamespace: 'CreateNamespace',
  respectIgnoreDifferences: 'RespectIgnoreDifferences',
}

/** What the scenario says of an Application counts before what its file says. */
export function withSettings(
  object: JsonObject,
  { settings, changes }: Pick<StageInput, 'settings' | 'changes'>,
): JsonObject {
  const fields = Object.fromEntries(
    Object.entries(changes).filter(([path]) => path.startsWith('spec.')),
  )
  const written = objectAt(object, ['spec', 'syncPolicy'])
  const policy = policyWith(written ?? {}, settings)
  const isNone = written === undefined && Object.keys(policy).length === 0
  return withFields(isNone ? object : withField(object, ['spec', 'syncPolicy'], policy), fields)
}

function policyWith(policy: JsonObject, settings: JsonObject): JsonObject {
  const { automated: _, syncOptions: __, ...manual } = policy
  const automated = automatedWith(objectAt(policy, ['automated']), settings)
  const options = optionsWith(policy['syncOptions'], settings)
  const retry = retryOf(settings['retry'])
  return {
    ...manual,
    ...(automated === undefined ? {} : { automated }),
    ...(options.length === 0 ? {} : { syncOptions: options }),
    ...(retry === undefined ? {} : { retry }),
  }
}

/** Self-heal and prune make no Application automated that is said not to be. */
function automatedWith(
  written: JsonObject | undefined,
  settings: JsonObject,
): JsonObject | undefined {
  if (settings['automated'] === false) return undefined
  const asks = ['automated', 'selfHeal', 'prune', 'allowEmpty'].some(
    (key) => settings[key] === true,
  )
  if (written === undefined && !asks) return undefined
  const made: { [key: string]: Json | undefined } = { ...written }
  for (const key of ['selfHeal', 'prune', 'allowEmpty']) {
    if (typeof settings[key] === 'boolean') made[key] = settings[key]
  }
  return made
}

function optionsWith(written: Json | undefined, settings: JsonObject): readonly string[] {
  const options = isList(written) ? written.filter((one) => typeof one === 'string') : []
  let made: readonly string[] = options
  for (const [key, name] of Object.entries(OPTIONS)) {
    const isOn = settings[key]
    if (typeof isOn !== 'boolean') continue
    made = made.filter((one) => !one.startsWith(`${name}=`))
    if (isOn) made = [...made, `${name}=true`]
  }
  return made
}

/** `retry: 3`, or as an Application spells it: `{limit, backoff: {duration, factor, maxDuration}}`. */
function retryOf(retry: Json | undefined): JsonObject | undefined {
  if (typeof retry === 'number') return { limit: retry }
  if (!isObject(retry)) return undefined
  if (objectAt(retry, ['backoff']) !== undefined) return retry
  const { limit, refresh, duration, factor, maxDuration } = retry
  const backoff = Object.fromEntries(
    Object.entries({ duration, factor, maxDuration }).filter(([, value]) => value !== undefined),
  )
  return {
    ...(limit === undefined ? {} : { limit }),
    ...(refresh === undefined ? {} : { refresh }),
    ...(Object.keys(backoff).length === 0 ? {} : { backoff }),
  }
}

/** `3.6.1` as 306, `2.10` as 210; undefined for `3.x` and what is not said. */
export function versionOf(version: Json | undefined): number | undefined {
  const text = typeof version === 'number' ? String(version) : version
  const found = typeof text === 'string' ? /^v?(\d+)(?:\.(\d+))?/.exec(text) : null
  const [, major, minor] = found ?? []
  if (major === undefined) return undefined
  // The last minor of a major version that is told alone.
  if (minor === undefined) return major === '2' ? 214 : undefined
  return Number(major) * 100 + Number(minor)
}
