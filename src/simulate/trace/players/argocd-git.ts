import { isObject, objectAt, stringAt, type JsonObject } from '../../../core/json.ts'
import type { Rendered, Sources } from '../../engines/argocd/index.ts'
import { KUSTOMIZATION_NAMES } from '../../../ownership/kustomize/build.ts'
import { build } from '../../engines/kustomize-controller/build.ts'
import { below, chartObjects, plainObjects } from '../../engines/argocd/repo-server.ts'
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
    objectsOf: (files) => plainObjects(filesOf(trace, files) ?? {}),
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

function renderFiles(files: Files, source: JsonObject, now: number, trace: Trace): Rendered {
  if (KUSTOMIZATION_NAMES.some((name) => files[name] !== undefined)) return buildFolder(files)
  if (files['Chart.yaml'] === undefined) return readPlain(files, trace)
  return chartObjects(files, source, {}, now)
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

/** Files that are no YAML fail the whole source, in the words of the repo-server. */
function readPlain(files: Files, trace: Trace): Rendered {
  for (const [path, text] of Object.entries(files)) {
    if (!/\.(ya?ml|json)$/.test(path)) continue
    const objects = objectsOf(path, text)
    if (objects.length === 0 && text.trim() !== '') return { fault: unreadable(path, trace) }
  }
  return { objects: plainObjects(files) }
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
