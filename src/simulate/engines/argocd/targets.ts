import type { JsonObject } from '../../../core/json.ts'
import { readArgoHook } from '../../../engines/hooks.ts'
import type { Kind } from '../../../cluster/api/kind.ts'
import { keyOf, placeOf, tracked, type Place } from './tracking.ts'

/** An object as Git says it, with namespace and tracking id. */
export interface Target {
  readonly place: Place
  readonly key: string
  readonly object: JsonObject
}

/** What the manifests of a revision mean for one app. */
export interface Targets {
  /** In the order of their keys. */
  readonly plain: readonly Target[]
  /** Hooks of all phases as Git says them. */
  readonly hooks: readonly JsonObject[]
}

interface AppPlace {
  readonly name: string
  readonly namespace: string
}

/** Finds them once for each rendering: the same manifests are compared again and again. */
export class TargetFinder {
  readonly #kindOf: (object: JsonObject) => Kind | undefined
  readonly #known = new WeakMap<readonly JsonObject[], Map<string, Targets>>()

  constructor(kindOf: (object: JsonObject) => Kind | undefined) {
    this.#kindOf = kindOf
  }

  find(objects: readonly JsonObject[], app: AppPlace): Targets {
    const key = `${app.name} ${app.namespace}`
    let known = this.#known.get(objects)
    if (known === undefined) {
      known = new Map()
      this.#known.set(objects, known)
    }
    let targets = known.get(key)
    if (targets === undefined) {
      targets = this.#make(objects, app)
      known.set(key, targets)
    }
    return targets
  }

  #make(objects: readonly JsonObject[], { name, namespace }: AppPlace): Targets {
    const hooks: JsonObject[] = []
    const plain = new Map<string, Target>()
    for (const object of objects) {
      const reading = readArgoHook(object)
      if (reading.kind === 'hook') hooks.push(object)
      const kind = reading.kind === 'none' ? this.#kindOf(object) : undefined
      if (kind === undefined) continue
      const target = tracked(object, kind, name, namespace)
      const place = placeOf(target, kind)
      const key = keyOf(place)
      plain.set(key, { place, key, object: target })
    }
    return { plain: [...plain.values()].sort(byKey), hooks }
  }
}

export function byKey(one: { readonly key: string }, other: { readonly key: string }): number {
  return one.key < other.key ? -1 : 1
}
