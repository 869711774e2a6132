export type FaultCode =
  | 'PATH_NOT_FOUND'
  | 'PATH_UNREADABLE'
  | 'NO_INPUT'
  | 'NO_JOBS'
  | 'FILE_TOO_LARGE'
  | 'FILE_NOT_TEXT'
  | 'FILE_TOO_MANY_DOCUMENTS'
  | 'YAML_INVALID'
  | 'YAML_SEPARATOR'
  | 'YAML_ALIAS_BOMB'
  | 'YAML_TOO_DEEP'
  | 'YAML_NO_JSON_FORM'
  | 'JSON_INVALID'
  | 'NAME_INVALID'
  | 'NAME_COLLISION'
  | 'FOLLOW_NOT_FOUND'
  | 'FOLLOW_SECRET_OPEN'
  | 'NOT_RENDERED'
  | 'STAMP_INVALID'
  | 'STAMP_UNSAFE'
  | 'VALUE_NOT_CANONICAL'
  | 'VALUES_INVALID'
  | 'CONFIG_INVALID'
  | 'CONFIG_STALE'
  | 'USAGE'
  | 'RENDER_FAILED'
  | 'RENDER_TOOL_MISSING'
  | 'OUTPUT_UNWRITABLE'
  | 'FILE_CHANGED'
  | 'BASELINE_INVALID'
  | 'BASELINE_STALE'
  | 'BASELINE_GROWS'
  | 'GIT_UNUSABLE'
  | 'TRACE_INVALID'
  | 'SCENARIO_INVALID'

/** never: a bug or a refusal; later: the world may recover; when-changed: the input must change. */
export type Retry = 'never' | 'later' | 'when-changed'

/**
 * The world or the input failed. Every code stands here once, with what to do about it in
 * general; `docs/reference/errors.md` lists the same set (checked in CI).
 */
export const FAULTS: Readonly<Record<FaultCode, { exitCode: number; retry: Retry }>> = {
  PATH_NOT_FOUND: { exitCode: 2, retry: 'when-changed' },
  PATH_UNREADABLE: { exitCode: 2, retry: 'later' },
  NO_INPUT: { exitCode: 2, retry: 'when-changed' },
  NO_JOBS: { exitCode: 2, retry: 'when-changed' },
  FILE_TOO_LARGE: { exitCode: 2, retry: 'when-changed' },
  FILE_NOT_TEXT: { exitCode: 2, retry: 'when-changed' },
  FILE_TOO_MANY_DOCUMENTS: { exitCode: 2, retry: 'when-changed' },
  YAML_INVALID: { exitCode: 2, retry: 'when-changed' },
  YAML_SEPARATOR: { exitCode: 2, retry: 'when-changed' },
  YAML_ALIAS_BOMB: { exitCode: 2, retry: 'when-changed' },
  YAML_TOO_DEEP: { exitCode: 2, retry: 'when-changed' },
  YAML_NO_JSON_FORM: { exitCode: 2, retry: 'when-changed' },
  JSON_INVALID: { exitCode: 2, retry: 'when-changed' },
  NAME_INVALID: { exitCode: 2, retry: 'when-changed' },
  NAME_COLLISION: { exitCode: 2, retry: 'when-changed' },
  FOLLOW_NOT_FOUND: { exitCode: 2, retry: 'when-changed' },
  FOLLOW_SECRET_OPEN: { exitCode: 2, retry: 'when-changed' },
  NOT_RENDERED: { exitCode: 2, retry: 'when-changed' },
  STAMP_INVALID: { exitCode: 2, retry: 'when-changed' },
  STAMP_UNSAFE: { exitCode: 2, retry: 'when-changed' },
  VALUE_NOT_CANONICAL: { exitCode: 2, retry: 'when-changed' },
  VALUES_INVALID: { exitCode: 2, retry: 'when-changed' },
  CONFIG_INVALID: { exitCode: 2, retry: 'when-changed' },
  CONFIG_STALE: { exitCode: 2, retry: 'when-changed' },
  USAGE: { exitCode: 2, retry: 'when-changed' },
  RENDER_FAILED: { exitCode: 2, retry: 'when-changed' },
  RENDER_TOOL_MISSING: { exitCode: 2, retry: 'when-changed' },
  OUTPUT_UNWRITABLE: { exitCode: 2, retry: 'later' },
  FILE_CHANGED: { exitCode: 2, retry: 'later' },
  BASELINE_INVALID: { exitCode: 2, retry: 'when-changed' },
  BASELINE_STALE: { exitCode: 2, retry: 'when-changed' },
  BASELINE_GROWS: { exitCode: 2, retry: 'when-changed' },
  GIT_UNUSABLE: { exitCode: 2, retry: 'when-changed' },
  TRACE_INVALID: { exitCode: 2, retry: 'when-changed' },
  SCENARIO_INVALID: { exitCode: 2, retry: 'when-changed' },
}

export interface FaultDetails {
  /** What happened, with the name of the thing. */
  readonly what: string
  readonly why: string
  readonly remedy: string
  /** `file:line:column`, where there is one. */
  readonly where?: string
  readonly cause?: unknown
}

export class Fault extends Error {
  readonly code: FaultCode
  readonly why: string
  readonly remedy: string
  readonly where: string | undefined

  constructor(code: FaultCode, details: FaultDetails) {
    super(details.what, details.cause === undefined ? undefined : { cause: details.cause })
    this.name = 'Fault'
    this.code = code
    this.why = details.why
    this.remedy = details.remedy
    this.where = details.where
  }

  get exitCode(): number {
    return FAULTS[this.code].exitCode
  }

  get retry(): Retry {
    return FAULTS[this.code].retry
  }
}

/** A bug of ours when false; caught only at the top. */
export function invariant(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(`bug in semel: ${message}`)
}
