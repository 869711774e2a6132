import type { Finding } from '../core/findings.ts'
import type { Place, Source } from '../core/source.ts'
import type { FieldChange } from './fields.ts'
import { stamp } from './stamp.ts'
import type {
  RewrittenReference,
  StampedObject,
  StampFault,
  StampNote,
  StampOptions,
} from './stamp-types.ts'

export interface StampCheck {
  /** Empty when stamping again would write nothing. */
  readonly stale: readonly StaleStamp[]
  /** References in files that still say another name. */
  readonly references: readonly RewrittenReference[]
  readonly notes: readonly StampNote[]
  readonly findings: readonly Finding[]
  readonly faults: readonly StampFault[]
  readonly needsFullParser: boolean
  /** Jobs and CronJobs whose names follow their content. */
  readonly checked: number
}

/**
 * unstamped: its name does not follow its content yet. name: it follows other content than it has.
 * annotations: the name is right, what is written down beside it is not.
 */
export type Staleness = 'unstamped' | 'name' | 'annotations'

export interface StaleStamp {
  readonly kind: 'Job' | 'CronJob'
  readonly namespace: string | undefined
  readonly name: string | undefined
  readonly expected: string
  readonly place: Place
  readonly staleness: Staleness
  /** The fields that changed since it was stamped, where that is written down. */
  readonly changes: readonly FieldChange[]
}

/** Which committed names do not match their content: what `semel stamp` would change here. */
export function checkStamps(sources: readonly Source[], options: StampOptions = {}): StampCheck {
  const result = stamp(sources, { inPlace: true, ...options })
  return {
    stale: result.objects.flatMap(staleStamp),
    references: result.references,
    notes: result.notes,
    findings: result.findings,
    faults: result.faults,
    needsFullParser: result.needsFullParser,
    checked: result.objects.length,
  }
}

const STALENESS: Readonly<Record<StampedObject['state'], Staleness | undefined>> = {
  unstamped: 'unstamped',
  renamed: 'name',
  annotated: 'annotations',
  current: undefined,
}

function staleStamp(object: StampedObject): readonly StaleStamp[] {
  const staleness = STALENESS[object.state]
  if (staleness === undefined) return []
  const { kind, namespace, name, newName, place, changes } = object
  return [{ kind, namespace, name, expected: newName, place, staleness, changes }]
}
