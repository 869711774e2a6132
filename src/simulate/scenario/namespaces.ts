import { stringAt } from '../../core/json.ts'
import { objectsOf } from '../trace/manifests.ts'
import type { Files } from './stage.ts'

/** The namespaces that objects of the files are in, or are sent to. */
export function namespacesOf(files: Files): ReadonlySet<string> {
  const names = new Set<string>()
  for (const [path, text] of Object.entries(files)) {
    if (!/\.ya?ml$/.test(path) || path.includes('templates/')) continue
    for (const object of objectsOf(path, text)) {
      const own = stringAt(object, ['metadata', 'namespace'])
      const target =
        stringAt(object, ['spec', 'targetNamespace']) ??
        stringAt(object, ['spec', 'destination', 'namespace'])
      // Of a kustomization.yaml and of a fleet.yaml.
      const ofAll = stringAt(object, ['namespace']) ?? stringAt(object, ['defaultNamespace'])
      for (const name of [own, target, ofAll]) {
        if (name !== undefined && !name.includes('{{')) names.add(name)
      }
    }
  }
  for (const known of ['default', 'kube-system', 'kube-public', 'kube-node-lease']) {
    names.delete(known)
  }
  return names
}
