import path from 'node:path'
import type * as z from 'zod'
import { kindOfPath } from '../../adapters/files.ts'
import { readSource } from '../../adapters/read-source.ts'
import { Fault } from '../../core/faults.ts'
import { fieldPath } from '../../core/json.ts'
import type { Place } from '../../core/source.ts'
import type { YamlDocument } from '../../core/yaml/document.ts'
import { readFile } from '../../core/yaml/read-file.ts'
import { identityFingerprint, type BaselineEntry } from '../../lint/baseline.ts'
import { placeIn } from '../config/issues.ts'
import { problemAt, problemOf, type Problem } from '../problem.ts'
import { baselineSchema } from './schema.ts'

export interface LoadedBaseline {
  /** As the user named it. */
  readonly shown: string
  /** Paths in it start here; absolute. */
  readonly folder: string
  readonly entries: readonly PlacedEntry[]
  /** As it was read, so that nobody else's change is overwritten. */
  readonly bytes: Uint8Array | undefined
}

export interface PlacedEntry extends BaselineEntry {
  readonly place: Place
}

/** Reads a baseline; `mayBeMissing` takes a file that is not there for an empty one. */
export function loadBaseline(
  file: string,
  { cwd, mayBeMissing }: { readonly cwd: string; readonly mayBeMissing: boolean },
): LoadedBaseline | readonly Problem[] {
  const absolute = path.resolve(cwd, file)
  const shown = file.replaceAll(path.sep, '/')
  const folder = path.dirname(absolute)
  if (kindOfPath(absolute) === undefined) {
    if (mayBeMissing) return { shown, folder, entries: [], bytes: undefined }
    return [problemOf(missing(shown))]
  }
  const source = readSource({ path: shown, absolute, isNamed: true }, MAX_BYTES)
  const reading = readFile(source, { wanted: { all: true, needles: [] }, fullParser: undefined })
  const [document] = reading.documents
  if (document?.parser !== 'json' || reading.errors.length > 0 || reading.documents.length > 1) {
    const [error] = reading.errors
    const span = error?.span ?? { start: 0, end: Math.min(1, source.bytes.length) }
    const what = `${shown} is no JSON${error === undefined ? '' : `: ${error.what}`}`
    return [problemAt('BASELINE_INVALID', { source, span }, invalid(what))]
  }
  const parsed = baselineSchema().safeParse(document.value())
  if (!parsed.success) return parsed.error.issues.map((issue) => issueProblem(issue, document))
  const entries = parsed.data.findings.map((entry, index) => ({
    ...entry,
    place: placeIn(document, ['findings', index, 'fingerprint'], 'value'),
  }))
  const wrong = [...edited(entries), ...repeated(entries)]
  return wrong.length > 0 ? wrong : { shown, folder, entries, bytes: source.bytes }
}

/** Enough for some tens of thousands of findings. */
const MAX_BYTES = 1 << 25

function missing(shown: string): Fault {
  return new Fault('PATH_NOT_FOUND', {
    what: `the baseline ${shown} does not exist`,
    why: 'so nobody knows which findings are known',
    remedy: `write it: semel lint --baseline ${shown} --write-baseline --reason "why they may stay"`,
    where: shown,
  })
}

function invalid(what: string): { what: string; why: string; remedy: string } {
  return {
    what,
    why: 'nobody can tell which findings it holds',
    remedy: 'correct it, or delete it and write it anew with --write-baseline',
  }
}

function issueProblem(issue: z.core.$ZodIssue, document: YamlDocument): Problem {
  const steps = issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step))
  if (issue.code === 'unrecognized_keys') {
    const [key = ''] = issue.keys
    const what = `${fieldPath(steps) || 'a baseline'} has no key ${key}`
    return problemAt('BASELINE_INVALID', placeIn(document, [...steps, key], 'key'), invalid(what))
  }
  const what =
    steps.at(-1) === 'reason'
      ? `${fieldPath(steps)} does not say why the finding may stay`
      : `${fieldPath(steps) || 'the baseline'}: ${issue.message}`
  return problemAt('BASELINE_INVALID', placeIn(document, steps, 'value'), invalid(what))
}

function edited(entries: readonly PlacedEntry[]): readonly Problem[] {
  return entries
    .filter((entry) => identityFingerprint(entry) !== entry.fingerprint)
    .map(({ place, rule, object }) =>
      problemAt('BASELINE_INVALID', place, {
        what: `the entry of ${rule} on ${object} is not the one that semel wrote`,
        why: 'its fingerprint does not belong to its rule, object, pointer and value',
        remedy: 'undo the edit; only reason and file may be changed by hand',
      }),
    )
}

function repeated(entries: readonly PlacedEntry[]): readonly Problem[] {
  const seen = new Set<string>()
  return entries.flatMap(({ fingerprint, place, rule, object }) => {
    if (!seen.has(fingerprint)) {
      seen.add(fingerprint)
      return []
    }
    return [
      problemAt('BASELINE_INVALID', place, {
        what: `the entry of ${rule} on ${object} stands twice`,
        why: 'one entry covers a finding, however often it stands',
        remedy: 'remove one of them',
      }),
    ]
  })
}
