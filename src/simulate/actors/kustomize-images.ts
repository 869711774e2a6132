import { isList, isObject, type Json, type JsonObject } from '../../core/json.ts'
import { imageOf, imageText } from './image.ts'

/**
 * What kustomize makes of `images` as Argo CD writes them (`name=other:1.2`, `name:1.2`,
 * `name@sha256:…`): in every container of the objects, an image of that name gets the new one.
 */
export function withKustomizeImages(
  objects: readonly JsonObject[],
  images: readonly string[],
): readonly JsonObject[] {
  if (images.length === 0) return objects
  return objects.map((object) => walked(object, images) as JsonObject)
}

function walked(value: Json, images: readonly string[]): Json {
  if (isList(value)) return value.map((one) => walked(one, images))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => {
      if ((key === 'containers' || key === 'initContainers') && isList(one)) {
        return [key, one.map((container) => withImage(container, images))]
      }
      return [key, one === undefined ? one : walked(one, images)]
    }),
  )
}

function withImage(container: Json, images: readonly string[]): Json {
  if (!isObject(container) || typeof container['image'] !== 'string') return container
  return { ...container, image: images.reduce(replaced, container['image']) }
}

function replaced(image: string, entry: string): string {
  const equals = entry.indexOf('=')
  const wanted = imageOf(entry.slice(equals + 1))
  const name = equals < 0 ? wanted.repository : entry.slice(0, equals)
  const present = imageOf(image)
  if (present.repository !== name) return image
  const isNew = wanted.tag !== undefined || wanted.digest !== undefined
  return imageText(isNew ? wanted : { ...present, repository: wanted.repository })
}

/** The entry of a list of such images that is about a repository. */
export function entryOf(images: readonly string[], repository: string): string | undefined {
  return images.find(
    (entry) => imageOf(entry.slice(entry.indexOf('=') + 1)).repository === repository,
  )
}
