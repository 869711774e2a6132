import { booleanAt, listAt, objectAt, stringAt, type JsonObject } from '../../../core/json.ts'
import { isTemplated } from '../../../core/templates.ts'
import { createConfigMaps } from '../../../ownership/config-maps.ts'
import { KUSTOMIZATION_NAMES } from '../../../ownership/kustomize/build.ts'
import { parent, resolvePath } from '../../../ownership/tree.ts'
import { merged, valuesAt, valuesIn } from '../charts.ts'
import { readText } from '../others.ts'
import type { Around, Load } from '../part.ts'

/**
 * The values of a HelmRelease: `valuesFrom` in its order, then `values`; or why they are not known.
 * ConfigMaps are looked for in the repository, also those that a kustomization makes of files.
 */
export function releaseValues({ carrier, applied }: Load, around: Around): JsonObject | string {
  const near = applied?.carrier.path ?? ''
  const namespace = stringAt(carrier, ['metadata', 'namespace'])
  const parts: JsonObject[] = []
  for (const reference of listAt(carrier, ['spec', 'valuesFrom'])) {
    const kind = stringAt(reference, ['kind']) ?? ''
    const name = stringAt(reference, ['name']) ?? ''
    const key = stringAt(reference, ['valuesKey']) ?? 'values.yaml'
    const text = kind === 'ConfigMap' ? textOf(name, key, { namespace, near, around }) : undefined
    if (text === undefined) {
      if (kind === 'Secret' || booleanAt(reference, ['optional']) !== true) {
        return `values come from the ${kind} ${name}, which is not in this repository`
      }
      return `values may come from the ${kind} ${name}, which is not in this repository`
    }
    const path = stringAt(reference, ['targetPath'])
    parts.push(path === undefined ? valuesIn(text, around) : valuesAt(path, text, false))
  }
  const own = objectAt(carrier, ['spec', 'values']) ?? {}
  const open = templated(own)
  if (open !== undefined) return `a value is ${open}, which only the cluster can tell`
  return merged([...parts, own])
}

/** Flux substitutes in values too, so what looks like a variable is one. */
function templated(value: unknown): string | undefined {
  if (typeof value === 'string') return isTemplated(value) ? value : undefined
  if (typeof value !== 'object' || value === null) return undefined
  for (const item of Object.values(value)) {
    const found = templated(item)
    if (found !== undefined) return found
  }
  return undefined
}

interface Place {
  readonly namespace: string | undefined
  readonly near: string
  readonly around: Around
}

function textOf(name: string, key: string, place: Place): string | undefined {
  const { namespace, near, around } = place
  const entries = createConfigMaps(around.world).data(name, namespace, near)
  const found = entries?.find((entry) => entry.key === key)
  return found?.text ?? generatedText(name, key, place)
}

/** A file of a configMapGenerator; with several of one name, that of the carrier's own folder. */
function generatedText(name: string, key: string, { near, around }: Place): string | undefined {
  const { world } = around
  const home = parent(world.tree.below(near))
  const found = world.tree.named(...KUSTOMIZATION_NAMES).flatMap((file) => {
    const document = world.documentsIn(file)[0]
    const folder = parent(file)
    return listAt(document?.value(), ['configMapGenerator'])
      .filter((generator) => stringAt(generator, ['name']) === name)
      .flatMap((generator) => listAt(generator, ['files']))
      .flatMap((entry) => {
        const [first = '', second] = typeof entry === 'string' ? entry.split('=') : []
        const path = resolvePath(folder, second ?? first)
        const own = second === undefined ? first.slice(first.lastIndexOf('/') + 1) : first
        return own === key && path !== undefined ? [{ folder, path }] : []
      })
  })
  const chosen =
    found.find(({ folder }) => folder === home) ?? (found.length === 1 ? found[0] : undefined)
  return chosen === undefined ? undefined : readText(chosen.path, around)
}
