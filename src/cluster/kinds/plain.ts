import type { Kind } from '../api/kind.ts'

/** A kind with nothing of its own: what most kinds have in common, and `own` over it. */
export function plainKind(
  own: Partial<Kind> & Pick<Kind, 'group' | 'version' | 'resource' | 'kind'>,
): Kind {
  return {
    singular: own.kind.toLowerCase(),
    namespaced: true,
    hasStatus: false,
    hasGeneration: false,
    defaultPropagation: 'Background',
    createsOnUpdate: false,
    nameRule: 'subdomain',
    ...own,
  }
}
