import { isObject, objectAt, type JsonObject } from '../core/json.ts'
import { labelsOf } from './job-object.ts'
import { tidied, unlessEmpty } from './merge.ts'
import { labelValue } from './names.ts'
import type { RenderOptions } from './options.ts'
import { present } from './pod.ts'

/** The enabled entries of `configMaps`, sorted by key. */
export function configMapObjects(
  root: JsonObject,
  fullName: string,
  options: RenderOptions,
): readonly JsonObject[] {
  const entries = Object.entries(objectAt(root, ['configMaps']) ?? {})
  return entries
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([key, entry]) => {
      if (!isObject(entry) || entry['enabled'] !== true) return []
      const name = `${fullName}-${key}`
      const own = {
        'app.kubernetes.io/name': labelValue(key),
        'app.kubernetes.io/instance': labelValue(name),
      }
      const metadata = present({
        name,
        namespace: options.release.namespace,
        labels: labelsOf(root, own, fullName, options),
        annotations: unlessEmpty(objectAt(root, ['commonAnnotations'])),
      })
      const data = tidied(entry['data'] ?? {})
      return [{ apiVersion: 'v1', kind: 'ConfigMap', metadata, data }]
    })
}
