import { apiDurationSeconds, positiveSeconds } from '../../../engines/duration.ts'
import { isObject, listAt, objectAt, stringAt, type JsonObject } from '../../../core/json.ts'
import { SOURCE_RESOURCES } from '../../engines/kustomize-controller/kinds.ts'
import { jobsOf, namespacesOf, unknownLanes } from '../jobs.ts'
import { folderOf, picked, templatedField, type Around, type Load, type Part } from '../part.ts'

const KIND = 'Kustomization'
const NAMESPACE = 'flux-system'

/** What decides about running. All else is in the objects already, or is about other objects. */
const FIELDS = [
  'interval',
  'retryInterval',
  'timeout',
  'force',
  'wait',
  'prune',
  'suspend',
  'deletionPolicy',
  'sourceRef',
]

/**
 * A Flux Kustomization over a folder of its own. Patches, names, substitution and common metadata
 * are done. What it depends on counts where that carries Jobs too; else it is taken to be ready.
 */
export function fluxKustomization(load: Load, around: Around): Part {
  const { carrier, subjects } = load
  const metadata = objectAt(carrier, ['metadata']) ?? {}
  const namespace = stringAt(metadata, ['namespace']) ?? NAMESPACE
  const name = stringAt(metadata, ['name']) ?? 'unnamed'
  const spec = picked(objectAt(carrier, ['spec']), FIELDS)
  const unknown = unplayable(spec)
  if (unknown !== undefined) {
    return { kind: STAGE, carriers: [], files: {}, lanes: unknownLanes(subjects, unknown) }
  }
  const jobs = jobsOf(subjects, around, { namespace: 'default', twice: TWICE })
  const folder = `${namespace}.${name}`
  const dependsOn = dependenciesOf(KIND, load.carrier, namespace, around)
  const healthChecks = checksOf(carrier, jobs.objects)
  const source = sourceOf(spec)
  const object: JsonObject = {
    apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
    kind: KIND,
    metadata: { ...picked(metadata, ['labels', 'annotations']), name, namespace },
    spec: {
      ...spec,
      sourceRef: source,
      path: `./${folder}`,
      ...(dependsOn.length === 0 ? {} : { dependsOn }),
      ...(healthChecks.length === 0 ? {} : { healthChecks }),
    },
  }
  return {
    kind: STAGE,
    carriers: [object],
    files: folderOf(folder, jobs.objects, around),
    lanes: jobs.lanes,
    namespaces: namespacesOf(jobs.objects, namespace, stringAt(source, ['namespace'])),
  }
}

const STAGE = 'flux-kustomization'
const TWICE = 'another object of this name is in the same Kustomization, which kustomize refuses'

function unplayable(spec: JsonObject): string | undefined {
  const open = templatedField(spec)
  if (open !== undefined) return `${open.field} is ${open.text}, which only rendering can tell`
  const { interval } = spec
  if (interval === undefined)
    return 'its Kustomization has no spec.interval, so no cluster takes it'
  if (positiveSeconds(apiDurationSeconds(interval)) === undefined) {
    return `spec.interval ${JSON.stringify(interval)} is no duration above zero`
  }
  return undefined
}

/** A source of a kind that the model does not know has the revisions of a GitRepository. */
function sourceOf(spec: JsonObject): JsonObject {
  const given = objectAt(spec, ['sourceRef'])
  const kind = stringAt(given, ['kind']) ?? ''
  return {
    name: NAMESPACE,
    ...given,
    kind: SOURCE_RESOURCES.has(kind) ? kind : 'GitRepository',
  }
}

/** Checks of objects that nobody plays are taken for passed. */
function checksOf(
  carrier: JsonObject | undefined,
  objects: readonly JsonObject[],
): readonly JsonObject[] {
  return listAt(carrier, ['spec', 'healthChecks'])
    .filter(isObject)
    .filter((check) =>
      objects.some(
        (object) =>
          check['kind'] === object['kind'] &&
          check['name'] === stringAt(object, ['metadata', 'name']) &&
          (stringAt(check, ['namespace']) ?? 'default') ===
            stringAt(object, ['metadata', 'namespace']),
      ),
    )
}

/**
 * What the carrier depends on, as far as it is played in the same cluster. One that carries no Job
 * stands for what it depends on itself. A circle stays one: nothing in it is ever applied.
 */
export function dependenciesOf(
  kind: string,
  carrier: JsonObject | undefined,
  namespace: string,
  around: Around,
): readonly JsonObject[] {
  const found = new Map<string, JsonObject>()
  const seen = new Set<string>()
  const follow = (from: JsonObject | undefined, home: string): void => {
    for (const one of listAt(from, ['spec', 'dependsOn']).filter(isObject)) {
      const name = stringAt(one, ['name']) ?? ''
      const own = stringAt(one, ['namespace']) ?? home
      const key = `${own}/${name}`
      if (seen.has(key)) continue
      seen.add(key)
      if (around.isPlayed(kind, own, name)) found.set(key, { namespace: own, name })
      else follow(around.carrierNamed(kind, own, name), own)
    }
  }
  follow(carrier, namespace)
  return [...found.values()]
}
