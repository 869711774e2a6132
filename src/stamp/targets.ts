import { Fault } from '../core/faults.ts'
import {
  fingerprint,
  type ConfigDigests,
  type Fingerprint,
  type PolicyId,
} from '../core/fingerprint.ts'
import { at, objectAt, stringAt, type JsonObject } from '../core/json.ts'
import { manifestsOf, placeOf, type Manifest } from '../core/manifest.ts'
import { nameProblem, type NamedKind } from '../core/names.ts'
import type { Place } from '../core/source.ts'
import { annotationOf, BASE, FINGERPRINT, parseFingerprint, WAS } from './annotations.ts'
import { baseOf, contentNameOf } from './base.ts'
import { choose, type Choice } from './choose.ts'
import { embeddedJobs, type Holder } from './embedded.ts'
import type { Part } from './parts.ts'
import type { RecordedStamp, StampFault, StampOptions } from './stamp-types.ts'
import { parseWas, type Was } from './was.ts'

/** A Job or CronJob of the stream, also one that is left alone: others may refer to it. */
export interface Target {
  readonly manifest: Manifest
  readonly part: Part
  readonly kind: NamedKind
  readonly namespace: string | undefined
  /** Undefined where `generateName` is what it has, or nothing. */
  readonly name: string | undefined
  readonly choice: Choice
  readonly base: string
  readonly policy: PolicyId
  /** Of the object as it stands, where it is known already. */
  readonly made: Fingerprint | undefined
  readonly was: Was | undefined
  readonly recorded: RecordedStamp | undefined
}

/** The Jobs and CronJobs of a part; what is wrong with one of them is handed to `refuse`. */
export function targetsOf(
  part: Part,
  options: StampOptions,
  refuse: (fault: StampFault) => void,
): readonly Target[] {
  if (part.reading === undefined) return []
  const context: Context = { part, options, refuse }
  return manifestsOf(part.reading).flatMap((manifest) => {
    const own = targetOf(manifest, undefined, context)
    if (own !== undefined) return [own]
    return embeddedJobs(manifest).flatMap(
      (embedded) => targetOf(embedded.manifest, embedded.holder, context) ?? [],
    )
  })
}

interface Context {
  readonly part: Part
  readonly options: StampOptions
  readonly refuse: (fault: StampFault) => void
}

/** Undefined for what is neither a Job nor a CronJob. */
function targetOf(
  manifest: Manifest,
  holder: Holder | undefined,
  { part, options, refuse }: Context,
): Target | undefined {
  const { kind, apiVersion, object, namespace } = manifest
  if ((kind !== 'Job' && kind !== 'CronJob') || !apiVersion.startsWith('batch/')) return undefined
  const choice = choose(manifest, options, holder)
  const name = stringAt(object, ['metadata', 'name'])
  const generated = stringAt(object, ['metadata', 'generateName'])?.replace(/[-.]+$/, '')
  const stem = name ?? generated ?? ''
  const recordedBase = annotationOf(object, BASE)
  const recordedText = annotationOf(object, FINGERPRINT)
  const parsed = recordedText === undefined ? undefined : parseFingerprint(recordedText)
  const recorded = parsed && { ...parsed, base: recordedBase }
  const wasText = annotationOf(object, WAS)
  const was = wasText === undefined ? undefined : parseWas(wasText)
  const policy = options.policy ?? recorded?.policy ?? 'intent'
  const { base, made } = baseOf({
    isStamped: choice.kind === 'stamp',
    kind,
    object,
    name: stem,
    recordedBase,
    recordedDigest: parsed?.digest,
    was: was?.name,
    policy,
  })
  const naming = { base, policy, made, was, recorded }
  const target: Target = { manifest, part, kind, namespace, name, choice, ...naming }
  if (choice.kind === 'stamp') {
    if (wasText !== undefined && was === undefined) refuse(badWas(target, wasText))
    if (recorded !== undefined && recorded.algorithm !== 'v1')
      refuse(newer(target, recorded.algorithm))
  }
  return target
}

/** `Job shop/migrate`. */
export function labelOf({
  kind,
  namespace,
  name,
  manifest,
}: Pick<Target, 'kind' | 'namespace' | 'name' | 'manifest'>): string {
  const shown = name ?? stringAt(manifest.object, ['metadata', 'generateName']) ?? '(no name)'
  return namespace === undefined ? `${kind} ${shown}` : `${kind} ${namespace}/${shown}`
}

export function namePlace({ manifest }: Pick<Target, 'manifest'>): Place {
  const key = at(manifest.object, ['metadata', 'name']) === undefined ? 'generateName' : 'name'
  return placeOf(manifest, ['metadata', key])
}

export function annotationPlace({ manifest }: Pick<Target, 'manifest'>, key: string): Place {
  return placeOf(manifest, ['metadata', 'annotations', key])
}

export interface Named {
  readonly name: string
  readonly fingerprint: Fingerprint
  /** kept: `semel.dev/was` names what already ran. spent: it did, and the content has changed. */
  readonly was: 'none' | 'kept' | 'spent'
}

/** The name of a target whose content is `object`; throws a `Fault` when none can be made. */
export function nameTarget(target: Target, object: JsonObject, inputs: ConfigDigests): Named {
  const { kind, base, was, policy } = target
  if (base === '') throw noText(target)
  const isAsItStands = object === target.manifest.object && Object.keys(inputs).length === 0
  const made =
    (isAsItStands ? target.made : undefined) ?? fingerprint(object, { policy, config: inputs })
  if (was !== undefined && (was.digest === undefined || made.digest.startsWith(was.digest))) {
    const problem = nameProblem(kind, was.name, objectAt(object, ['spec']) ?? {})
    if (problem !== undefined) {
      throw new Fault('NAME_INVALID', {
        what: `${WAS} names '${was.name}', which no ${kind} can be called`,
        why: problem.why,
        remedy: `write the name that the ${kind} has in the cluster`,
      })
    }
    return { name: was.name, fingerprint: made, was: 'kept' }
  }
  const name = contentNameOf(kind, object, base, made.digest)
  return { name, fingerprint: made, was: was === undefined ? 'none' : 'spent' }
}

function noText({ manifest }: Target): Fault {
  const value = at(manifest.object, ['metadata', 'name'])
  const isScalar = typeof value === 'number' || typeof value === 'boolean'
  return new Fault('NAME_INVALID', {
    what: isScalar ? `the name is the ${typeof value} ${value}` : 'the name is no text',
    why: 'Kubernetes refuses a name that is not text',
    remedy: isScalar ? `quote it: "${value}"` : 'write a name',
  })
}

function badWas(target: Target, text: string): StampFault {
  return {
    code: 'STAMP_INVALID',
    place: annotationPlace(target, WAS),
    object: labelOf(target),
    what: `${WAS} is '${text}', which is no name`,
    why: 'it says under which name this content has already run',
    remedy: 'write the old name, or the old name, @ and the first eight digits of the fingerprint',
  }
}

function newer(target: Target, algorithm: string): StampFault {
  return {
    code: 'STAMP_INVALID',
    place: annotationPlace(target, FINGERPRINT),
    object: labelOf(target),
    what: `it was stamped with the fingerprint algorithm ${algorithm}, and this semel knows v1 only`,
    why: 'another fingerprint would give the Job a new name, and it would run again',
    remedy: 'use the version of semel that stamped it, or a later one',
  }
}
