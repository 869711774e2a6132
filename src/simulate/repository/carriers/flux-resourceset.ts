import { isObject, listAt, objectAt, stringAt, type JsonObject } from '../../../core/json.ts'
import { literalParts } from '../../../core/templates.ts'
import type { Subject } from '../../../ownership/subject.ts'
import { build, type BuiltStep } from '../../engines/flux-operator/build.ts'
import { stepsOf } from '../../engines/flux-operator/settings.ts'
import { isJob } from '../charts.ts'
import { inNamespace, jobsOf, namespacesOf, unknownLanes } from '../jobs.ts'
import {
  picked,
  templatedField,
  type Around,
  type Load,
  type Part,
  type PartLane,
  type PartNote,
} from '../part.ts'

const STAGE = 'flux-resourceset'
const KIND = 'ResourceSet'
const GROUP = 'fluxcd.controlplane.io'
const NAMESPACE = 'flux-system'

/**
 * A ResourceSet with the Jobs of its steps as its inputs make them. Inputs that a provider brings
 * are not known: then the Jobs stand in it as they are written.
 */
export function fluxResourceSet(load: Load, around: Around): Part {
  const { carrier, subjects } = load
  const metadata = objectAt(carrier, ['metadata']) ?? {}
  const namespace = stringAt(metadata, ['namespace']) ?? NAMESPACE
  const name = stringAt(metadata, ['name']) ?? 'unnamed'
  const open = templatedField(metadata['annotations'], 'metadata.annotations')
  if (open !== undefined) {
    const unknown = `${open.field} is ${open.text}, which only rendering can tell`
    return {
      kind: STAGE,
      carriers: [],
      files: {},
      lanes: unknownLanes(subjects, unknown, namespace),
    }
  }
  const work = builtWork(load, namespace, around) ?? writtenWork(load, namespace, around)
  const spec = objectAt(carrier, ['spec']) ?? {}
  const dependsOn = listAt(spec, ['dependsOn'])
    .filter(isObject)
    .filter(
      (one) =>
        one['kind'] === KIND &&
        around.isPlayed(
          KIND,
          stringAt(one, ['namespace']) ?? namespace,
          stringAt(one, ['name']) ?? '',
        ),
    )
  const object: JsonObject = {
    apiVersion: `${GROUP}/v1`,
    kind: KIND,
    metadata: { ...picked(metadata, ['labels', 'annotations']), name, namespace },
    spec: {
      ...picked(spec, ['wait', 'commonMetadata']),
      ...(dependsOn.length === 0 ? {} : { dependsOn }),
      ...work.content,
    },
  }
  const isEmpty = work.lanes.every(({ unknown }) => unknown !== undefined)
  return {
    kind: STAGE,
    carriers: isEmpty ? [] : [object],
    files: {},
    lanes: work.lanes,
    namespaces: namespacesOf(
      work.lanes.map((lane) => lane.object),
      namespace,
    ),
    ...(work.notes === undefined ? {} : { notes: work.notes }),
  }
}

interface SetWork {
  /** `steps`, or `resources`. */
  readonly content: JsonObject
  readonly lanes: readonly PartLane[]
  readonly notes?: readonly PartNote[]
}

function builtWork(
  { carrier, subjects }: Load,
  namespace: string,
  around: Around,
): SetWork | undefined {
  const provided = carrier === undefined ? undefined : providedInputs(carrier, namespace, around)
  if (carrier === undefined || provided === undefined) return undefined
  const provider = {
    apiVersion: `${GROUP}/v1`,
    kind: KIND,
    name: stringAt(carrier, ['metadata', 'name']) ?? '',
    namespace,
  }
  const own = listAt(carrier, ['spec', 'inputs']).filter(isObject)
  const inputs = [...own.map((input) => ({ ...input, provider })), ...provided]
  const given = inputs.length === 0 ? undefined : inputs
  const steps = build(carrier, given, around.fullParser)
  if ('fault' in steps) return undefined
  const built = steps.map((step) => ({ ...step, objects: step.objects.filter(isJob).map(plain) }))
  const lanes = built.flatMap(({ objects }) =>
    objects.flatMap((object) => {
      const subject = subjectOf(object, subjects)
      return subject === undefined ? [] : [{ object: inNamespace(object, namespace), subject }]
    }),
  )
  return { content: contentOf(carrier, built), lanes }
}

