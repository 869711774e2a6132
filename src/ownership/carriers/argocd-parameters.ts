import { at, isList, isObject, type Json, type JsonObject, type Path } from '../../core/json.ts'

/** What a generator gives a template, nested as Go templates see it. */
export type Parameters = JsonObject

/**
 * The text with every parameter that is known. Of Go templates only plain references are put in
 * (`{{ .path.path }}`, `{{ index .path.segments 1 }}`); functions stay as they are.
 */
export function fillTemplate(text: string, parameters: Parameters, goTemplate: boolean): string {
  if (!text.includes('{{')) return text
  return text.replaceAll(/\{\{-?\s*([\s\S]*?)\s*-?\}\}/g, (whole: string, inner: string) => {
    const path = goTemplate ? goPath(inner) : flatPath(inner)
    const value = path === undefined ? undefined : valueAt(parameters, path, goTemplate)
    return value === undefined || value === null || typeof value === 'object'
      ? whole
      : String(value)
  })
}

/** `.a.b`, `index .a 1 "b"`, `.a.b | default`-free references only. */
function goPath(inner: string): Path | undefined {
  const dotted = /^\.([\w.-]+)$/.exec(inner)
  if (dotted?.[1] !== undefined) return dotted[1].split('.')
  const indexed = /^index\s+\.([\w.-]+)((?:\s+(?:\d+|"[^"]*"))+)$/.exec(inner)
  if (indexed?.[1] === undefined || indexed[2] === undefined) return undefined
  const steps = indexed[2].match(/\d+|"[^"]*"/g) ?? []
  const last = steps.map((step) => (step.startsWith('"') ? step.slice(1, -1) : Number(step)))
  return [...indexed[1].split('.'), ...last]
}

/** `cluster.address`, `path[0]`, `path.basename`; keys may hold dots themselves. */
function flatPath(inner: string): Path | undefined {
  const indexed = /^([\w./-]+)\[(\d+)\]$/.exec(inner)
  if (indexed?.[1] !== undefined) return [indexed[1], 'segments', Number(indexed[2])]
  return /^[\w./-]+$/.test(inner) ? [inner] : undefined
}

function valueAt(parameters: Parameters, path: Path, goTemplate: boolean): Json | undefined {
  if (goTemplate) return at(parameters, path)
  const [first, ...rest] = path
  if (typeof first !== 'string') return undefined
  const steps: Path = [...stepsOf(parameters, first), ...rest]
  const found = at(parameters, steps)
  // Without Go templates `{{path}}` is the path itself.
  return isObject(found) && typeof found['path'] === 'string' ? found['path'] : found
}

/** The way to a dotted name, taking keys that hold dots as they are. */
function stepsOf(value: Json | undefined, name: string): Path {
  if (isObject(value) && value[name] !== undefined) return [name]
  for (let dot = name.indexOf('.'); dot > 0; dot = name.indexOf('.', dot + 1)) {
    const head = name.slice(0, dot)
    const inner = at(value, [head])
    if (isObject(inner) || isList(inner)) return [head, ...stepsOf(inner, name.slice(dot + 1))]
  }
  return [name]
}

/** The parameters of a folder or file that a git generator found. */
export function pathParameters(folder: string, file?: string): JsonObject {
  const segments = folder.split('/').filter((step) => step !== '')
  const basename = segments.at(-1) ?? ''
  return {
    path: folder,
    basename,
    basenameNormalized: normalized(basename),
    segments,
    ...(file === undefined ? {} : { filename: file, filenameNormalized: normalized(file) }),
  }
}

function normalized(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9.-]/g, '-')
    .slice(0, 253)
    .replaceAll(/^[-.]+|[-.]+$/g, '')
}

/** The later set wins, mappings are merged. */
export function mergeParameters(one: Parameters, other: Parameters): Parameters {
  const merged: Record<string, Json | undefined> = { ...one }
  for (const [key, value] of Object.entries(other)) {
    const before = merged[key]
    merged[key] = isObject(before) && isObject(value) ? mergeParameters(before, value) : value
  }
  return merged
}
