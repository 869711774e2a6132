import { stringAt, type JsonObject } from '../../core/json.ts'
import type { Applied } from '../../ownership/expand.ts'
import type { Repository, Subject } from '../../ownership/subject.ts'
import { baseName } from '../../ownership/tree.ts'
import type { ClusterOf } from './clusters.ts'
import type { Load } from './part.ts'

/** A load in its cluster. */
export interface PlacedLoad extends Load {
  readonly cluster: string
}

/**
 * Subjects by what applies them: a carrier, a chart that nobody installs, or nobody. In the order of
 * their first subject.
 */
export function loadsOf({ subjects }: Repository, clusterOf: ClusterOf): readonly PlacedLoad[] {
  const loads = new Map<string, Map<unknown, Subject[]>>()
  const order: { readonly cluster: string; readonly subjects: Subject[] }[] = []
  for (const subject of subjects) {
    const cluster = clusterOf(subject)
    let inCluster = loads.get(cluster)
    if (inCluster === undefined) loads.set(cluster, (inCluster = new Map()))
    const key = subject.applied ?? unownedKey(subject)
    const known = inCluster.get(key)
    if (known !== undefined) {
      known.push(subject)
      continue
    }
    const group = [subject]
    inCluster.set(key, group)
    order.push({ cluster, subjects: group })
  }
  return order.map((group) => {
    const [first] = group.subjects
    const applied: Applied | undefined = first?.applied
    return { ...group, applied, carrier: first?.carrier?.object }
  })
}

function unownedKey({ engine, engineGiven, chain }: Subject): string {
  if (engine.id !== 'helm') return `${engine.id} ${String(engineGiven)}`
  return `helm ${chain.find(({ path }) => baseName(path) === 'Chart.yaml')?.path ?? ''}`
}

export interface Identity {
  readonly kind: string
  readonly namespace: string
  readonly name: string | undefined
}

/** As others refer to a carrier; those of Flux are in its own namespace where they say none. */
export function identityOf(carrier: JsonObject | undefined): Identity {
  const kind = stringAt(carrier, ['kind'])
  // A fleet.yaml is no object and may have a name of its own.
  if (kind === undefined)
    return { kind: 'Bundle', namespace: '', name: stringAt(carrier, ['name']) }
  return {
    kind,
    namespace: stringAt(carrier, ['metadata', 'namespace']) ?? 'flux-system',
    name: stringAt(carrier, ['metadata', 'name']),
  }
}