/** What Static providers of the repository say; undefined where only the cluster knows. */
function providedInputs(
  carrier: JsonObject,
  namespace: string,
  around: Around,
): readonly JsonObject[] | undefined {
  const sources = listAt(carrier, ['spec', 'inputsFrom'])
  if (sources.length === 0) return []
  if (stringAt(carrier, ['spec', 'inputStrategy', 'name']) === 'Permute') return undefined
  const found: JsonObject[] = []
  for (const source of sources) {
    const name = stringAt(source, ['name'])
    const provider = name === undefined ? undefined : around.carrierNamed(PROVIDER, namespace, name)
    if (provider === undefined || stringAt(provider, ['spec', 'type']) !== 'Static')
      return undefined
    const place = { apiVersion: `${GROUP}/v1`, kind: PROVIDER, name: name ?? '', namespace }
    found.push({ id: '1', ...objectAt(provider, ['spec', 'defaultValues']), provider: place })
  }
  return found
}

const PROVIDER = 'ResourceSetInputProvider'

function contentOf(carrier: JsonObject, steps: readonly BuiltStep[]): JsonObject {
  if (listAt(carrier, ['spec', 'steps']).length === 0) {
    return { resources: steps.flatMap(({ objects }) => objects) }
  }
  const written = stepsOf(carrier)
  return {
    steps: steps.flatMap(({ name, objects }, index) =>
      objects.length === 0
        ? []
        : [{ ...picked(written[index], ['timeout']), name, resources: objects }],
    ),
  }
}

/** What it would be copied or hashed from is not played. */
function plain(object: JsonObject): JsonObject {
  const metadata = objectAt(object, ['metadata']) ?? {}
  const annotations = Object.entries(objectAt(metadata, ['annotations']) ?? {}).filter(
    ([key]) => key !== `${GROUP}/checksumFrom` && key !== `${GROUP}/copyFrom`,
  )
  if (metadata['annotations'] === undefined) return object
  return { ...object, metadata: { ...metadata, annotations: Object.fromEntries(annotations) } }
}

/** The template that a Job comes from, by the parts of its name that every input keeps. */
function subjectOf(object: JsonObject, subjects: readonly Subject[]): Subject | undefined {
  const name = stringAt(object, ['metadata', 'name']) ?? ''
  const same = subjects.filter(({ kind }) => kind === object['kind'])
  const fits = (subject: Subject): boolean => {
    const written = stringAt(subject.object, ['metadata', 'name']) ?? ''
    const parts = literalParts(written)
    let at = 0
    return (
      name.startsWith(parts[0] ?? '') &&
      name.endsWith(parts.at(-1) ?? '') &&
      parts.every((part) => {
        const found = name.indexOf(part, at)
        at = found + part.length
        return found >= 0
      }) &&
      (parts.length > 1 || written === name)
    )
  }
  return same.find(fits) ?? same[0]
}

function writtenWork({ carrier, subjects }: Load, namespace: string, around: Around): SetWork {
  const jobs = jobsOf(subjects, around, { namespace })
  const steps = listAt(carrier, ['spec', 'steps']).filter(isObject)
  const played = jobs.lanes.filter(({ unknown }) => unknown === undefined)
  const objectOf = new Map(played.map(({ subject }, index) => [subject, jobs.objects[index]]))
  const inStep = (name: string): readonly JsonObject[] =>
    played.flatMap(({ subject }) => {
      const object = objectOf.get(subject)
      const isIn = subject.chain.some(({ label }) => label === `step ${name}`)
      return isIn && object !== undefined ? [plain(object)] : []
    })
  const note: PartNote = {
    id: 'assumed',
    what: 'its inputs are not known, so its Jobs were taken once, as they are written',
    why: 'a provider brings inputs that only the cluster knows',
    subjects,
  }
  const listed = steps.flatMap((step) => {
    const name = stringAt(step, ['name']) ?? ''
    const resources = inStep(name)
    return resources.length === 0 ? [] : [{ ...picked(step, ['name', 'timeout']), resources }]
  })
  const content = steps.length > 0 ? { steps: listed } : { resources: jobs.objects.map(plain) }
  return { content, lanes: jobs.lanes, notes: [note] }
}
