import { isObject, objectAt, type Json, type JsonObject } from '../../../core/json.ts'
import { mergeValues } from '../../go-template/chart.ts'
import { withFields } from '../applier.ts'
import type { StageInput } from '../stage.ts'

/** Settings of a scenario that are fields of a HelmRelease's spec, by their paths. */
const FIELDS: { readonly [setting: string]: readonly string[] } = {
  interval: ['interval'],
  timeout: ['timeout'],
  suspend: ['suspend'],
  maxHistory: ['maxHistory'],
  releaseName: ['releaseName'],
  targetNamespace: ['targetNamespace'],
  storageNamespace: ['storageNamespace'],
  serviceAccountName: ['serviceAccountName'],
  dependsOn: ['dependsOn'],
  postRenderers: ['postRenderers'],
  commonMetadata: ['commonMetadata'],
  waitStrategy: ['waitStrategy.name'],
  testEnable: ['test.enable'],
  retries: ['install.remediation.retries', 'upgrade.remediation.retries'],
  remediateLastFailure: [
    'install.remediation.remediateLastFailure',
    'upgrade.remediation.remediateLastFailure',
  ],
  ignoreTestFailures: [
    'install.remediation.ignoreTestFailures',
    'upgrade.remediation.ignoreTestFailures',
  ],
  retryInterval: ['install.strategy.retryInterval', 'upgrade.strategy.retryInterval'],
  disableWait: ['install.disableWait', 'upgrade.disableWait', 'rollback.disableWait'],
  disableWaitForJobs: [
    'install.disableWaitForJobs',
    'upgrade.disableWaitForJobs',
    'rollback.disableWaitForJobs',
  ],
  disableHooks: [
    'install.disableHooks',
    'upgrade.disableHooks',
    'rollback.disableHooks',
    'uninstall.disableHooks',
  ],
  force: ['upgrade.force'],
  cleanupOnFail: ['upgrade.cleanupOnFail', 'rollback.cleanupOnFail'],
}

/** Parts of the spec that are given whole: `install: {remediation: {retries: 3}}`. */
const PARTS = ['install', 'upgrade', 'rollback', 'uninstall', 'test', 'values'] as const

/** The HelmRelease with what the scenario and its variant say; anything else is left as written. */
export function withSettings(
  object: JsonObject,
  { settings, changes }: Pick<StageInput, 'settings' | 'changes'>,
): JsonObject {
  const given: JsonObject = { ...settings, ...changes }
  let spec = objectAt(object, ['spec']) ?? {}
  for (const [setting, value] of Object.entries(given)) {
    if (value === undefined) continue
    for (const path of FIELDS[setting] ?? []) spec = withFields(spec, { [path]: value })
    if (setting.startsWith('spec.')) spec = withFields(spec, { [setting.slice(5)]: value })
  }
  for (const part of PARTS) spec = merged(spec, part, given[part])
  spec = withDrift(spec, given['driftDetection'])
  return { ...object, spec: withStrategy(spec, given['strategy']) }
}

function merged(spec: JsonObject, part: string, value: Json | undefined): JsonObject {
  if (!isObject(value)) return spec
  return { ...spec, [part]: mergeValues(objectAt(spec, [part]) ?? {}, value) }
}

/** A mode, or all of it. */
function withDrift(spec: JsonObject, value: Json | undefined): JsonObject {
  if (typeof value === 'string') return withFields(spec, { 'driftDetection.mode': value })
  return merged(spec, 'driftDetection', value)
}

/** `rollback` and `uninstall` remedy a failed upgrade; `RetryOnFailure` goes before remedies. */
function withStrategy(spec: JsonObject, value: Json | undefined): JsonObject {
  if (typeof value !== 'string') return spec
  const isRemedy = value === 'rollback' || value === 'uninstall'
  const paths = isRemedy
    ? ['upgrade.remediation.strategy']
    : ['install.strategy.name', 'upgrade.strategy.name']
  return withFields(spec, Object.fromEntries(paths.map((path) => [path, value])))
}
