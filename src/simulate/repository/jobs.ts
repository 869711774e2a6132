import { objectAt, stringAt, type JsonObject, type Path } from '../../core/json.ts'
import { isTemplated } from '../../core/templates.ts'
import type { Subject } from '../../ownership/subject.ts'
import { identityOf, type Around, type PartLane } from './part.ts'
import { playable, type Playable } from './playable.ts'

/** The Jobs of a load as they can be applied, with a lane for each, also for those that cannot. */
export interface Jobs {
  readonly objects: readonly JsonObject[]
  readonly lanes: readonly PartLane[]
}

export interface JobsOptions {
  /** Where an object goes that says no namespace. */
  readonly namespace?: string
  /** Of two objects with one name: why the second one is not played. */
  readonly twice?: string
}

export function jobsOf(
  subjects: readonly Subject[],
  around: Pick<Around, 'madeOf'>,
  options: JobsOptions = {},
): Jobs {
  const objects: JsonObject[] = []
  const lanes: PartLane[] = []
  const seen = new Set<string>()
  for (const subject of subjects) {
    const { object, made } = placed(subject, options.namespace, around)
    const lane = { object, subject }
    if ('unknown' in made) {
      lanes.push({ ...lane, unknown: made.unknown })
      continue
    }
    const identity = identityOf(made.object)
    if (seen.has(identity)) {
      lanes.push({ ...lane, unknown: options.twice ?? TWICE })
      continue
    }
    seen.add(identity)
    lanes.push(made.leftOut.length === 0 ? lane : { ...lane, leftOut: made.leftOut })
    objects.push(made.object)
  }
  return { objects, lanes }
}

/** The object in its namespace, and what can be played of it. */
function placed(
  subject: Subject,
  namespace: string | undefined,
  around: Pick<Around, 'madeOf'>,
): { readonly object: JsonObject; readonly made: Playable } {
  const make = (): { object: JsonObject; made: Playable } => {
    const object = inNamespace(subject.object, namespace)
    return { object, made: playable(object, (path: Path) => subject.isOpen(path)) }
  }
  // What rendering may add depends on where the object was written.
  if (subject.manifest.file.openPlaces !== undefined) return make()
  return around.madeOf(subject.object, `placed in ${namespace ?? ''}`, make)
}

const TWICE = 'another object of this name comes from the same carrier, and only one can be applied'

/** A lane for each subject with the same reason. */
export function unknownLanes(
  subjects: readonly Subject[],
  unknown: string,
  namespace?: string,
): readonly PartLane[] {
  return subjects.map((subject) => {
    return { object: inNamespace(subject.object, namespace), subject, unknown }
  })
}

export function inNamespace(object: JsonObject, namespace: string | undefined): JsonObject {
  const metadata = objectAt(object, ['metadata']) ?? {}
  const own = stringAt(metadata, ['namespace'])
  if (namespace === undefined || (own !== undefined && own !== '')) return object
  return { ...object, metadata: { ...metadata, namespace } }
}

/** Namespaces that the objects need. */
export function namespacesOf(objects: readonly JsonObject[], ...more: (string | undefined)[]) {
  const names = objects.map((object) => stringAt(object, ['metadata', 'namespace']))
  return [...new Set([...names, ...more])].filter(
    (name) => name !== undefined && name !== '' && !isTemplated(name),
  ) as readonly string[]
}
