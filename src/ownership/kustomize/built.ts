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

/** More copies than this of one object come from kustomizations that double each other. */
const MAX_COPIES = 100

/** Parts together; what is listed twice counts once, as kustomize would refuse it. */
export function joined(parts: readonly Built[]): Built {
  const [only] = parts
  if (parts.length === 1 && only !== undefined) return only
  const entries = new Set(parts.flatMap((part) => part.entries))
  const generated = new Set(parts.flatMap((part) => part.generated))
  const kept = entries.size > MAX_COPIES ? withoutCopies(entries) : [...entries]
  const complete = kept.length === entries.size && parts.every((part) => part.complete)
  return { entries: kept, generated: [...generated], complete }
}

function withoutCopies(entries: Iterable<Entry>): readonly Entry[] {
  const copies = new Map<Manifest, number>()
  return [...entries].filter(({ manifest }) => {
    const count = (copies.get(manifest) ?? 0) + 1
    copies.set(manifest, count)
    return count <= MAX_COPIES
  })
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
