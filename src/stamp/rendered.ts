import { isList, isObject, type Json, type JsonObject, type Path } from '../core/json.ts'
import { bytesOf, findBytes } from '../core/yaml/bytes.ts'
import { actionsOf } from '../core/templates.ts'
import { annotationOf, FOLLOW, SALT, STAMP, WAS } from './annotations.ts'

export interface Unrendered {
  readonly path: Path
  /** `${IMAGE_TAG}`. */
  readonly action: string
}

/** False when no text in the bytes can be one that something still has to replace. */
export function mayBeUnrendered(bytes: Uint8Array): boolean {
  return OPENERS.some((opener) => findBytes(bytes, opener, 0) >= 0)
}

const OPENERS = ['{{', '${', '<<'].map(bytesOf)

/**
 * The first text of a Job that only rendering can turn into a value. Undefined when the Job is
 * what the cluster will see.
 *
 * In a rendered stream an action that is left in free text (arguments, values of variables) is the
 * program's own business; in a field that can hold no such text (an image, a name) it shows that
 * the stream is not rendered after all. In files both may still be replaced, but for `${ }` where
 * Flux is told to leave the object alone, and for a here-document, which only looks like `<< >>`.
 */
export function firstUnrendered(object: JsonObject, isRendered: boolean): Unrendered | undefined {
  const search: Search = { isRendered, keepsVariables: isSubstitutionOff(object) }
  const { metadata, spec } = object
  for (const key of ['name', 'generateName', 'namespace']) {
    const found = inText(isObject(metadata) ? metadata[key] : undefined, ['metadata', key], search)
    if (found !== undefined) return found
  }
  for (const key of [STAMP, FOLLOW, WAS, SALT]) {
    const path = ['metadata', 'annotations', key]
    const found = inText(annotationOf(object, key), path, search)
    if (found !== undefined) return found
  }
  return below(spec, ['spec'], false, search)
}

interface Search {
  readonly isRendered: boolean
  readonly keepsVariables: boolean
}

/** Fields whose text nobody but the program reads. */
const FREE_TEXT: ReadonlySet<string> = new Set(['annotations', 'args', 'command', 'env'])

function below(
  value: Json | undefined,
  path: Path,
  isFree: boolean,
  search: Search,
): Unrendered | undefined {
  if (typeof value === 'string')
    return isFree ? inFreeText(value, path, search) : inText(value, path, search)
  if (isList(value)) {
    for (const [index, item] of value.entries()) {
      const found = below(item, [...path, index], isFree, search)
      if (found !== undefined) return found
    }
    return undefined
  }
  if (!isObject(value)) return undefined
  for (const [key, item] of Object.entries(value)) {
    const here = [...path, key]
    const found =
      inText(key, here, search) ?? below(item, here, isFree || FREE_TEXT.has(key), search)
    if (found !== undefined) return found
  }
  return undefined
}

function inText(
  value: Json | undefined,
  path: Path,
  { keepsVariables }: Search,
): Unrendered | undefined {
  if (typeof value !== 'string') return undefined
  const action = actionsOf(value).find((text) => !(keepsVariables && text.startsWith('${')))
  return action === undefined ? undefined : { path, action }
}

function inFreeText(value: string, path: Path, search: Search): Unrendered | undefined {
  if (search.isRendered) return undefined
  const action = actionsOf(value).find(
    (text) =>
      !(search.keepsVariables && text.startsWith('${')) &&
      !(text.startsWith('<<') && !INPUT_ACTION.test(text)),
  )
  return action === undefined ? undefined : { path, action }
}

/** `<< inputs.tag >>`, `<<- range $x := inputs.list >>`. */
const INPUT_ACTION = /^<<-?\s*(?:inputs\.|range\b|if\b|else\b|end\b|with\b|define\b|include\b|\$)/

const SUBSTITUTE = 'kustomize.toolkit.fluxcd.io/substitute'

function isSubstitutionOff(object: JsonObject): boolean {
  const { metadata } = object
  if (!isObject(metadata)) return false
  return ['annotations', 'labels'].some((part) => {
    const map = metadata[part]
    return isObject(map) && map[SUBSTITUTE] === 'disabled'
  })
}
