import { at, objectAt, stringAt, type Json, type JsonObject } from '../../core/json.ts'
import { isTemplated } from '../../core/templates.ts'
import type { Applied } from '../../ownership/expand.ts'
import type { Repository, Subject } from '../../ownership/subject.ts'
import { byCode } from '../../ownership/tree.ts'
import { kept } from '../../ownership/world.ts'

/** Names the cluster in which a subject runs; empty where nothing tells clusters apart. */
export type ClusterOf = (subject: Subject) => string

/**
 * Which subjects share a cluster. A destination that is named is one. Apart from that, all do,
 * unless they cannot or surely do not: two carriers of one kind and name never live in one cluster,
 * and one Job that is carried from two folders belongs to two (folders per cluster share their
 * files on purpose; carriers in one folder do not). Then the folders by which they differ stand for
 * clusters, with everything else below them.
 */
export function clustersBy(folders: ReadonlySet<string>): ClusterOf {
  return (subject) =>
    [deepest(folders, homeOf(subject)), remoteOf(subject.carrier?.object)]
      .filter((part) => part !== '')
      .join(' ')
}

/**
 * The folders that stand for clusters. Several states of one repository are told apart by those of
 * all of them, so that a cluster keeps its name.
 */
export function clusterFolders({ subjects }: Repository): ReadonlySet<string> {
  const all = collisions(subjects).flatMap((homes) => dividing([...homes].sort(byCode)))
  return new Set(all)
}

/** The clusters in which a Job is carried alike by one carrier; it is played in the first one. */
export function clustersOf(subject: Subject, folders: ReadonlySet<string>): readonly string[] {
  const homes = rootsOf(subject).map(({ carrier }) => deepest(folders, carrier.path))
  return [...new Set(homes)]
}

/** The outermost carriers, by whatever way the Job comes from them. */
function rootsOf({ applied }: Subject): readonly Applied[] {
  const roots: Applied[] = []
  const seen = new Set<Applied>()
  const follow = (by: Applied): void => {
    if (seen.has(by)) return
    seen.add(by)
    if (by.parents.length === 0) roots.push(by)
    for (const parent of by.parents) follow(parent.by)
  }
  if (applied !== undefined) follow(applied)
  return roots
}

/** The carriers from the one that applies the Job out to the one that nothing applies. */
function carriersOver({ applied }: Subject): readonly Applied[] {
  const found: Applied[] = []
  for (let by = applied; by !== undefined && !found.includes(by); by = by.parents[0]?.by) {
    found.push(by)
  }
  return found
}

/** The file of the outermost carrier; of a Job that nobody carries, that which lists it. */
function homeOf(subject: Subject): string {
  return (
    carriersOver(subject).at(-1)?.carrier.path ??
    subject.chain[0]?.path ??
    subject.manifest.file.source.path
  )
}

/** Sets of files whose carriers, or whose Jobs, have one name and are not in one cluster. */
function collisions(subjects: readonly Subject[]): readonly ReadonlySet<string>[] {
  const carriers = new Map<string, Map<Applied, string>>()
  const jobs = new Map<string, Map<string, string>>()
  for (const subject of subjects) {
    const home = homeOf(subject)
    const remote = remoteOf(subject.carrier?.object)
    const add = (by: Applied, place: string): void => {
      const name = nameOf(by.carrier.object?.value)
      if (name !== undefined) kept(carriers, `${name} ${remote}`, () => new Map()).set(by, place)
    }
    for (const by of carriersOver(subject)) add(by, home)
    for (const by of rootsOf(subject)) add(by, by.carrier.path)
    // Of Jobs that nobody applies one of each name is as good as any other.
    const name = subject.applied === undefined ? undefined : nameOf(subject.object)
    const folder = home.slice(0, home.lastIndexOf('/') + 1)
    if (name !== undefined) kept(jobs, `${name} ${remote}`, () => new Map()).set(folder, home)
  }
  return [...carriers.values(), ...jobs.values()]
    .map((group) => new Set<string>(group.values()))
    .filter(({ size }) => size > 1)
}

function nameOf(object: JsonObject | undefined): string | undefined {
  const metadata = objectAt(object, ['metadata'])
  const name = stringAt(metadata, ['name'])
  if (name === undefined || isTemplated(name)) return undefined
  return `${stringAt(object, ['kind']) ?? ''} ${stringAt(metadata, ['namespace']) ?? ''}/${name}`
}

/** Of sorted paths the first folders by which neighbours differ; files where both stand in one. */
function dividing(paths: readonly string[]): readonly string[] {
  return paths.slice(1).flatMap((path, index) => {
    const [one, other] = [(paths[index] ?? '').split('/'), path.split('/')]
    const depth = one.findIndex((step, at) => step !== other[at])
    if (depth < 0) return []
    const isFile = [one, other].map((steps) => depth === steps.length - 1)
    return [one, other].flatMap((steps, which) => {
      const mayBeFile = isFile[0] === true && isFile[1] === true
      return isFile[which] === true && !mayBeFile ? [] : [steps.slice(0, depth + 1).join('/')]
    })
  })
}

function deepest(folders: ReadonlySet<string>, path: string): string {
  for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
    if (folders.has(path.slice(0, end))) return path.slice(0, end)
  }
  return ''
}

/**
 * The cluster that the carrier names; empty for the one in which its engine runs, and for one that
 * only rendering can name.
 */
function remoteOf(carrier: JsonObject | undefined): string {
  const spec = at(carrier, ['spec'])
  const template = carrier?.['kind'] === 'ApplicationSet' ? at(spec, ['template', 'spec']) : spec
  return [
    ['destination', 'server'],
    ['destination', 'name'],
    ['kubeConfig', 'secretRef', 'name'],
    ['kubeConfig', 'configMapRef', 'name'],
  ]
    .map((path) => at(template, path))
    .filter(isText)
    .filter((text) => !IN_CLUSTER.test(text) && !isTemplated(text))
    .join(' ')
}

const IN_CLUSTER = /^(?:https:\/\/kubernetes\.default\.svc(?::443)?|in-cluster|)$/

const isText = (value: Json | undefined): value is string => typeof value === 'string'
