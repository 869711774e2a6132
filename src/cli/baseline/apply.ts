import path from 'node:path'
import { kindOfPath } from '../../adapters/files.ts'
import { replaceFile } from '../../adapters/replace-file.ts'
import { Fault } from '../../core/faults.ts'
import type { Finding } from '../../core/findings.ts'
import {
  baselineText,
  identitiesOf,
  matchBaseline,
  type BaselineEntry,
  type Identity,
} from '../../lint/baseline.ts'
import { levelAt, NO_CONFIG } from '../../lint/config.ts'
import { allRules, type Judgement } from '../judge.ts'
import type { WriteBaseline } from '../lint-options.ts'
import { problemAt, problemOf, type Problem } from '../problem.ts'
import { count } from '../words.ts'
import type { LoadedBaseline, PlacedEntry } from './load.ts'

export interface Applied {
  /** Not in the baseline. */
  readonly open: readonly Finding[]
  readonly known: readonly { readonly finding: Finding; readonly entry: BaselineEntry }[]
  readonly problems: readonly Problem[]
  /** What was written, for people. */
  readonly said?: string
}

/** Parts the findings, and says which entries hold nothing any more. */
export function applyBaseline(judged: Judgement, baseline: LoadedBaseline): Applied {
  const { open, known, idle } = match(judged, baseline)
  const problems = idle
    .filter((entry) => isJudged(entry, judged, baseline))
    .map(({ place, rule, object }) =>
      problemAt('BASELINE_STALE', place, {
        what: `the entry of ${rule} on ${object} matches no finding any more`,
        why: 'it would hide the next fault of this kind without a word',
        remedy: `take it out: semel lint --baseline ${baseline.shown} --write-baseline`,
      }),
    )
  return { open, known, problems }
}

/**
 * Writes the baseline that the findings ask for. It only shrinks by itself: what is new is refused
 * unless somebody says so, and why. Entries for what this run has not looked at stay.
 */
export function writeBaseline(
  judged: Judgement,
  baseline: LoadedBaseline,
  { reason, acceptNew }: WriteBaseline,
): Applied {
  const { open, known, idle } = match(judged, baseline)
  const isFirst = baseline.bytes === undefined
  if (open.length > 0 && !isFirst && !acceptNew) {
    return { open, known, problems: [problemOf(grows(open, baseline))] }
  }
  if (open.length > 0 && reason === undefined) throw needsReason(open.length)
  const added = new Map<string, BaselineEntry>()
  const nowKnown = open.map((finding) => {
    const [identity] = identities(judged, baseline)(finding)
    const file = fileFrom(baseline, finding, judged)
    const entry = { ...(identity as Identity), file, reason: (reason ?? '').trim() }
    if (!added.has(entry.fingerprint)) added.set(entry.fingerprint, entry)
    return { finding, entry }
  })
  const kept = baseline.entries.filter(
    (entry) => !idle.includes(entry) || !isJudged(entry, judged, baseline),
  )
  const text = baselineText([...kept, ...added.values()])
  replaceFile({
    file: path.join(baseline.folder, path.basename(baseline.shown)),
    shown: baseline.shown,
    before: baseline.bytes,
    after: new TextEncoder().encode(text),
  })
  const gone = baseline.entries.length - kept.length
  const said = `Wrote ${baseline.shown}: ${count(kept.length + added.size, 'finding')}, ${added.size} added, ${gone} taken out.`
  return { open: [], known: [...known, ...nowKnown], problems: [], said }
}

function match(
  judged: Judgement,
  baseline: LoadedBaseline,
): ReturnType<typeof matchBaseline<PlacedEntry>> {
  return matchBaseline(judged.result.findings, identities(judged, baseline), baseline.entries)
}

function identities(
  judged: Judgement,
  baseline: LoadedBaseline,
): (finding: Finding) => readonly Identity[] {
  return (finding) => {
    const subjects = judged.result.subjects.get(finding) ?? []
    return identitiesOf(finding, subjects, fileFrom(baseline, finding, judged))
  }
}

function fileFrom({ folder }: LoadedBaseline, { place }: Finding, { naming }: Judgement): string {
  const absolute = naming.absolute(place.source.path)
  return path.relative(folder, absolute).replaceAll(path.sep, '/')
}

/** Whether the finding of an entry would have been seen, had it still been there. */
function isJudged(entry: BaselineEntry, judged: Judgement, { folder }: LoadedBaseline): boolean {
  const { naming, reading, config } = judged
  const absolute = path.resolve(folder, entry.file)
  if (!naming.covers(absolute)) return false
  const shown = naming.shown(absolute)
  if (reading.unread.has(shown)) return false
  const rule = allRules.find(({ id }) => id === entry.rule)
  if (rule === undefined) return true
  const isOff = levelAt(config?.lint ?? NO_CONFIG, rule, shown) === 'off'
  return !isOff || kindOfPath(absolute) === undefined
}

function grows(open: readonly Finding[], { shown }: LoadedBaseline): Fault {
  const [first] = open
  const one = first === undefined ? '' : `, for example ${first.rule} on ${first.object}`
  return new Fault('BASELINE_GROWS', {
    what: `${count(open.length, 'finding')} would be added to ${shown}${one}`,
    why: 'a baseline may only shrink, or it would take in whatever comes',
    remedy: 'fix or suppress them, or add --accept-new --reason "why they may stay"',
    where: shown,
  })
}

function needsReason(findings: number): Fault {
  return new Fault('USAGE', {
    what: `${count(findings, 'finding')} would be written down without a reason`,
    why: 'without one nobody can tell later whether they may still stay',
    remedy: 'add --reason "why they may stay"',
  })
}
