import type { Kind } from '../../../cluster/api/kind.ts'

/** Custom resources of Argo CD as its definitions serve them: status is a field like any other. */
export const applicationKinds: readonly Kind[] = [
  kindOf('Application', ['app', 'apps']),
  kindOf('AppProject', ['appproj', 'appprojs']),
]

function kindOf(kind: string, shortNames: readonly string[]): Kind {
  const singular = kind.toLowerCase()
  return {
    group: 'argoproj.io',
    version: 'v1alpha1',
    resource: `${singular}s`,
    kind,
    singular,
    shortNames,
    namespaced: true,
    hasStatus: false,
    hasGeneration: true,
    defaultPropagation: 'Background',
    createsOnUpdate: false,
    nameRule: 'subdomain',
  }
}
