import { stringAt } from '../../core/json.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Subject } from '../../ownership/subject.ts'
import { baseName, parent } from '../../ownership/tree.ts'
import type { Files } from '../scenario/stage.ts'
import { frozen, type JobChart } from './charts.ts'
import { inNamespace, jobsOf } from './jobs.ts'
import type { Around, PartLane, PartNote } from './part.ts'

/** The folder of the chart that a subject comes from, if it is one. */
export function chartFolder({ chain }: Subject, { world }: Around): string | undefined {
  const link = chain.find(
    ({ path, manifest }) => manifest === undefined && baseName(path) === 'Chart.yaml',
  )
  return link === undefined ? undefined : parent(world.tree.below(link.path))
}

export interface ChartLanes {
  readonly lanes: readonly PartLane[]
  /** Templates for what comes from charts inside of the chart. */
  readonly files: Files
  readonly notes: readonly PartNote[]
}

/** A lane for each Job that the chart makes; what its values leave out has none. */
export function chartLanes(
  subjects: readonly Subject[],
  { jobs }: JobChart,
  { folder, namespace, around }: { folder: string; namespace: string; around: Around },
): ChartLanes {
  const prefix = folder === '' ? 'templates/' : `${folder}/templates/`
  const pathOf = (subject: Subject): string => around.world.tree.pathOf(subject.manifest.file)
  const own = subjects.filter((subject) => pathOf(subject).startsWith(prefix))
  const inner = subjects.filter((subject) => !own.includes(subject))
  const lanes: PartLane[] = []
  const found = new Set<Subject>()
  const seen = new Map<string, number>()
  for (const { path, object } of jobs) {
    const template = folder === '' ? path : `${folder}/${path}`
    const same = own.filter((one) => pathOf(one) === template && one.kind === object['kind'])
    const key = `${template} ${stringAt(object, ['kind']) ?? ''}`
    const nth = seen.get(key) ?? 0
    seen.set(key, nth + 1)
    const subject = same[Math.min(nth, same.length - 1)] ?? own[0]
    if (subject === undefined) continue
    found.add(subject)
    lanes.push({ object: inNamespace(object, namespace), subject })
  }
  const left = own.filter((subject) => !found.has(subject))
  const more = jobsOf(inner, around, { namespace })
  return {
    lanes: [...lanes, ...more.lanes],
    files: more.objects.length === 0 ? {} : frozen('templates/of-other-charts.yaml', more.objects),
    notes: left.map((subject) => ({
      id: 'assumed' as const,
      what: `${pathOf(subject)} makes no ${subject.kind}`,
      why: 'the values that are known leave it out',
      subjects: [subject],
    })),
  }
}

/** The objects as templates of a chart that says its name and version and nothing else. */
export function frozenChart(chart: string | undefined, objects: readonly JsonObject[]): Files {
  return {
    'Chart.yaml': chart ?? 'apiVersion: v2\nname: chart\nversion: 0.1.0\n',
    ...(objects.length === 0 ? {} : frozen('templates/jobs.yaml', objects)),
  }
}
