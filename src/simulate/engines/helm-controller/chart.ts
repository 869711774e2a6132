import {
  at,
  booleanAt,
  isObject,
  listAt,
  objectAt,
  stringAt,
  type Json,
  type JsonObject,
} from '../../../core/json.ts'
import type { Reader } from '../../../cluster/actor.ts'
import { textOfBase64 } from '../../../cluster/kinds/base64.ts'
import type { KubeObject } from '../../../cluster/object.ts'
import { mergeValues } from '../../go-template/chart.ts'
import { conditionOf, isTrue } from '../../health/health.ts'
import { objectsOf } from '../../trace/manifests.ts'
import { digestOf } from './digest.ts'
import { SOURCE_RESOURCES } from './kinds.ts'
import type { Settings, SourceName } from './settings.ts'
import type { Chart, ControllerOptions } from './state.ts'

/** Why a reconcile cannot begin, and what becomes of it. */
export interface Missing {
  readonly reason: 'ArtifactFailed' | 'SourceNotReady' | 'ValuesError'
  readonly message: string
  /** Undefined: an error, for the rate limiter. */
  readonly afterMs?: number
  readonly isJittered?: boolean
}

/** Of a dependency that is not ready, and of a source that is not. */
export const REQUEUE_MS = 30_000

/** The chart of a HelmRelease with its values, from what the cluster and source-controller hold. */
export function chartOf(
  object: KubeObject,
  settings: Settings,
  options: Pick<ControllerOptions, 'artifact' | 'fullParser'>,
  read: Reader,
): Chart | Missing {
  const { source: name } = settings
  const source = sourceObject(name, read)
  if (source === undefined) {
    const plural = SOURCE_RESOURCES.get(name.kind)?.resource ?? name.kind
    const words = `${plural}.source.toolkit.fluxcd.io "${name.name}" not found`
    return { reason: 'ArtifactFailed', message: `could not get Source object: ${words}` }
  }
  const unready = unreadiness(source, name)
  if (unready !== undefined) {
    return { reason: 'SourceNotReady', message: unready, afterMs: REQUEUE_MS, isJittered: true }
  }
  const artifact = artifactOf(source)
  const files = options.artifact(name, artifact)
  if (files === undefined) {
    const message = 'Source not ready: artifact not found. Retrying in 30s'
    return { reason: 'ArtifactFailed', message, afterMs: REQUEUE_MS }
  }
  const values = valuesOf(object, options, read)
  if (typeof values === 'string') return { reason: 'ValuesError', message: values }
  return versioned(files, values, name.kind === 'OCIRepository' ? artifact.revision : '')
}

function sourceObject({ kind, namespace, name }: SourceName, read: Reader): KubeObject | undefined {
  const resource = SOURCE_RESOURCES.get(kind)
  return resource === undefined ? undefined : read.get(resource, namespace, name)
}

export interface Artifact {
  readonly revision: string
  readonly digest: string
}

export function artifactOf(source: JsonObject): Artifact {
  return {
    revision: stringAt(source, ['status', 'artifact', 'revision']) ?? '',
    digest: stringAt(source, ['status', 'artifact', 'digest']) ?? '',
  }
}

function unreadiness(
  source: KubeObject,
  { kind, namespace, name }: SourceName,
): string | undefined {
  const words = (why: string): string => `${kind} '${namespace}/${name}' is not ready: ${why}`
  const observed = at(source, ['status', 'observedGeneration'])
  if (observed !== undefined && observed !== source.metadata.generation) {
    return words('latest generation of object has not been reconciled')
  }
  const stalled = conditionOf(source, 'Stalled')
  if (isTrue(stalled)) return words(stringAt(stalled, ['message']) ?? '')
  return objectAt(source, ['status', 'artifact']) === undefined
    ? words('does not have an artifact')
    : undefined
}

/** the digest of an OCI artifact becomes part of the chart's version (trace 047). */
function versioned(
  files: { readonly [path: string]: string },
  values: JsonObject,
  revision: string,
): Chart {
  const [metadata = {}] = objectsOf('Chart.yaml', files['Chart.yaml'] ?? '')
  const name = stringAt(metadata, ['name']) ?? ''
  const plain = stringAt(metadata, ['version']) ?? ''
  const digest = revision.includes('@') ? (revision.split('@')[1] ?? '') : revision
  const sha = digest.split(':')[1]?.slice(0, 12) ?? ''
  const version = sha === '' ? plain : `${plain.split('+')[0] ?? ''}+${sha}`
  const own = { ...files, 'Chart.yaml': JSON.stringify({ ...metadata, version }) }
  return { name, version, files: own, values, valuesDigest: digestOf(values), digest }
}

/** `valuesFrom` in its order, then `values`; the words of an error. */
function valuesOf(
  object: KubeObject,
  { fullParser }: Pick<ControllerOptions, 'fullParser'>,
  read: Reader,
): JsonObject | string {
  let merged: JsonObject = {}
  for (const reference of listAt(object, ['spec', 'valuesFrom'])) {
    const kind = stringAt(reference, ['kind']) ?? ''
    const name = stringAt(reference, ['name']) ?? ''
    const key = stringAt(reference, ['valuesKey']) ?? 'values.yaml'
    const isOptional = booleanAt(reference, ['optional']) === true
    const held = valueIn(kind, object.metadata.namespace ?? '', name, key, read)
    if (held === undefined) {
      if (isOptional) continue
      const place = `${kind} '${object.metadata.namespace ?? ''}/${name}'`
      return `could not resolve ${place} with key '${key}'`
    }
    const path = stringAt(reference, ['targetPath'])
    const [values] = path === undefined ? objectsOf('values.yaml', held, fullParser) : [undefined]
    merged = mergeValues(merged, path === undefined ? (values ?? {}) : atPath(path, held))
  }
  return mergeValues(merged, objectAt(object, ['spec', 'values']) ?? {})
}

function valueIn(
  kind: string,
  namespace: string,
  name: string,
  key: string,
  read: Reader,
): string | undefined {
  const resource = kind === 'Secret' ? 'secrets' : 'configmaps'
  const object = read.get({ group: '', version: 'v1', resource }, namespace, name)
  const text = stringAt(object, ['data', key])
  return kind === 'Secret' && text !== undefined ? textOfBase64(text) : text
}

/** As `--set a.b=value` of Helm, for names without lists. */
function atPath(path: string, text: string): JsonObject {
  const value: Json = text === 'true' ? true : text === 'false' ? false : number(text)
  return path
    .split('.')
    .toReversed()
    .reduce<Json>((inner, key) => ({ [key]: inner }), value) as JsonObject
}

function number(text: string): Json {
  return /^-?(0|[1-9]\d*)$/.test(text) ? Number(text) : text
}

/** ConfigMaps and Secrets that `valuesFrom` names: `ConfigMap name`. */
export function valuesReferences(object: JsonObject): readonly string[] {
  return listAt(object, ['spec', 'valuesFrom'])
    .filter(isObject)
    .map((one) => `${stringAt(one, ['kind']) ?? ''} ${stringAt(one, ['name']) ?? ''}`)
}
