import { stringAt, type JsonObject } from '../../../core/json.ts'
import { renderChart } from '../../go-template/chart.ts'
import type { Value } from '../../go-template/value.ts'
import { objectsOf } from '../../trace/manifests.ts'
import type { Rendered } from './options.ts'

type Files = { readonly [path: string]: string }

/** The files below `spec.source.path`, named from there. */
export function below(files: Files, path: string): Files {
  const folder = path.replace(/^\.?\/?/, '').replace(/\/$/, '')
  if (folder === '') return files
  return Object.fromEntries(
    Object.entries(files)
      .filter(([name]) => name.startsWith(`${folder}/`))
      .map(([name, text]) => [name.slice(folder.length + 1), text]),
  )
}

/** A folder with a Chart.yaml, as the repo-server templates it; `now` is what `now` says. */
export function chartObjects(
  files: Files,
  source: JsonObject,
  values: JsonObject,
  now: number,
): Rendered {
  const release = {
    name: stringAt(source, ['helm', 'releaseName']) ?? 'release',
    namespace: 'default',
    revision: 1,
    isInstall: true,
  }
  const chart = renderChart(files, values, release, {
    now: () => new Date(now).toISOString(),
    date: (format: Value) => dated(typeof format === 'string' ? format : '', now),
  })
  if ('fault' in chart) return { fault: chart.fault }
  return { objects: chart.files.flatMap(({ path, text }) => objectsOf(path, text)) }
}

/** A folder of plain manifests. */
export function plainObjects(files: Files): readonly JsonObject[] {
  return Object.keys(files)
    .filter((path) => /\.(ya?ml|json)$/.test(path))
    .sort()
    .flatMap((path) => objectsOf(path, files[path] ?? ''))
}

/** Go's reference time, as far as names use it. */
function dated(format: string, now: number): string {
  const [date = '', time = ''] = new Date(now).toISOString().slice(0, 19).split('T')
  const [year = '', month = '', day = ''] = date.split('-')
  const [hour = '', minute = '', second = ''] = time.split(':')
  return format
    .replace('2006', year)
    .replace('01', month)
    .replace('02', day)
    .replace('15', hour)
    .replace('04', minute)
    .replace('05', second)
}
