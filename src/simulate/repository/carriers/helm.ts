import { stringAt } from '../../../core/json.ts'
import { objectsOf } from '../../trace/manifests.ts'
import { chartFiles, jobChart } from '../charts.ts'
import { chartFolder, chartLanes, frozenChart } from '../chart-lanes.ts'
import { jobsOf, namespacesOf } from '../jobs.ts'
import type { Files } from '../../scenario/stage.ts'
import type { Around, Load, Part, PartNote } from '../part.ts'

/** A chart that nothing here installs: somebody did so once, with the values of the chart. */
export function helm({ subjects }: Load, around: Around): Part {
  const [first] = subjects
  const folder = (first === undefined ? undefined : chartFolder(first, around)) ?? ''
  const all = chartFiles(folder, around)
  const release = chartName(all) ?? (folder.slice(folder.lastIndexOf('/') + 1) || 'release')
  // Charts that nobody places would meet in one namespace, as their releases never do.
  const namespace = release
  const made = jobChart(all, {}, { name: release, namespace, revision: 1, isInstall: true })
  const installed: PartNote = {
    id: 'assumed',
    what: `nothing in this repository installs the chart ${folder === '' ? release : folder}: somebody did so once, with helm install`,
    why: 'it was taken with its own values',
    subjects,
  }
  const settings = { kind: STAGE, release, namespace, chart: './chart', pipeline: true }
  if ('fault' in made) {
    const jobs = jobsOf(subjects, around, { namespace })
    const note: PartNote = {
      id: 'assumed',
      what: 'its chart could not be rendered, so its Jobs were taken as its templates write them',
      why: made.fault,
      subjects,
    }
    return {
      kind: STAGE,
      isAssumed: true,
      settings,
      carriers: [],
      files: inChart(frozenChart(all['Chart.yaml'], jobs.objects)),
      lanes: jobs.lanes,
      namespaces: namespacesOf(jobs.objects, namespace),
      notes: [installed, note],
    }
  }
  const told = chartLanes(subjects, made, { folder, namespace, around })
  return {
    kind: STAGE,
    isAssumed: true,
    settings,
    carriers: [],
    files: inChart({ ...made.files, ...told.files }),
    lanes: told.lanes,
    namespaces: namespacesOf(
      told.lanes.map(({ object }) => object),
      namespace,
    ),
    notes: [installed, ...told.notes],
  }
}

function chartName(files: Files): string | undefined {
  const [metadata] = objectsOf('Chart.yaml', files['Chart.yaml'] ?? '')
  const name = stringAt(metadata, ['name'])
  return name !== undefined && /^[a-z0-9][a-z0-9.-]*$/.test(name) ? name : undefined
}

function inChart(files: Files): Files {
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [`chart/${path}`, text]))
}

const STAGE = 'helm'
