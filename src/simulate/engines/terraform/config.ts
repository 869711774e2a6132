import {
  isList,
  isObject,
  objectAt,
  stringAt,
  type Json,
  type JsonObject,
} from '../../../core/json.ts'
import { goDurationSeconds } from '../../../core/go-duration.ts'
import type { HclBlock } from './hcl.ts'

/** A `kubernetes_job` of a configuration. */
export interface JobResource {
  /** `kubernetes_job_v1.seed`. */
  readonly address: string
  /** As the provider would create it. */
  readonly object: JsonObject
  readonly waits: boolean
  /** Of create, update and delete; default a minute each. */
  readonly timeouts: Timeouts
  readonly createsBeforeDestroy: boolean
}

export interface Timeouts {
  readonly createMs: number
  readonly updateMs: number
  readonly deleteMs: number
}

const MINUTE_MS = 60_000

/** The Jobs of a file, in its order; other resources are left out. */
export function jobsOf(root: HclBlock): readonly JobResource[] {
  return root.blocks.flatMap((block) => {
    const [type = '', name = ''] = block.labels
    const isJob = block.type === 'resource' && /^kubernetes_job(?:_v1)?$/.test(type)
    return isJob ? [jobOf(block, `${type}.${name}`)] : []
  })
}

/** A Job that a scenario gives as YAML. */
export function jobOfManifest(object: JsonObject): JobResource {
  const name = stringAt(object, ['metadata', 'name']) ?? ''
  const metadata = objectAt(object, ['metadata']) ?? {}
  const namespace = stringAt(metadata, ['namespace']) ?? 'default'
  return {
    address: `kubernetes_job_v1.${name}`,
    object: { ...object, metadata: { ...metadata, namespace } },
    waits: true,
    timeouts: { createMs: MINUTE_MS, updateMs: MINUTE_MS, deleteMs: MINUTE_MS },
    createsBeforeDestroy: false,
  }
}

function jobOf(block: HclBlock, address: string): JobResource {
  const metadata = objectOf(blockOf(block, 'metadata'), [])
  const times = blockOf(block, 'timeouts')?.attributes
  const lifecycle = blockOf(block, 'lifecycle')?.attributes
  const spec = objectOf(blockOf(block, 'spec'), ['spec'])
  return {
    address,
    object: {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { ...metadata, namespace: stringAt(metadata, ['namespace']) ?? 'default' },
      spec: withDefaults(spec),
    },
    waits: block.attributes['wait_for_completion'] !== false,
    timeouts: {
      createMs: timeOf(times, 'create'),
      updateMs: timeOf(times, 'update'),
      deleteMs: timeOf(times, 'delete'),
    },
    createsBeforeDestroy: lifecycle?.['create_before_destroy'] === true,
  }
}

/** What the provider sends although nobody wrote it (schema_job_spec.go). */
function withDefaults(spec: JsonObject): JsonObject {
  const template = objectAt(spec, ['template']) ?? {}
  const pod = objectAt(template, ['spec']) ?? {}
  return {
    backoffLimit: 6,
    completions: 1,
    parallelism: 1,
    ...spec,
    template: { ...template, spec: { restartPolicy: 'Never', ...pod } },
  }
}

function timeOf(times: JsonObject | undefined, key: string): number {
  const seconds = goDurationSeconds(stringAt(times, [key]) ?? '')
  return seconds === undefined ? MINUTE_MS : seconds * 1000
}

function blockOf({ blocks }: HclBlock, type: string): HclBlock | undefined {
  return blocks.find((block) => block.type === type)
}

/** Blocks that stand for one object; all others are items of a list. */
const SINGLE = new Set([
  'affinity',
  'api_version',
  'config_map',
  'config_map_key_ref',
  'config_map_ref',
  'empty_dir',
  'exec',
  'field_ref',
  'host_path',
  'http_get',
  'lifecycle',
  'liveness_probe',
  'metadata',
  'node_affinity',
  'on_exit_codes',
  'persistent_volume_claim',
  'pod_failure_policy',
  'readiness_probe',
  'resource_field_ref',
  'resources',
  'secret',
  'secret_key_ref',
  'secret_ref',
  'security_context',
  'selector',
  'spec',
  'startup_probe',
  'template',
  'value_from',
])

/** Lists that Kubernetes names otherwise than by an `s` behind the block's name. */
const LISTS: { readonly [block: string]: string } = {
  env: 'env',
  env_from: 'envFrom',
  match_expressions: 'matchExpressions',
  rule: 'rules',
  on_pod_condition: 'onPodConditions',
  toleration: 'tolerations',
  items: 'items',
  host_aliases: 'hostAliases',
  downward_api: 'downwardAPI',
}

/** Maps whose keys are the user's own words. */
const OPEN = new Set([
  'labels',
  'annotations',
  'match_labels',
  'node_selector',
  'limits',
  'requests',
])

function objectOf(block: HclBlock | undefined, path: readonly string[]): JsonObject {
  const object: { [key: string]: Json } = {}
  if (block === undefined) return object
  for (const [key, value] of Object.entries(block.attributes)) {
    if (value !== undefined && value !== null) object[camel(key)] = attributeOf(key, value)
  }
  for (const child of block.blocks) {
    const made = objectOf(child, [...path, child.type])
    if (SINGLE.has(child.type)) {
      object[camel(child.type)] = made
      continue
    }
    const key = LISTS[child.type] ?? `${camel(child.type)}s`
    const list = object[key]
    object[key] = [...(isList(list) ? list : []), made]
  }
  return object
}

function attributeOf(key: string, value: Json): Json {
  if (OPEN.has(key) || !isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [camel(name), one]))
}

function camel(name: string): string {
  const plain = name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
  return plain === 'podIp' ? 'podIP' : plain
}
