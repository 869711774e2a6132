import { stringAt } from '../core/json.ts'
import { isTemplated } from '../core/templates.ts'
import type { Companion, Subject } from '../ownership/subject.ts'
import { namespaceOf } from './chain.ts'
import { guardsOf, isRebound } from './guards.ts'
import { nameKey, type Reference } from './references.ts'

/** What an object brings into the cluster: itself, or a Secret that a controller makes of it. */
export interface Provided {
  readonly kind: string
  readonly names: readonly string[]
}

export function providedBy(companion: Companion): Provided {
  const { kind, names, object, manifest } = companion
  const maker = MAKERS.find((one) => one.kind === kind && manifest.apiVersion.startsWith(one.group))
  const policy = stringAt(object, ['spec', 'target', 'creationPolicy'])
  // It then adds to a Secret of somebody else, or to none.
  if (maker === undefined || policy === 'Merge' || policy === 'None') return { kind, names }
  const given = stringAt(object, maker.target)
  return { kind: 'Secret', names: given === undefined && maker.ownName ? names : [given ?? ''] }
}

/** `ExternalSecret db`. */
export function companionLabel({ kind, object }: Companion): string {
  const name = stringAt(object, ['metadata', 'name']) ?? '(no name)'
  return `${kind} ${name}`
}

const MAKERS: readonly {
  readonly kind: string
  readonly group: string
  readonly target: readonly string[]
  /** Without a target the Secret is called like the object. */
  readonly ownName: boolean
}[] = [
  {
    kind: 'ExternalSecret',
    group: 'external-secrets.io/',
    target: ['spec', 'target', 'name'],
    ownName: true,
  },
  {
    kind: 'SealedSecret',
    group: 'bitnami.com/',
    target: ['spec', 'template', 'metadata', 'name'],
    ownName: true,
  },
  {
    kind: 'Certificate',
    group: 'cert-manager.io/',
    target: ['spec', 'secretName'],
    ownName: false,
  },
]

/**
 * Whether the object is what a reference of the subject names. Templated names are equal when
 * their texts are, except in loops, where one text stands for several names.
 */
export function provides(
  companion: Companion,
  { kind, name }: Pick<Reference, 'kind' | 'name'>,
  subject: Subject,
): boolean {
  const provided = providedBy(companion)
  if (provided.kind !== kind || !sameNamespace(companion, subject)) return false
  const key = nameKey(name)
  if (!provided.names.some((one) => nameKey(one) === key)) return false
  return !isTemplated(name) || !isRebound(guardsOf(companion.manifest, ['kind']))
}

export function sameNamespace({ object }: Companion, subject: Subject): boolean {
  const there = stringAt(object, ['metadata', 'namespace'])
  const here = namespaceOf(subject)
  return here === undefined || there === undefined || isTemplated(there) || there === here
}
