import { integerAt, objectAt, stringAt, type JsonObject } from '../../core/json.ts'
import { placeOf } from '../../core/manifest.ts'
import { outermost, positionOf, type Place } from '../../core/source.ts'
import { annotationOf } from '../../engines/metadata.ts'
import type { Subject } from '../../ownership/subject.ts'
import { fullName } from '../../ownership/world.ts'
import { applicationName } from './carriers/argocd.ts'
import { bundleLabel } from './carriers/fleet.ts'
import type { PartLane } from './part.ts'
import type { DeclaredLane } from './snapshot.ts'

/**
 * One lane for each object of a cluster. Two carriers that apply the same one share it, and it is
 * unknown only where it is for both.
 */
export function lanesOf(
  lanes: readonly { readonly cluster: string; readonly lane: PartLane }[],
): readonly DeclaredLane[] {
  const found = new Map<string, DeclaredLane>()
  for (const { cluster, lane } of lanes) {
    const made = declared(lane, cluster)
    const key = `${cluster} ${made.kind} ${made.name}`
    const known = found.get(key)
    found.set(key, known === undefined ? made : both(known, made))
  }
  return [...found.values()]
}

function both(one: DeclaredLane, other: DeclaredLane): DeclaredLane {
  const [first, second] = one.unknown === undefined ? [one, other] : [other, one]
  const isAlike = (first.unknown === undefined) === (second.unknown === undefined)
  const owners = new Set([first.appliedBy, ...(isAlike ? [second.appliedBy] : [])])
  return {
    ...first,
    appliedBy: [...owners].join(' and '),
    subjects: [...first.subjects, ...second.subjects],
  }
}

function declared({ object, subject, unknown }: PartLane, cluster: string): DeclaredLane {
  const { kind } = subject
  const jobSpec = kind === 'Job' ? ['spec'] : ['spec', 'jobTemplate', 'spec']
  const ttlSeconds = integerAt(object, [...jobSpec, 'ttlSecondsAfterFinished'])
  const schedule = kind === 'CronJob' ? stringAt(object, ['spec', 'schedule']) : undefined
  const timeZone = kind === 'CronJob' ? stringAt(object, ['spec', 'timeZone']) : undefined
  return {
    name: laneName(object),
    kind,
    cluster,
    appliedBy: appliedBy(subject),
    engine: subject.traits.assumed ? 'unknown' : subject.engine.title,
    contract: contractOf(object),
    ...(ttlSeconds === undefined ? {} : { ttlSeconds }),
    ...(schedule === undefined ? {} : { schedule }),
    ...(timeZone === undefined ? {} : { timeZone }),
    place: lineOf(outermost(placeOf(subject.manifest, ['metadata', 'name']))),
    ...(unknown === undefined ? {} : { unknown }),
    subjects: [subject],
  }
}

export function laneName(object: JsonObject): string {
  const metadata = objectAt(object, ['metadata'])
  const name =
    stringAt(metadata, ['name']) ?? stringAt(metadata, ['generateName'])?.concat('*') ?? '(no name)'
  return `${stringAt(metadata, ['namespace']) ?? 'default'}/${name}`
}

function appliedBy(subject: Subject): string {
  const { engine, engineGiven, carrier, chain, traits } = subject
  const object = carrier?.object
  if (engineGiven && object === undefined) return `${engine.title} (given)`
  if (traits.assumed) return 'kubectl (assumed)'
  if (object === undefined) return `${engine.title} ${chain[0]?.path ?? ''}`.trim()
  if (engine.id === 'argocd') return `${engine.title} ${applicationName(object)}`
  const kind = stringAt(object, ['kind'])
  if (kind === undefined) return `${engine.title} ${bundleLabel(subject)}`
  // `Flux HelmRelease` says the kind already.
  const title = engine.title.endsWith(` ${kind}`) ? engine.title : `${engine.title} ${kind}`
  return `${title} ${fullName(object)}`
}

/** Only a plain promise makes a repeat harmless. */
function contractOf(object: JsonObject): string {
  const word = annotationOf(object, 'semel.dev/contract')
  return word === 'converges' || word === 'never-again' ? word : 'once'
}

export function lineOf({ source, span }: Place): { readonly path: string; readonly line: number } {
  return { path: source.path, line: positionOf(source, span.start).line }
}
