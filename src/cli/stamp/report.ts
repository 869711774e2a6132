import { outermost, type Place } from '../../core/source.ts'
import type { StampResult } from '../../stamp/stamp-types.ts'
import type { Problem } from '../problem.ts'
import { VERSION } from '../version.ts'
import type { Tell } from './tell.ts'

/** All that a run knows, for programs; keys may be added, none changes its meaning. */
export function stampJson(
  result: StampResult | undefined,
  problems: readonly Problem[],
  { tell, written }: { readonly tell: Tell; readonly written: readonly string[] },
): string {
  const where = (place: Place): { path: string; line: number; column: number } => {
    const { path, start } = tell.lines.region(outermost(place))
    return { path, line: start.line, column: start.column }
  }
  const report = {
    version: VERSION,
    objects: (result?.objects ?? []).map((object) => ({
      kind: object.kind,
      namespace: object.namespace,
      name: object.name,
      newName: object.newName,
      base: object.base,
      state: object.state,
      fingerprint: fingerprintText(object.fingerprint),
      changes: object.changes,
      ...where(object.place),
    })),
    references: (result?.references ?? []).map(({ place, ...rest }) => ({
      ...rest,
      ...where(place),
    })),
    notes: (result?.notes ?? []).map(({ place, ...rest }) => ({ ...rest, ...where(place) })),
    findings: (result?.findings ?? []).map(
      ({ place, rule, severity, object, what, why, remedy }) => ({
        rule,
        severity,
        object,
        what,
        why,
        remedy,
        ...where(place),
      }),
    ),
    problems: problems.map(({ place, ...rest }) => ({
      ...rest,
      ...(place === undefined ? {} : where(place)),
    })),
    written,
  }
  return `${JSON.stringify(report, undefined, 2)}\n`
}

/** As the annotation has it: `intent/v1:9335...`. */
export function fingerprintText(made: {
  readonly policy: string
  readonly algorithm: string
  readonly digest: string
}): string {
  return `${made.policy}/${made.algorithm}:${made.digest}`
}
