import { stringAt } from '../core/json.ts'
import { placeOf } from '../core/manifest.ts'
import { RELEASE_LABELS } from '../core/policies/intent.ts'
import { WAS } from './annotations.ts'
import { hookOf } from './choose.ts'
import type { Decision } from './decide.ts'
import type { StampFault, StampNote, StampOptions } from './stamp-types.ts'
import { annotationPlace, labelOf, namePlace, type Target } from './targets.ts'
import { formatWas } from './was.ts'

/** What a person is told, and what is refused because the run is strict. */
export interface Told {
  readonly notes: readonly StampNote[]
  readonly faults: readonly StampFault[]
}

const NOTHING: Told = { notes: [], faults: [] }

/** Why a Job keeps its name. */
export function tellChoice(target: Target, { strict }: StampOptions): Told {
  const { choice } = target
  if (choice.kind !== 'leave') return NOTHING
  const { code, why, remedy } = choice
  const about = { place: namePlace(target), object: labelOf(target) }
  if (code === 'not-rendered' && strict === true) {
    const fault: StampFault = {
      ...about,
      code: 'NOT_RENDERED',
      what: `it cannot be stamped: ${why}`,
      why: 'a name that is made before would not follow what is filled in',
      remedy,
    }
    return { notes: [], faults: [fault] }
  }
  const severity = code === 'patch' || code === 'not-rendered' ? 'warning' : 'info'
  const note: StampNote = { ...about, code, severity, text: `left alone: ${why}`, remedy }
  return { notes: [note], faults: [] }
}

export function tellDecision(decision: Decision, options: StampOptions): Told {
  const was = tellWas(decision, options)
  return { notes: [...was.notes, ...versionLabels(decision)], faults: was.faults }
}

function tellWas({ target, fingerprint, was, name }: Decision, options: StampOptions): Told {
  if (target.was === undefined) return NOTHING
  const about = { place: annotationPlace(target, WAS), object: labelOf(target) }
  if (was === 'spent') {
    const note: StampNote = {
      ...about,
      code: 'was-spent',
      severity: 'info',
      text: `its content is no longer that of ${target.was.name}, so it is called ${name}`,
      remedy: `the annotation ${WAS} can go`,
    }
    return { notes: [note], faults: [] }
  }
  if (target.was.digest === undefined && options.inPlace !== true) {
    const text = `it keeps the name ${name}, whatever its content will be`
    const remedy = `write ${WAS}: ${formatWas(name, fingerprint.digest)}, so that a later change gets a new name`
    const why = `${WAS} does not say for which content the name was given`
    return options.strict === true
      ? { notes: [], faults: [{ ...about, code: 'STAMP_INVALID', what: text, why, remedy }] }
      : {
          notes: [{ ...about, code: 'was-not-pinned', severity: 'warning', text, remedy }],
          faults: [],
        }
  }
  const note: StampNote = {
    ...about,
    code: 'was-kept',
    severity: 'info',
    text: `it keeps the name ${name}, under which this content has run`,
    remedy: `once its content has changed, the annotation ${WAS} can go`,
  }
  return { notes: [note], faults: [] }
}

/** Of the labels that do not count, those that change while the Job does not. */
const VERSION_LABELS = RELEASE_LABELS.filter(
  (label) => label !== 'app.kubernetes.io/managed-by' && label !== 'heritage',
)

/** The name does not follow them, and the API server refuses to change them under one name. */
function versionLabels({ target, fingerprint }: Decision): readonly StampNote[] {
  if (fingerprint.policy !== 'intent' || target.kind !== 'Job') return []
  // Its engine deletes the Job of the last time before it creates the next one.
  if (hookOf(target.manifest.object) !== undefined) return []
  const path = ['spec', 'template', 'metadata', 'labels']
  const found = VERSION_LABELS.filter(
    (label) =>
      stringAt(target.manifest.object, [...path, label]) !== undefined &&
      !fingerprint.canonical.includes(`${JSON.stringify(label)}:`),
  )
  const [first] = found
  if (first === undefined) return []
  const labels = found.join(' and ')
  return [
    {
      code: 'version-label',
      severity: 'warning',
      place: placeOf(target.manifest, [...path, first], 'key'),
      object: labelOf(target),
      text: `its pod template carries a version (${labels}): a new version alone makes no new name, and Kubernetes refuses to change the template under the old one`,
      remedy: 'take the label out of the pod template; on the Job itself it does no harm',
    },
  ]
}
