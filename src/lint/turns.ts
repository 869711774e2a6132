import { listAt, objectAt, stringAt, type JsonObject } from '../core/json.ts'
import type { Manifest } from '../core/manifest.ts'
import { textOf } from '../core/source.ts'
import type { Turn } from '../engines/engine.ts'
import type { Companion, Link, Subject } from '../ownership/subject.ts'
import { beyond, guardsOf, type Guard } from './guards.ts'
import { annotationPath } from './helpers.ts'

/** When an object is applied, and under which conditions of a template that holds. */
export interface Timed {
  readonly turn: Turn
  /** Conditions beyond those of the object itself; empty when it always holds. */
  readonly when: readonly Guard[]
  /** `otherwise`: the turn where these conditions do not hold. */
  readonly otherwise: boolean
}

/**
 * The turn of a Job among what is applied with it: by hooks and waves, or by the steps of its
 * carrier. Undefined where all is applied at once, and where the turn is not known.
 */
export function turnOfSubject(subject: Subject): Turn | undefined {
  const { engine, object, chain, manifest } = subject
  if (hasTwoAnnotations(manifest)) return undefined
  return engine.turnOf === undefined ? stepTurn(subject, chain) : engine.turnOf(object)
}

/**
 * The turns of an object beside the Job: two where its hook or wave annotation stands under a
 * condition that the Job does not share.
 */
export function turnsOf(subject: Subject, companion: Companion): readonly Timed[] {
  const { engine } = subject
  if (engine.turnOf === undefined) return timed(stepTurn(subject, companion.links))
  const { object, manifest } = companion
  if (hasTwoAnnotations(manifest)) return []
  const turn = engine.turnOf(object)
  const when = beyond(orderGuards(manifest), jobGuards(subject))
  if (when.length === 0) return timed(turn)
  return [...timed(turn, when), ...timed(engine.turnOf(withoutOrder(object)), when, true)]
}

function timed(
  turn: Turn | undefined,
  when: readonly Guard[] = [],
  otherwise = false,
): readonly Timed[] {
  return turn === undefined ? [] : [{ turn, when, otherwise }]
}

/** All conditions around the Job and its hook annotation. */
export function jobGuards({ manifest }: Subject): readonly Guard[] {
  return [...objectGuards(manifest), ...orderGuards(manifest)]
}

export function objectGuards(manifest: Manifest): readonly Guard[] {
  return guardsOf(manifest, ['kind'])
}

/** Those around the annotations that say when, beyond those of the object. */
export function orderGuards(manifest: Manifest): readonly Guard[] {
  const own = objectGuards(manifest)
  const annotations = objectAt(manifest.object, ['metadata', 'annotations']) ?? {}
  return ORDER.flatMap((key) =>
    key in annotations ? beyond(guardsOf(manifest, annotationPath(key)), own) : [],
  )
}

const ORDER = [
  'argocd.argoproj.io/hook',
  'argocd.argoproj.io/sync-wave',
  'helm.sh/hook',
  'helm.sh/hook-weight',
]

/**
 * Two blocks of annotations in one object, as branches of a template or by mistake: which of them
 * a rendering has is not known.
 */
function hasTwoAnnotations({ document, root }: Manifest): boolean {
  const metadata = document.locate([...root, 'metadata'])?.value
  const text = metadata === undefined ? '' : textOf(document.source, metadata)
  return (text.match(/^\s*["']?annotations["']?\s*:/gm) ?? []).length > 1
}

function withoutOrder(object: JsonObject): JsonObject {
  const metadata = objectAt(object, ['metadata']) ?? {}
  const annotations = Object.entries(objectAt(object, ['metadata', 'annotations']) ?? {})
  const rest = annotations.filter(([key]) => !ORDER.includes(key))
  return { ...object, metadata: { ...metadata, annotations: Object.fromEntries(rest) } }
}

/** Steps are named in the chain, and stand in their order in the carrier. */
function stepTurn({ carrier }: Subject, links: readonly Link[]): Turn | undefined {
  const steps = listAt(carrier?.object, ['spec', 'steps']).map((step) => stringAt(step, ['name']))
  const link = links.find(({ label }) => STEP.test(label))
  const name = link?.label.replace(STEP, '')
  const index = steps.findIndex((step) => step !== undefined && step === name)
  return index < 0 ? undefined : { phase: 'with', wave: index, words: `in step ${name}` }
}

const STEP = /^step /
