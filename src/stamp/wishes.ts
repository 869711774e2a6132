import { stringAt } from '../core/json.ts'
import {
  BASE,
  CONTRACT,
  FIELDS,
  FINGERPRINT,
  ONCE,
  WAS,
  annotationOf,
  formatFingerprint,
} from './annotations.ts'
import type { Decision } from './decide.ts'
import { formatFields } from './fields.ts'
import { formatWas } from './was.ts'
import type { MetadataWish } from './write/metadata.ts'

/** What stamp writes into the metadata of a Job. */
export function wishOf(decision: Decision): MetadataWish {
  const { target, fingerprint, name } = decision
  const annotations = new Map([
    [BASE, target.base],
    [FINGERPRINT, formatFingerprint(fingerprint)],
    [FIELDS, formatFields(fingerprint.fields)],
  ])
  const { was } = target
  if (was !== undefined && was.digest === undefined) {
    annotations.set(WAS, formatWas(was.name, fingerprint.digest))
  }
  return { name, annotations, labels: onceLabel(decision) }
}

/**
 * For the admission rules that keep finished work from running again: they select by labels. A Job
 * that may be repeated needs none; one that had it is told otherwise.
 */
function onceLabel({ target }: Decision): ReadonlyMap<string, string> {
  const { object } = target.manifest
  if (target.kind === 'CronJob') return new Map()
  if (annotationOf(object, CONTRACT) !== 'converges') return new Map([[ONCE, 'true']])
  const before = stringAt(object, ['metadata', 'labels', ONCE])
  return before === undefined ? new Map() : new Map([[ONCE, 'false']])
}
