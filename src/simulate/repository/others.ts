import { sha256Hex } from '../../core/hash.ts'
import { objectAt, stringAt, type JsonObject } from '../../core/json.ts'
import { textOf as sourceText } from '../../core/source.ts'
import { annotationOf } from '../../engines/metadata.ts'
import type { Load as CarrierLoad } from '../../ownership/carriers/carrier.ts'
import type { Applied } from '../../ownership/expand.ts'
import { textOf } from '../../ownership/json-text.ts'
import { KUSTOMIZATION_NAMES } from '../../ownership/kustomize/build.ts'
import { baseName, parent } from '../../ownership/tree.ts'
import { build } from '../engines/kustomize-controller/build.ts'
import { objectsOf } from '../trace/manifests.ts'
import type { Around } from './part.ts'

/**
 * What an Application applies beside its Jobs, as one ConfigMap for each wave that holds something:
 * it changes when any of these objects does. None where there is nothing else: such an Application
 * is in sync from the start, whatever its hooks are.
 */
export function otherObjects(applied: Applied | undefined, around: Around): readonly JsonObject[] {
  const objects = (applied?.loads ?? []).flatMap((load) => objectsIn(load, around))
  return standIns(objects.map((object) => ({ object, text: textOf(object) })))
}

export interface Other {
  readonly object: JsonObject
  /** What changes when it changes. */
  readonly text: string
}

export function standIns(all: readonly Other[]): readonly JsonObject[] {
  const waves = new Map<string, Other[]>()
  for (const other of all) {
    if (!isOther(other.object)) continue
    const wave = waveOf(other.object)
    const group = waves.get(wave)
    if (group === undefined) waves.set(wave, [other])
    else group.push(other)
  }
  return [...waves].map(([wave, group]) => {
    const texts = group.map(({ text }) => text).sort()
    const suffix = wave === '0' ? '' : `-wave-${wave.replace('-', 'minus-')}`
    return {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        name: `all-other-objects${suffix}`,
        ...(wave === '0' ? {} : { annotations: { [WAVE]: wave } }),
      },
      data: { objects: String(group.length), content: sha256Hex(texts.join('\n')).slice(0, 16) },
    }
  })
}

const WAVE = 'argocd.argoproj.io/sync-wave'

/** Hooks of other kinds start no Job. */
function isOther(object: JsonObject): boolean {
  const kind = stringAt(object, ['kind'])
  if (kind === undefined || stringAt(object, ['apiVersion']) === undefined) return false
  if (kind === 'Job' || kind === 'CronJob' || kind === 'Kustomization') return false
  return ['argocd.argoproj.io/hook', 'helm.sh/hook'].every(
    (key) => annotationOf(object, key) === undefined,
  )
}

function waveOf(object: JsonObject): string {
  const text = annotationOf(object, WAVE) ?? '0'
  return /^-?\d{1,6}$/.test(text) ? String(Number(text)) : '0'
}

function objectsIn(load: CarrierLoad, around: Around): readonly JsonObject[] {
  const files = load.files?.() ?? []
  const link = load.entries[0]?.links[0]?.path
  const isBuilt = link !== undefined && KUSTOMIZATION_NAMES.includes(baseName(link))
  if (!isBuilt) return files.flatMap((path) => readObjects(path, around))
  const folder = parent(around.world.tree.below(link))
  return built(folder, files, around) ?? files.flatMap((path) => readObjects(path, around))
}

function readObjects(path: string, around: Around): readonly JsonObject[] {
  return around.kept(`objects ${path}`, [path], () => {
    const text = readText(path, around)
    return text === undefined ? [] : objectsOf(path, text, around.fullParser)
  })
}

/** What kustomize makes of a folder; undefined where this model cannot tell. */
function built(
  folder: string,
  files: readonly string[],
  around: Around,
): readonly JsonObject[] | undefined {
  const { tree } = around.world
  const folders = new Set([folder, ...files.map(parent)])
  const paths = [...new Set([...folders].flatMap((one) => tree.under(one)))]
  if (paths.length > MOST_FILES) return undefined
  return around.kept(`built ${folder}`, paths, () => {
    const texts: { [path: string]: string } = {}
    for (const path of paths) {
      const text = readText(path, around)
      if (text !== undefined) texts[path] = text
    }
    const { fullParser } = around
    const made = build({
      files: texts,
      object: { metadata: {}, spec: { path: `./${folder}` } },
      variables: undefined,
      ...(fullParser === undefined ? {} : { fullParser }),
    })
    return 'objects' in made ? made.objects.map(withoutOwner) : undefined
  })
}

const MOST_FILES = 2000
const MOST_BYTES = 1 << 20

export function readText(path: string, { world }: Pick<Around, 'world'>): string | undefined {
  const source = world.sourceOf(path)
  if (source === undefined || source.bytes.length > MOST_BYTES) return undefined
  return sourceText(source, { start: 0, end: source.bytes.length })
}

/** That builder signs for kustomize-controller, which has no part in this. */
function withoutOwner(object: JsonObject): JsonObject {
  const { labels: _, ...metadata } = objectAt(object, ['metadata']) ?? {}
  return { ...object, metadata }
}
