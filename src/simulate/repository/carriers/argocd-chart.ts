import { at, booleanAt, listAt, objectAt, stringAt, type JsonObject } from '../../../core/json.ts'
import { isTemplated } from '../../../core/templates.ts'
import { resolvePath } from '../../../ownership/tree.ts'
import { chartFiles, jobChart, merged, valuesAt, valuesIn } from '../charts.ts'
import { chartFolder, chartLanes } from '../chart-lanes.ts'
import { jobsOf } from '../jobs.ts'
import { readText, standIns } from '../others.ts'
import { fileText, folderOf, type Around, type Load, type PartNote } from '../part.ts'
import type { ArgoWork } from './argocd.ts'

interface Release {
  readonly source: JsonObject
  readonly name: string
  readonly namespace: string
}

/**
 * The chart of an Application with its values put together, so that names with a clock and the like
 * stay real. Where it cannot be rendered, its Jobs stand as they are written; undefined where the
 * Application is not over a chart.
 */
export function argoChart(load: Load, release: Release, around: Around): ArgoWork | undefined {
  const { subjects } = load
  const [first] = subjects
  const folder = first === undefined ? undefined : chartFolder(first, around)
  if (folder === undefined) return undefined
  const { source, name, namespace } = release
  const all = chartFiles(folder, around)
  const values = valuesOf(folder, source, load, around)
  const releaseName = stringAt(source, ['helm', 'releaseName']) ?? name
  if (typeof values === 'string')
    return unrendered(load, all, around, { ...release, fault: values })
  const seen = { name: releaseName, namespace, revision: 1, isInstall: true }
  const made = jobChart(all, values, seen, CLOCK)
  if ('fault' in made) return unrendered(load, all, around, { ...release, fault: made.fault })
  const told = chartLanes(subjects, made, { folder, namespace, around })
  const others = standIns(made.others).map((object) => [
    `templates/${stringAt(object, ['metadata', 'name']) ?? ''}.yaml`,
    fileText(object),
  ])
  return {
    files: { ...made.files, ...told.files, ...Object.fromEntries(others) },
    lanes: told.lanes,
    helm: { releaseName, valuesObject: values },
    notes: told.notes,
  }
}

/** The model's repo-server knows these two; any instant will do to see what a chart holds. */
const CLOCK = { now: () => '2026-01-05T00:00:00Z', date: () => '20260105000000' }

function unrendered(
  { subjects }: Load,
  all: { readonly [path: string]: string },
  around: Around,
  { source, namespace, fault }: Release & { readonly fault: string },
): ArgoWork {
  const jobs = jobsOf(subjects, around, { namespace })
  const helm = at(source, ['helm']) ?? null
  const texts = Object.entries(all).filter(([path]) => path.startsWith('templates/'))
  const object = { apiVersion: 'v1', kind: 'Template', metadata: {} }
  const others = standIns(
    [
      ...texts.filter(([, text]) => !/^kind: *(?:Cron)?Job\b/m.test(text)),
      ['', JSON.stringify(helm)] as const,
    ].map(([, text]) => ({ object, text })),
  )
  const named = others.map((one) => [
    `${stringAt(one, ['metadata', 'name']) ?? ''}.yaml`,
    fileText(one),
  ])
  const note: PartNote = {
    id: 'assumed',
    what: 'its chart could not be rendered, so its Jobs were taken as its templates write them',
    why: fault,
    subjects,
  }
  return {
    files: { ...folderOf('', jobs.objects, around), ...Object.fromEntries(named) },
    lanes: jobs.lanes,
    notes: [note],
  }
}

/** Value files, then `values`, `valuesObject` and parameters; or what of them is not known. */
function valuesOf(
  folder: string,
  source: JsonObject,
  { carrier }: Load,
  around: Around,
): JsonObject | string {
  const helm = objectAt(source, ['helm']) ?? {}
  const parts: JsonObject[] = []
  for (const file of listAt(helm, ['valueFiles'])) {
    if (typeof file !== 'string') return 'a value file is no text'
    if (isTemplated(file)) return `a value file is ${file}`
    const path = pathOf(file, folder)
    const text = path === undefined ? undefined : readText(path, around)
    if (text !== undefined) parts.push(valuesIn(text, around))
    else if (booleanAt(helm, ['ignoreMissingValueFiles']) !== true) {
      return `the value file ${file} is not in this repository`
    }
  }
  const text = stringAt(helm, ['values'])
  const object = objectAt(helm, ['valuesObject'])
  if (object !== undefined) parts.push(object)
  else if (text !== undefined) parts.push(valuesIn(text, around))
  for (const parameter of listAt(helm, ['parameters'])) {
    const key = stringAt(parameter, ['name']) ?? ''
    const value = stringAt(parameter, ['value']) ?? ''
    if (key.includes('[')) return `the parameter ${key} is an item of a list`
    parts.push(valuesAt(key, value, booleanAt(parameter, ['forceString']) === true))
  }
  if (listAt(helm, ['fileParameters']).length > 0) return 'a parameter is read from a file'
  const known = merged(parts)
  const open = /\{\{[^{}]*\}\}/.exec(JSON.stringify(known, plain))
  const isSet = carrier?.['kind'] === 'ApplicationSet'
  return open !== null && isSet ? `a value is ${open[0]}, which only the cluster can tell` : known
}

function plain(_: string, part: unknown): unknown {
  return typeof part === 'bigint' ? Number(part) : part
}

/** `$ref/path` starts at the top of a repository, which is taken for this one. */
function pathOf(file: string, folder: string): string | undefined {
  const below = /^\$[^/]+\/(.*)$/.exec(file)?.[1]
  if (below !== undefined) return resolvePath('', below)
  return /^https?:/.test(file) ? undefined : resolvePath(folder, file)
}
