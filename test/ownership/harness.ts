import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { loadFullParser } from '../../src/adapters/full-parser.ts'
import { integerAt, objectAt, stringAt, type JsonObject, type Path } from '../../src/core/json.ts'
import { outermost, positionOf, type Place, type Source } from '../../src/core/source.ts'
import { readFile, type Wanted } from '../../src/core/yaml/read-file.ts'
import { buildRepository, type RepositoryInput } from '../../src/ownership/repository.ts'
import type { Repository, Subject } from '../../src/ownership/subject.ts'

export type Files = Readonly<Record<string, string>>

export type Options = Partial<
  Pick<RepositoryInput, 'root' | 'engine' | 'overrides' | 'isSourceIgnored'>
>

const fullParser = await loadFullParser()
const encoder = new TextEncoder()

const OBJECTS: Wanted = {
  needles: [
    { kind: 'Job' },
    { kind: 'CronJob' },
    ...[
      'kustomize.toolkit.fluxcd.io',
      'kustomize.config.k8s.io',
      'helm.toolkit.fluxcd.io',
      'source.toolkit.fluxcd.io',
      'argoproj.io',
      'fluxcd.controlplane.io',
      'kro.run',
      'fleet.cattle.io',
    ].map((group) => ({ group })),
  ],
}

const NAMED = /(?:^|\/)(?:kustomization\.ya?ml|Kustomization|Chart\.yaml|fleet\.yaml)$/

/** The repository that files, given as path and text, make, read as the commands read them. */
export function repositoryOf(files: Files, options: Options = {}): Repository {
  return buildRepository(inputOf(files, options))
}

/** What `repositoryOf` builds it from. */
export function inputOf(files: Files, options: Options = {}): RepositoryInput {
  const { root = '', ...rest } = options
  const shown = (name: string): string => (root === '' ? name : `${root}/${name}`)
  const listing = Object.keys(files).toSorted()
  const sourceOf = (name: string): Source | undefined => {
    const text = files[name]
    return text === undefined ? undefined : { path: shown(name), bytes: encoder.encode(text) }
  }
  const charts = listing.filter((name) => /(?:^|\/)Chart\.yaml$/.test(name))
  const isTemplate = (name: string): boolean =>
    charts.some((chart) => name.startsWith(chart.replace(/Chart\.yaml$/, 'templates/')))
  const readings = listing
    .filter((name) => /\.(?:ya?ml|json)$/.test(name) || NAMED.test(name))
    .flatMap((name) => {
      const source = sourceOf(name)
      if (source === undefined) return []
      const wanted = NAMED.test(name) ? { all: true, needles: [] } : OBJECTS
      const template = isTemplate(name) ? { template: 'helm' as const } : {}
      const reading = readFile(source, { wanted, fullParser, ...template })
      return reading.documents.length === 0 ? [] : [reading]
    })
  return { files: readings, listing, root, read: sourceOf, fullParser, ...rest }
}

/** The text files below a folder, as `repositoryOf` takes them. */
export function readTree(folder: string): Files {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .map((name) => name.replaceAll(path.sep, '/'))
    .toSorted()
  return Object.fromEntries(
    names.map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]),
  )
}

/** `apps/job.yaml:4`. */
export function lineOf(place: Place): string {
  const { source, span } = outermost(place)
  return `${source.path}:${positionOf(source, span.start).line}`
}

/** `Job shop/migrate`. */
export function nameOf({ kind, object }: Subject): string {
  const metadata = objectAt(object, ['metadata']) ?? {}
  const namespace = stringAt(metadata, ['namespace'])
  const name = stringAt(metadata, ['name']) ?? `${stringAt(metadata, ['generateName']) ?? ''}*`
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`
}

/** The only subject, for trees that hold one Job with one owner. */
export function onlySubject(files: Files, options?: Options): Subject {
  const { subjects } = repositoryOf(files, options)
  const [subject] = subjects
  if (subject === undefined || subjects.length > 1) {
    throw new Error(`${subjects.length} subjects: ${subjects.map(nameOf).join(', ')}`)
  }
  return subject
}

/** `apps/ks.yaml:7 the path does not exist`, for each note. */
export function notesOf({ notes }: Repository): readonly string[] {
  return notes.map(({ place, what }) => `${lineOf(place)} ${what}`)
}

export function engineOf(subject: Subject): string {
  return subject.engine.id
}

export function imageOf({ object }: Subject): string | undefined {
  return stringAt(object, [...podPath(object), 'containers', 0, 'image'])
}

export function ttlOf({ object }: Subject): number | undefined {
  return integerAt(object, ['spec', 'ttlSecondsAfterFinished'])
}

function podPath(object: JsonObject): Path {
  return object['kind'] === 'CronJob'
    ? ['spec', 'jobTemplate', 'spec', 'template', 'spec']
    : ['spec', 'template', 'spec']
}

/** A Job as YAML; `more` goes to its metadata or, with two more blanks of indentation, below. */
export function job(
  name: string,
  namespace?: string,
  image = 'registry.example.test/app:1',
): string {
  return `apiVersion: batch/v1
kind: Job
metadata:
  name: ${name}${namespace === undefined ? '' : `\n  namespace: ${namespace}`}
spec:
  ttlSecondsAfterFinished: 600
  template:
    spec:
      restartPolicy: Never
      containers:
        - name: task
          image: ${image}
          env:
            - name: LEVEL
              value: info
`
}

/** A Flux Kustomization as YAML; `spec` is indented by two. */
export function flux(name: string, folder: string, spec = ''): string {
  return `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata:
  name: ${name}
  namespace: flux-system
spec:
  interval: 10m
  path: ${folder}
  prune: true
  sourceRef:
    kind: GitRepository
    name: flux-system
${spec}`
}

/** An Application as YAML; `source` is indented by four, `spec` by two. */
export function argo(name: string, folder: string, source = '', spec = ''): string {
  return `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata:
  name: ${name}
  namespace: argocd
spec:
  project: default
  source:
    repoURL: https://git.example.test/platform/apps.git
    path: ${folder}
    targetRevision: main
${source}  destination:
    server: https://kubernetes.default.svc
    namespace: shop
${spec}`
}
