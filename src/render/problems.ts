import { fieldPath, type Path } from '../core/json.ts'
import { compareText } from '../core/text.ts'

export type JobGroupCode = keyof typeof JOB_GROUP_CODES

export interface RenderProblem {
  readonly code: JobGroupCode
  readonly severity: 'error' | 'warning'
  /** The job, group or key that it is about. */
  readonly path: Path
  readonly text: string
  readonly remedy: string
  /** Where to look: the value that decided. May be missing in the values; then what is around it. */
  readonly at: Path
  readonly on: 'key' | 'value'
}

/** Every code of the specification once. Those from JG200 on warn and stop nothing. */
export const JOB_GROUP_CODES = {
  JG100: 'a removed top-level key is present',
  JG101: '`tasks` together with `command` or `args` on one level',
  JG102: 'unknown key',
  JG103: 'a name that is no DNS-1123 label, or a full name longer than 63',
  JG104: 'wrong type, or a value that is not one of those allowed',
  JG106: 'kind CronJob without `schedule`',
  JG107: 'kind CronJob with a hook',
  JG108: 'hash is on, and the object is deleted or replaced on every sync',
  JG109: 'hash is on, a TTL is set, and the engine restores missing objects',
  JG110: 'image repository missing, or neither tag nor digest',
  JG111: 'a tag that can move where it must not',
  JG112: 'fields of the Job that do not go together',
  JG113: 'a field of CronJobs on kind Job',
  JG115: 'two entries render one name',
  JG116: 'number or boolean where text is required',
  JG117: 'env entry without exactly one of `value` and `valueFrom`',
  JG118: 'variables that refer to each other in a circle',
  JG119: 'mount without volume, two mounts on one path, or a reserved volume name',
  JG120: 'no hash, and nothing that replaces the Job',
  JG121: '`adoptName` is too long or taken',
  JG201: 'tag without digest',
  JG202: 'pod annotations are not part of the hash',
  JG203: 'external ConfigMap or Secret',
  JG204: 'numeric prefixes of different width',
  JG205: "neither command nor args: the image's entry point runs",
} as const

function severityOf(code: JobGroupCode): RenderProblem['severity'] {
  return code < 'JG200' ? 'error' : 'warning'
}

/** `error JG106: jobGroups.nightly.jobs.report: schedule is required when kind is CronJob`. */
export function problemLine({ code, severity, path, text }: RenderProblem): string {
  return `${severity} ${code}: ${shownPath(path)}: ${text}`
}

/** Of the values as a whole, `values`. */
export function shownPath(path: Path): string {
  return path.length === 0 ? 'values' : fieldPath(path)
}

export function sortProblems(problems: readonly RenderProblem[]): readonly RenderProblem[] {
  const keyed = problems.map((problem) => ({ problem, path: shownPath(problem.path) }))
  return keyed
    .sort(
      (one, other) =>
        compareText(one.path, other.path) ||
        compareText(one.problem.code, other.problem.code) ||
        compareText(one.problem.text, other.problem.text),
    )
    .map(({ problem }) => problem)
}

/** What a check says; the rest follows from the code. */
export interface Said {
  readonly text: string
  readonly remedy: string
  readonly at?: Path
  readonly on?: 'key' | 'value'
}

export function problemOf(code: JobGroupCode, path: Path, said: Said): RenderProblem {
  const { text, remedy, at = path, on = 'key' } = said
  return { code, severity: severityOf(code), path, text, remedy, at, on }
}
