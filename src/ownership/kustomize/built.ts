import { at, objectAt, type JsonObject } from '../../core/json.ts'
import type { Manifest } from '../../core/manifest.ts'
import type { Reading } from '../../core/yaml/document.ts'
import type { Link } from '../subject.ts'
import { traced, type Traced } from '../traced.ts'
import { roleOf, type Role } from '../world.ts'
import type { GeneratedEntry } from './fields.ts'
import type { Layer } from './layer.ts'
import { linkOfLayer } from './link.ts'
import type { Identity } from './selector.ts'

/** A Job, a CronJob or a carrier on its way through kustomizations. */
export interface Entry {
  readonly manifest: Manifest
  readonly role: Role | undefined
  readonly object: Traced<JsonObject>
  /** What it was called so far, and now: a patch may use any of these. */
  readonly identities: readonly Identity[]
  /** The kustomization files that it came through, outermost first. */
  readonly links: readonly Link[]
}

export interface Built {
  readonly entries: readonly Entry[]
  /** ConfigMaps and Secrets whose names get a hash of their content. */
  readonly generated: readonly GeneratedEntry[]
  /** False when a part is elsewhere, so that "no such Job" proves nothing. */
  readonly complete: boolean
}

export const NOTHING: Built = { entries: [], generated: [], complete: true }

export function entryOf(manifest: Manifest, reading: Reading): Entry {
  const { document, root, name, namespace } = manifest
  const differs = reading === 'kustomize' && document.ambiguousScalars().length > 0
  const other = differs ? objectAt(document.value('kustomize'), root) : undefined
  return {
    manifest,
    role: roleOf(manifest),
    object: traced(other ?? manifest.object, { document, path: root }),
    identities: [{ name, namespace }],
    links: [],
  }
}

/** More Jobs than this in one build come from kustomizations that double each other. */
const MAX_ENTRIES = 20_000

/** Parts together; what is listed twice counts once, as kustomize would refuse it. */
export function joined(parts: readonly Built[]): Built {
  const [only] = parts
  if (parts.length === 1 && only !== undefined) return only
  const entries = new Set<Entry>()
  for (const part of parts) {
    for (const entry of part.entries) if (entries.size < MAX_ENTRIES) entries.add(entry)
  }
  const generated = new Set(parts.flatMap((part) => part.generated))
  const complete = entries.size < MAX_ENTRIES && parts.every((part) => part.complete)
  return { entries: [...entries], generated: [...generated], complete }
}

export function withLinks(built: Built, layer: Layer): Built {
  const [link] = built.entries.length === 0 ? [] : linkOfLayer(layer)
  if (link === undefined) return built
  const entries = built.entries.map((entry) => ({ ...entry, links: [link, ...entry.links] }))
  return { ...built, entries }
}

/** kustomize leaves out what is marked as local configuration. */
export function dropLocal(built: Built): Built {
  const isLocal = ({ object }: Entry): boolean => {
    const mark = at(object.value, ['metadata', 'annotations', 'config.kubernetes.io/local-config'])
    return mark !== undefined && mark !== 'false'
  }
  if (!built.entries.some(isLocal)) return built
  return { ...built, entries: built.entries.filter((entry) => !isLocal(entry)) }
}
