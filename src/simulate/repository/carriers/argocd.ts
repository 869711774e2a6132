import { isObject, objectAt, stringAt, type JsonObject } from '../../../core/json.ts'
import { isTemplated } from '../../../core/templates.ts'
import { jobsOf, namespacesOf, unknownLanes } from '../jobs.ts'
import { otherObjects } from '../others.ts'
import {
  fileText,
  folderOf,
  picked,
  templatedField,
  type Around,
  type Load,
  type Part,
} from '../part.ts'
import { argoChart } from './argocd-chart.ts'

const STAGE = 'argocd'
const NAMESPACE = 'argocd'
const FIELDS = ['project', 'syncPolicy', 'ignoreDifferences', 'revisionHistoryLimit']

/**
 * An Application over a folder of its own, or over its chart. What else it applies stands there as
 * a ConfigMap for each wave that changes when it does: a change of it is what leads to a sync, and a
 * sync is what runs hooks.
 */
export function argocd(load: Load, around: Around): Part {
  const { subjects } = load
  const application = applicationOf(load.carrier)
  const spec = objectAt(application, ['spec']) ?? {}
  const target = stringAt(spec, ['destination', 'namespace'])
  const namespace = target === undefined || isTemplated(target) ? 'default' : target
  const unknown = unplayable(load.carrier, spec)
  if (unknown !== undefined) {
    return {
      kind: STAGE,
      carriers: [],
      files: {},
      lanes: unknownLanes(subjects, unknown, namespace),
    }
  }
  const metadata = objectAt(application, ['metadata']) ?? {}
  const name = knownName(metadata) ?? `${stringAt(load.carrier, ['metadata', 'name']) ?? 'app'}-1`
  const own = stringAt(load.carrier, ['metadata', 'namespace']) ?? NAMESPACE
  const folder = `${own}.${name}`
  const first = sourceOf(spec)
  const work =
    argoChart(load, { source: first, name, namespace }, around) ??
    plainWork(load, namespace, around)
  const object: JsonObject = {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: {
      ...picked(metadata, ['labels', 'annotations', 'finalizers']),
      name,
      namespace: own,
    },
    spec: {
      project: 'default',
      ...picked(spec, FIELDS),
      source: {
        repoURL: stringAt(first, ['repoURL']) ?? 'https://git.example.test/repository.git',
        targetRevision: 'HEAD',
        path: folder,
        ...(work.helm === undefined ? {} : { helm: work.helm }),
      },
      destination: { server: 'https://kubernetes.default.svc', namespace },
    },
  }
  const files = Object.entries(work.files).map(
    ([path, text]) => [`${folder}/${path}`, text] as const,
  )
  return {
    kind: STAGE,
    carriers: [object],
    files: Object.fromEntries(files),
    lanes: work.lanes,
    namespaces: namespacesOf(
      work.lanes.map((lane) => lane.object),
      namespace,
      own,
    ),
    notes: [...(work.notes ?? []), ...pinned(first, load)],
  }
}

/** What stands in the folder of an Application. */
export interface ArgoWork extends Pick<Part, 'files' | 'lanes' | 'notes'> {
  readonly helm?: JsonObject
}

function plainWork({ subjects, applied }: Load, namespace: string, around: Around): ArgoWork {
  const jobs = jobsOf(subjects, around, { namespace })
  const others = otherObjects(applied, around).map((object) => [
    `${stringAt(object, ['metadata', 'name']) ?? ''}.yaml`,
    fileText(object),
  ])
  return {
    files: { ...folderOf('', jobs.objects, around), ...Object.fromEntries(others) },
    lanes: jobs.lanes,
  }
}

/** An ApplicationSet is seen with the parameters of one of its Applications filled in. */
function applicationOf(carrier: JsonObject | undefined): JsonObject | undefined {
  return carrier?.['kind'] === 'ApplicationSet' ? objectAt(carrier, ['spec', 'template']) : carrier
}

/** For people, and as the engine names it. */
export function applicationName(carrier: JsonObject | undefined): string {
  const name = knownName(objectAt(applicationOf(carrier), ['metadata']) ?? {})
  const own = stringAt(carrier, ['metadata', 'namespace']) ?? NAMESPACE
  return `Application ${own}/${name ?? `${stringAt(carrier, ['metadata', 'name']) ?? 'app'}-1`}`
}

function knownName(metadata: JsonObject): string | undefined {
  const name = stringAt(metadata, ['name'])
  return name === undefined || isTemplated(name) ? undefined : name
}

function sourceOf(spec: JsonObject): JsonObject {
  const sources = spec['sources']
  const listed = Array.isArray(sources) ? (sources as readonly JsonObject[]).filter(isObject) : []
  const dry = objectAt(spec, ['sourceHydrator', 'drySource'])
  return (
    listed.find((source) => source['path'] !== undefined) ?? dry ?? objectAt(spec, ['source']) ?? {}
  )
}

function unplayable(carrier: JsonObject | undefined, spec: JsonObject): string | undefined {
  if (stringAt(carrier, ['spec', 'templatePatch']) !== undefined) {
    return 'the templatePatch of its ApplicationSet may change how it is synced, which only the cluster can tell'
  }
  const open = templatedField(picked(spec, ['syncPolicy', 'ignoreDifferences']))
  return open === undefined
    ? undefined
    : `${open.field} is ${open.text}, which only rendering can tell`
}

/** A commit that is named by its hash, or a tag, does not move with Git. */
function pinned(source: JsonObject, { subjects, applied }: Load): NonNullable<Part['notes']> {
  const revision = stringAt(source, ['targetRevision'])
  if (revision === undefined || !/^(?:[0-9a-f]{40}|v?\d+\.\d+\.\d+)$/.test(revision)) return []
  return [
    {
      id: 'assumed',
      what: `${applied?.carrier.label ?? 'an Application'} takes revision ${revision}`,
      why: 'what stands here was taken for it, at each commit',
      subjects,
    },
  ]
}
