import {
  at,
  isList,
  isObject,
  listAt,
  objectAt,
  stringAt,
  type JsonObject,
  type Path,
} from '../../core/json.ts'
import { isTemplated } from '../../core/templates.ts'
import { isTracedObject, originOf, setAt, setField, type Origin, type Traced } from '../traced.ts'
import type { ImageEntry, LabelEntry, Sourced } from './fields.ts'

/** Where the pod template stands in a Job or CronJob. */
function templatePath(object: JsonObject): Path {
  return object['kind'] === 'CronJob'
    ? ['spec', 'jobTemplate', 'spec', 'template']
    : ['spec', 'template']
}

/** The images of containers and init containers, as kustomize's `images` rewrites them. */
export function replaceImages(
  object: Traced<JsonObject>,
  images: readonly ImageEntry[],
): Traced<JsonObject> {
  let now = object
  for (const image of images) {
    for (const field of ['containers', 'initContainers']) {
      const path: Path = [...templatePath(object.value), 'spec', field]
      for (const [index] of listAt(now.value, path).entries()) {
        const there: Path = [...path, index, 'image']
        const before = stringAt(now.value, there)
        const after = before === undefined ? undefined : replaceImage(before, image)
        if (after !== undefined && after !== before) now = setField(now, there, after, image.origin)
      }
    }
  }
  return now
}

/** The new text of an image, or undefined when the entry is for another one. */
export function replaceImage(text: string, entry: ImageEntry): string | undefined {
  const { name, tag, digest } = splitImage(text)
  if (name !== entry.name || isTemplated(text)) return undefined
  const replaces = entry.newTag !== undefined || entry.digest !== undefined
  const suffixed = !replaces && entry.tagSuffix !== undefined
  const newTag = replaces ? entry.newTag : suffixed ? `${tag ?? ''}${entry.tagSuffix}` : tag
  const newDigest = replaces ? entry.digest : suffixed ? undefined : digest
  return `${entry.newName ?? name}${newTag === undefined ? '' : `:${newTag}`}${
    newDigest === undefined ? '' : `@${newDigest}`
  }`
}

/** A colon before the last slash belongs to a port, not to a tag. */
export function splitImage(text: string): {
  readonly name: string
  readonly tag?: string
  readonly digest?: string
} {
  const sign = text.indexOf('@')
  const digest = sign < 0 ? undefined : text.slice(sign + 1)
  const rest = sign < 0 ? text : text.slice(0, sign)
  const colon = rest.lastIndexOf(':')
  const tagged = colon > rest.lastIndexOf('/')
  return {
    name: tagged ? rest.slice(0, colon) : rest,
    ...(tagged ? { tag: rest.slice(colon + 1) } : {}),
    ...(digest === undefined ? {} : { digest }),
  }
}

/** Labels of the object and, where the entry says so, of the pod template and selectors. */
export function addLabels(object: Traced<JsonObject>, entry: LabelEntry): Traced<JsonObject> {
  const template = templatePath(object.value)
  const selector: Path = [...template.slice(0, -1), 'selector', 'matchLabels']
  const paths: Path[] = [['metadata', 'labels']]
  if (entry.templates) {
    paths.push([...template, 'metadata', 'labels'])
    if (template.length > 2) paths.push(['spec', 'jobTemplate', 'metadata', 'labels'])
  }
  if (entry.selectors && objectAt(object.value, selector) !== undefined) paths.push(selector)
  return addPairs(object, paths, entry.pairs)
}

/** `commonAnnotations` reach the pod template too. */
export function addAnnotations(
  object: Traced<JsonObject>,
  pairs: Sourced<JsonObject>,
): Traced<JsonObject> {
  const template = templatePath(object.value)
  const paths: Path[] = [
    ['metadata', 'annotations'],
    [...template, 'metadata', 'annotations'],
  ]
  if (template.length > 2) paths.push(['spec', 'jobTemplate', 'metadata', 'annotations'])
  return addPairs(object, paths, pairs)
}

/** Labels or annotations at each of the paths; mappings are created where there are none. */
export function addPairs(
  object: Traced<JsonObject>,
  paths: readonly Path[],
  pairs: Sourced<JsonObject>,
): Traced<JsonObject> {
  let now = object
  for (const path of paths) {
    for (const [key, value] of Object.entries(pairs.value)) {
      if (value === undefined || value === null || isObject(value) || isList(value)) continue
      const { document, path: root } = pairs.origin
      now = created(now, [...path, key], String(value), { document, path: [...root, key] })
    }
  }
  return now
}

function created(
  object: Traced<JsonObject>,
  path: Path,
  value: string,
  origin: Origin,
): Traced<JsonObject> {
  // `metadata: null` and the like stand for an empty mapping.
  let now: Traced = object
  for (let length = 1; length < path.length; length += 1) {
    const part = path.slice(0, length)
    if (at(now.value, part) === null) now = setAt(now, part, {}, originOf(now, part)) ?? now
  }
  const after = setAt(now, path, value, origin)
  return after !== undefined && isTracedObject(after) ? after : object
}
