import { apiDurationSeconds, positiveSeconds } from '../../../engines/duration.ts'
import { listAt, objectAt, stringAt, type JsonObject } from '../../../core/json.ts'
import { chartFiles, jobChart, merged, valuesIn, type JobChart } from '../charts.ts'
import { chartFolder, chartLanes, frozenChart } from '../chart-lanes.ts'
import { jobsOf, namespacesOf, unknownLanes } from '../jobs.ts'
import {
  picked,
  templatedField,
  type Around,
  type Load,
  type Part,
  type PartNote,
} from '../part.ts'
import type { Files } from '../../scenario/stage.ts'
import { dependenciesOf } from './flux-kustomization.ts'
import { releaseValues } from './release-values.ts'

const STAGE = 'flux-helmrelease'
const KIND = 'HelmRelease'
const NAMESPACE = 'flux-system'

const FIELDS = [
  'interval',
  'timeout',
  'suspend',
  'releaseName',
  'targetNamespace',
  'storageNamespace',
  'maxHistory',
  'install',
  'upgrade',
  'rollback',
  'uninstall',
  'test',
  'driftDetection',
]

/**
 * A HelmRelease with the chart of its Jobs in a folder of its own. Where chart or values are not
 * known, the Jobs stand in it as its templates write them, after its post-renderers.
 */
export function fluxHelmRelease(load: Load, around: Around): Part {
  const { carrier, subjects } = load
  const metadata = objectAt(carrier, ['metadata']) ?? {}
  const namespace = stringAt(metadata, ['namespace']) ?? NAMESPACE
  const name = stringAt(metadata, ['name']) ?? 'unnamed'
  const spec = picked(objectAt(carrier, ['spec']), FIELDS)
  const target = stringAt(spec, ['targetNamespace']) ?? namespace
  const unknown = unplayable(spec)
  if (unknown !== undefined) {
    return { kind: STAGE, carriers: [], files: {}, lanes: unknownLanes(subjects, unknown, target) }
  }
  const folder = `${namespace}.${name}`
  const work = chartWork(load, { release: releaseName(spec, name), namespace: target }, around)
  const dependsOn = dependenciesOf(KIND, carrier, namespace, around)
  const object: JsonObject = {
    apiVersion: 'helm.toolkit.fluxcd.io/v2',
    kind: KIND,
    metadata: { ...picked(metadata, ['labels', 'annotations']), name, namespace },
    spec: {
      ...spec,
      ...work.fields,
      chart: { spec: { ...chartSpec(carrier), chart: `./${folder}` } },
      values: work.values,
      ...(dependsOn.length === 0 ? {} : { dependsOn }),
    },
  }
  return {
    kind: STAGE,
    carriers: [object],
    files: Object.fromEntries(
      Object.entries(work.files).map(([path, text]) => [`${folder}/${path}`, text]),
    ),
    lanes: work.lanes,
    namespaces: namespacesOf(
      work.lanes.map((lane) => lane.object),
      namespace,
      target,
    ),
    notes: work.notes,
  }
}

interface ChartWork {
  readonly files: Files
  readonly lanes: Part['lanes']
  readonly notes: readonly PartNote[]
  readonly values: JsonObject
  /** Fields of the spec that still have to be done. */
  readonly fields: JsonObject
}

function chartWork(
  load: Load,
  { release, namespace }: { readonly release: string; readonly namespace: string },
  around: Around,
): ChartWork {
  const { carrier, subjects } = load
  const [first] = subjects
  const folder = first === undefined ? undefined : chartFolder(first, around)
  const all = folder === undefined ? {} : chartFiles(folder, around)
  const fields = picked(objectAt(carrier, ['spec']), ['postRenderers', 'commonMetadata'])
  const values = releaseValues(load, around)
  const open = templatedField(fields)
  const own = typeof values === 'string' ? {} : values
  let made: JobChart | { readonly fault: string }
  if (typeof values === 'string') made = { fault: values }
  else if (open !== undefined) made = { fault: `${open.field} is ${open.text}` }
  else
    made = jobChart(withValuesFiles(all, carrier, around), own, {
      name: release,
      namespace,
      revision: 1,
      isInstall: true,
    })
  if ('fault' in made || folder === undefined) {
    const why = 'fault' in made ? made.fault : 'it is not in this repository'
    const jobs = jobsOf(subjects, around, { namespace })
    const note: PartNote = {
      id: 'assumed',
      what: 'its chart could not be rendered, so its Jobs were taken as its templates write them',
      why,
      subjects,
    }
    const files = frozenChart(all['Chart.yaml'], jobs.objects)
    const written = objectAt(carrier, ['spec', 'values']) ?? {}
    return { files, lanes: jobs.lanes, notes: [note], values: written, fields: {} }
  }
  const told = chartLanes(subjects, made, { folder, namespace, around })
  return {
    files: { ...made.files, ...told.files },
    lanes: told.lanes,
    notes: told.notes,
    values: own,
    fields,
  }
}

/** `valuesFiles` of the chart take the place of its values.yaml, later ones over earlier ones. */
function withValuesFiles(all: Files, carrier: JsonObject | undefined, around: Around): Files {
  const names = listAt(carrier, ['spec', 'chart', 'spec', 'valuesFiles'])
  if (names.length === 0) return all
  const texts = names.flatMap((name) => {
    const path = (typeof name === 'string' ? name : '').replace(/^\.\//, '')
    return all[path] ?? all[path.slice(path.lastIndexOf('/') + 1)] ?? []
  })
  return {
    ...all,
    'values.yaml': JSON.stringify(merged(texts.map((text) => valuesIn(text, around)))),
  }
}

/** The version of a chart from Git is what its Chart.yaml says; value files are merged already. */
function chartSpec(carrier: JsonObject | undefined): JsonObject {
  const spec = objectAt(carrier, ['spec', 'chart', 'spec'])
  const source = { kind: 'GitRepository', name: NAMESPACE }
  return { sourceRef: source, ...picked(spec, ['reconcileStrategy', 'sourceRef']) }
}

function releaseName(spec: JsonObject, name: string): string {
  const target = stringAt(spec, ['targetNamespace'])
  return stringAt(spec, ['releaseName']) ?? (target === undefined ? name : `${target}-${name}`)
}

function unplayable(spec: JsonObject): string | undefined {
  const open = templatedField(spec)
  if (open !== undefined) {
    return `${open.field} is ${open.text}, which only rendering can tell`
  }
  const { interval } = spec
  if (interval === undefined) return 'its HelmRelease has no spec.interval, so no cluster takes it'
  if (positiveSeconds(apiDurationSeconds(interval)) === undefined) {
    return `spec.interval ${JSON.stringify(interval)} is no duration above zero`
  }
  return undefined
}
