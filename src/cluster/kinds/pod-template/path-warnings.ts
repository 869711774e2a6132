import type { JsonObject } from '../../../core/json.ts'
import { goQuote } from '../../api/go-text.ts'
import { objectOf, objectsOf, textOf } from '../complaints.ts'

interface Mapped {
  readonly path: string
  readonly source: string
}

/** Two keys of one volume in one file, or one in the folder that the other one is. */
export function pathWarnings(spec: JsonObject): readonly string[] {
  return objectsOf(spec, 'volumes').flatMap((volume) => {
    const name = goQuote(textOf(volume, 'name'))
    const say = (what: string, text: string): string =>
      `volume ${name} (${what}): overlapping paths: ${text}`
    const configMap = objectOf(volume, 'configMap')
    const secret = objectOf(volume, 'secret')
    const configName = goQuote(textOf(configMap, 'name'))
    const secretName = goQuote(textOf(secret, 'secretName'))
    return [
      ...overlaps(pathsOf(configMap, '')).map((text) => say(`ConfigMap ${configName}`, text)),
      ...overlaps(pathsOf(secret, '')).map((text) => say(`Secret ${secretName}`, text)),
      ...overlaps(pathsOf(objectOf(volume, 'downwardAPI'), '')).map((text) =>
        say('DownwardAPI', text),
      ),
      ...projectedWarnings(objectOf(volume, 'projected'), name, say),
    ]
  })
}

function projectedWarnings(
  projected: JsonObject | undefined,
  name: string,
  say: (what: string, text: string) => string,
): readonly string[] {
  const warnings: string[] = []
  const all: Mapped[] = []
  for (const source of objectsOf(projected, 'sources')) {
    if (Object.keys(source).length === 0) {
      warnings.push(`volume ${name} (Projected) has no sources provided`)
    }
    all.push(...projectionPaths(source))
  }
  return [...warnings, ...overlaps(all).map((text) => say('Projected', text))]
}

function projectionPaths(source: JsonObject): readonly Mapped[] {
  const configMap = objectOf(source, 'configMap')
  const secret = objectOf(source, 'secret')
  const downward = objectOf(source, 'downwardAPI')
  const token = objectOf(source, 'serviceAccountToken')
  if (configMap?.['items'] !== undefined) {
    return pathsOf(configMap, `ConfigMap ${goQuote(textOf(configMap, 'name'))}`)
  }
  if (secret?.['items'] !== undefined) {
    return pathsOf(secret, `Secret ${goQuote(textOf(secret, 'name'))}`)
  }
  if (downward?.['items'] !== undefined) return pathsOf(downward, 'DownwardAPI')
  if (token === undefined) return []
  return [{ path: textOf(token, 'path'), source: 'ServiceAccountToken' }]
}

function pathsOf(source: JsonObject | undefined, from: string): readonly Mapped[] {
  return objectsOf(source, 'items').map((item) => ({ path: textOf(item, 'path'), source: from }))
}

function overlaps(mapped: readonly Mapped[]): readonly string[] {
  const found: string[] = []
  const seen: Mapped[] = []
  for (const { path: written, source } of mapped) {
    const one = { path: written.replace(/\/+$/, ''), source }
    for (const other of seen) if (meet(one, other)) found.push(`${text(one)} with ${text(other)}`)
    seen.push(one)
  }
  return found
}

function meet(one: Mapped, other: Mapped): boolean {
  if (one.path === '' || other.path === '') return false
  return `${one.path}/`.startsWith(`${other.path}/`) || `${other.path}/`.startsWith(`${one.path}/`)
}

function text({ path, source }: Mapped): string {
  return source === '' ? goQuote(path) : `${goQuote(path)} (${source})`
}
