import { isSame } from './values.ts'
import type { JsonObject } from '../core/json.ts'
import { manifestsOf, type Manifest } from '../core/manifest.ts'
import { annotationOf, FOLLOW } from './annotations.ts'
import { firstFilledIn, listedObjects } from './embedded.ts'
import { parseFollow, wantedObjects, type FindConfig } from './follow.ts'
import { NameFinder } from './names-in-bytes.ts'
import { readerOf, readPart, type Part } from './parts.ts'
import type { ConfigKind } from './pod-reads.ts'
import type { StampOptions } from './stamp-types.ts'
import type { Target } from './targets.ts'

interface Config {
  readonly object: JsonObject
  readonly namespace: string | undefined
  readonly file: number
}

/** The ConfigMaps and Secrets of the stream that somebody follows; the others are not read. */
export class ConfigIndex {
  private readonly byName = new Map<string, Config[]>()

  constructor(parts: readonly Part[], targets: readonly Target[], options: StampOptions) {
    const names = new Set(targets.flatMap(followedNames))
    if (names.size === 0) return
    const finder = new NameFinder(names)
    const reader = readerOf(options)
    for (const part of parts) {
      if (part.holds === 'other' || !finder.isIn(part.source.bytes)) continue
      const manifests = manifestsOf(readPart(part, reader))
      const all = [...manifests, ...manifests.flatMap(listedConfigs)]
      for (const { kind, apiVersion, name, namespace, object } of all) {
        if ((kind !== 'ConfigMap' && kind !== 'Secret') || apiVersion !== 'v1') continue
        if (name === undefined || !names.has(name)) continue
        const key = `${kind}/${name}`
        const before = this.byName.get(key) ?? []
        this.byName.set(key, [...before, { object, namespace, file: part.file }])
      }
    }
  }

  /** As a Job sees them: in its namespace, and its own file before others. */
  findFor(target: Target): FindConfig {
    return (kind: ConfigKind, name: string) => {
      let left: readonly Config[] = (this.byName.get(`${kind}/${name}`) ?? []).filter(
        ({ namespace }) =>
          namespace === undefined ||
          target.namespace === undefined ||
          namespace === target.namespace,
      )
      for (const isCloser of [
        (config: Config) => config.namespace === target.namespace,
        (config: Config) => config.file === target.part.file,
      ]) {
        const closer = left.filter(isCloser)
        if (closer.length > 0) left = closer
      }
      const [first, ...rest] = left
      if (first === undefined) return undefined
      return rest.every(({ object }) => isSame(object, first.object)) ? first.object : 'twice'
    }
  }
}

/** Those in a ResourceSet, but for what is filled in or copied in the cluster. */
function listedConfigs(manifest: Manifest): readonly Manifest[] {
  return listedObjects(manifest).flatMap(({ manifest: listed }) => {
    const isCopy = COPY_FROM.some((key) => annotationOf(listed.object, key) !== undefined)
    return isCopy || firstFilledIn(listed.object) !== undefined ? [] : [listed]
  })
}

const COPY_FROM = ['fluxcd.controlplane.io/copyFrom', 'semel.dev/copyFrom']

function followedNames({ manifest, choice }: Target): readonly string[] {
  if (choice.kind !== 'stamp') return []
  const text = annotationOf(manifest.object, FOLLOW)
  const wishes = text === undefined ? undefined : parseFollow(text)
  return wantedObjects(manifest.object, wishes ?? []).map(({ name }) => name)
}
