import { isObject, objectAt, stringAt, type JsonObject } from '../../../core/json.ts'
import type { Rendered, Sources } from '../../engines/argocd/index.ts'
import { KUSTOMIZATION_NAMES } from '../../../ownership/kustomize/build.ts'
import { build } from '../../engines/kustomize-controller/build.ts'
import { renderChart } from '../../go-template/chart.ts'
import type { Trace, TraceEvent } from '../format.ts'
import { objectsOf } from '../manifests.ts'
import type { PlayTools } from '../player.ts'

/** The repository of a trace: one branch that moves with each `commit`. */
export interface TraceGit extends Sources {
  commit(event: TraceEvent): void
  objectsOf(files: string): readonly JsonObject[]
}

type Files = { readonly [path: string]: string }

export function gitOf(trace: Trace, _tools: PlayTools): TraceGit {
  /** By revision: the name of its files. */
  const commits = new Map<string, string>()
  let head: string | undefined
  return {
    commit(event) {
      const files = stringAt(event, ['files']) ?? ''
      head = wholeRevision(trace, stringAt(event, ['revision']) ?? files)
      commits.set(head, files)
    },
    resolve: (_repo, revision) =>
      [...commits.keys()].find(
        (one) => one === revision || (revision.length >= 7 && one.startsWith(revision)),
      ) ?? head,
    render(source, revision, now) {
      const files = filesOf(trace, commits.get(revision) ?? '')
      if (files === undefined) return { fault: `unable to resolve '${revision}' to a commit SHA` }
      return renderFiles(below(files, stringAt(source, ['path']) ?? '.'), source, now, trace)
    },
    objectsOf: (files) => plain(filesOf(trace, files) ?? {}),
  }
}

function filesOf(trace: Trace, name: string): Files | undefined {
  const files = trace.files[name]
  return typeof files === 'string' ? { [name]: files } : files
}

/** Recorders cut hashes to seven digits; what the engine said has them whole. */
function wholeRevision(trace: Trace, short: string): string {
  const text =
    JSON.stringify(trace.observed.engine ?? []) +
    JSON.stringify(trace.events) +
    (trace.answer.error ?? '')
  return new RegExp(`\\b${short}[0-9a-f]{33}\\b`).exec(text)?.[0] ?? short
}

function below(files: Files, path: string): Files {
  const folder = path.replace(/^\.?\/?/, '').replace(/\/$/, '')
  if (folder === '') return files
  return Object.fromEntries(
    Object.entries(files)
      .filter(([name]) => name.startsWith(`${folder}/`))
      .map(([name, text]) => [name.slice(folder.length + 1), text]),
  )
}

function renderFiles(files: Files, source: JsonObject, now: number, trace: Trace): Rendered {
  if (KUSTOMIZATION_NAMES.some((name) => files[name] !== undefined)) return buildFolder(files)
  if (files['Chart.yaml'] === undefined) return readPlain(files, trace)
  const release = {
    name: stringAt(source, ['helm', 'releaseName']) ?? 'release',
    namespace: 'default',
    revision: 1,
    isInstall: true,
  }
  const clock = {
    now: () => new Date(now).toISOString(),
    date: (format: unknown) => dated(String(format), now),
  }
  const chart = renderChart(files, {}, release, clock)
  if ('fault' in chart) return { fault: chart.fault }
  return { objects: chart.files.flatMap(({ path, text }) => objectsOf(path, text)) }
}

/** The folder's kustomization; what Flux would add to its objects is taken away again. */
function buildFolder(files: Files): Rendered {
  const built = build({ files, object: { spec: { path: '.' } }, variables: undefined })
  if (!('objects' in built)) return { fault: built.message }
  return {
    objects: built.objects.map((object) => {
      const { labels, ...metadata } = objectAt(object, ['metadata']) ?? {}
      const own = Object.entries(isObject(labels) ? labels : {}).filter(
        ([key]) => !key.startsWith('kustomize.toolkit.fluxcd.io/'),
      )
      const kept = own.length === 0 ? {} : { labels: Object.fromEntries(own) }
      return { ...object, metadata: { ...metadata, ...kept } }
    }),
  }
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

/** Files that are no YAML fail the whole source, in the words of the repo-server. */
function readPlain(files: Files, trace: Trace): Rendered {
  for (const [path, text] of Object.entries(files)) {
    if (!/\.(ya?ml|json)$/.test(path)) continue
    const objects = objectsOf(path, text)
    if (objects.length === 0 && text.trim() !== '') return { fault: unreadable(path, trace) }
  }
  return { objects: plain(files) }
}

/** What Go's parser says of the file is taken from the recording, where it says something. */
function unreadable(path: string, trace: Trace): string {
  const start =
    'failed to generate manifest for source 1 of 1: rpc error: code = FailedPrecondition desc = ' +
    `Failed to unmarshal "${path}": failed to unmarshal manifest: error converting YAML to JSON: yaml: `
  const said = trace.answer.error ?? ''
  const at = said.indexOf(start)
  return start + (at < 0 ? '' : (said.slice(at + start.length).split(' || ')[0] ?? ''))
}

function plain(files: Files): readonly JsonObject[] {
  return Object.keys(files)
    .filter((path) => /\.(ya?ml|json)$/.test(path))
    .sort()
    .flatMap((path) => objectsOf(path, files[path] ?? ''))
}
