import type { ResourceId } from '../object.ts'

/** Resources that the server itself looks at. */
export const NAMESPACES: ResourceId = { group: '', version: 'v1', resource: 'namespaces' }
export const DEFINITIONS: ResourceId = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  resource: 'customresourcedefinitions',
}
