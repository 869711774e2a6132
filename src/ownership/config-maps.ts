import { isObject, objectAt, stringAt } from '../core/json.ts'
import { isTemplated } from '../core/templates.ts'
import { bytesOf, findBytes } from '../core/yaml/bytes.ts'
import type { YamlDocument } from '../core/yaml/document.ts'
import type { Origin } from './traced.ts'
import { parent } from './tree.ts'
import { kept, type World } from './world.ts'

export interface DataEntry {
  readonly key: string
  readonly text: string
  readonly origin: Origin
}

/** ConfigMaps of the repository, looked for only when a Kustomization substitutes from one. */
export interface ConfigMaps {
  /** Undefined when there is none of that name, or none that is surely the one meant. */
  data(name: string, namespace: string | undefined, near: string): readonly DataEntry[] | undefined
}

export function createConfigMaps(world: World): ConfigMaps {
  const byName = new Map<string, readonly YamlDocument[]>()
  return {
    data: (name, namespace, near) => {
      const named = kept(byName, name, () => find(name, world)).filter((document) => {
        const own = stringAt(document.value(), ['metadata', 'namespace'])
        return own === undefined || namespace === undefined || own === namespace
      })
      const document = nearest(named, near)
      return document === undefined ? undefined : entriesOf(document)
    },
  }
}

function find(name: string, world: World): readonly YamlDocument[] {
  if (isTemplated(name) || name === '') return []
  const needle = bytesOf(name)
  return world.tree.under('').flatMap((path) => {
    if (!/\.ya?ml$/.test(path)) return []
    const source = world.sourceOf(path)
    if (source === undefined || findBytes(source.bytes, needle, 0) < 0) return []
    return world.documentsIn(path).filter((document) => {
      const value = document.value()
      const kind = stringAt(value, ['kind'])
      return kind === 'ConfigMap' && stringAt(value, ['metadata', 'name']) === name
    })
  })
}

/** Clusters often have one of the same name each: the one that shares most folders counts. */
function nearest(documents: readonly YamlDocument[], near: string): YamlDocument | undefined {
  if (documents.length < 2) return documents[0]
  const shared = documents.map(({ source }) => sharedLength(source.path, near))
  const most = Math.max(...shared)
  const winners = documents.filter((_, index) => shared[index] === most)
  return winners.length === 1 ? winners[0] : undefined
}

function sharedLength(one: string, other: string): number {
  const steps = parent(other).split('/')
  const found = parent(one)
    .split('/')
    .findIndex((step, index) => step !== steps[index])
  return found < 0 ? parent(one).split('/').length : found
}

function entriesOf(document: YamlDocument): readonly DataEntry[] {
  const data = objectAt(document.value(), ['data']) ?? {}
  return Object.entries(data).flatMap(([key, value]) => {
    if (value === undefined || value === null || isObject(value) || typeof value === 'object') {
      return []
    }
    return [{ key, text: String(value), origin: { document, path: ['data', key] } }]
  })
}
