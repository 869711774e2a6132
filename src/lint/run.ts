import { compareText } from '../core/text.ts'
import { invariant } from '../core/faults.ts'
import type { Finding, Severity } from '../core/findings.ts'
import { jsonPointer } from '../core/json.ts'
import { placeOf, type Manifest } from '../core/manifest.ts'
import { outermost, type Place, type Source, type Span } from '../core/source.ts'
import type { Repository, Subject } from '../ownership/subject.ts'
import { builtinRules, suppressionInvalid, suppressionUnused } from './builtin.ts'
import { levelAt, levelsOf, type LintConfig } from './config.ts'
import { isSameFix, readyFix, type ReadyFix } from './fix.ts'
import { label } from './helpers.ts'
import type { Rule, RuleContext, RuleFinding } from './rule.ts'
import { readSuppressions, type Suppression } from './suppressions.ts'

/**
 * Judges a repository with the given rules and Semel's own. Findings come sorted by path and
 * position, each once however many subjects share it. `today` (YYYY-MM-DD) ends suppressions.
 */
export function lint(
  repository: Repository,
  rules: readonly Rule[],
  config: LintConfig,
  today: string,
): LintResult {
  const all = [...rules, ...builtinRules]
  const run: Run = {
    repository,
    config,
    subjects: repository.subjects.map((subject) => ({ subject, path: pathOf(subject.manifest) })),
    subjectsAt: subjectFinder(repository),
  }
  const found = all.flatMap((rule) => judge(rule, run))
  const reading = readSuppressions(repository, { rules: new Set(suppressibleIds(all)), today })
  const { open, suppressed, used } = suppress(
    withoutRepeats(found).toSorted(byPlace),
    reading.suppressions,
  )
  const unused = reading.suppressions.filter(
    (suppression) => !used.has(suppression) && isOn(suppression, all, config),
  )
  const own = [
    ...reading.wrong.flatMap((wrong) => finish(suppressionInvalid, wrong, [], config)),
    ...unused.flatMap((one) => finish(suppressionUnused, unusedFinding(one), [], config)),
  ]
  const sorted = [...open, ...own].sort(byPlace)
  const findings = sorted.map(({ finding }) => finding)
  const subjects = new Map(sorted.map(({ finding, subjects }) => [finding, subjects]))
  const fixes = new Map(
    sorted.flatMap(({ finding, fix }) => (fix === undefined ? [] : [[finding, fix] as const])),
  )
  return { findings, suppressed, counts: countBySeverity(findings), subjects, fixes }
}

export interface LintResult {
  readonly findings: readonly Finding[]
  readonly suppressed: readonly SuppressedFinding[]
  readonly counts: Readonly<Record<Severity, number>>
  /** Whom each finding is about; empty for findings on files. */
  readonly subjects: ReadonlyMap<Finding, readonly Subject[]>
  /** How findings go by a change of bytes, where one answer is right. */
  readonly fixes: ReadonlyMap<Finding, ReadyFix>
}

export interface SuppressedFinding {
  readonly finding: Finding
  readonly reason: string
  readonly until?: string
  /** The comment or the annotation. */
  readonly by: Place
}

interface Judged {
  readonly finding: Finding
  readonly subjects: readonly Subject[]
  readonly fix?: ReadyFix
}

interface Run {
  readonly repository: Repository
  readonly config: LintConfig
  readonly subjects: readonly { readonly subject: Subject; readonly path: string }[]
  readonly subjectsAt: SubjectFinder
}

function judge(rule: Rule, { repository, config, subjects, subjectsAt }: Run): readonly Judged[] {
  const context: RuleContext = { contract: config.contract }
  const judged: Judged[] = []
  const add = (finding: RuleFinding, about: readonly Subject[]): void => {
    judged.push(...finish(rule, finding, about, config))
  }
  if (rule.check !== undefined) {
    const levelOf = levelsOf(config, rule)
    for (const { subject, path } of subjects) {
      if (!rule.kinds.includes(subject.kind) || levelOf(path) === 'off') continue
      for (const finding of rule.check(subject, context)) add(finding, [subject])
    }
  }
  if (rule.checkFile !== undefined) {
    for (const file of repository.files) {
      for (const finding of rule.checkFile(file, context)) add(finding, subjectsAt(finding))
    }
  }
  for (const finding of rule.checkRepository?.(repository, context) ?? []) {
    add(finding, finding.subject === undefined ? subjectsAt(finding) : [])
  }
  return judged
}

/** Adds what the runner knows; nothing when semel.yaml switches the rule off for that file. */
function finish(
  rule: Rule,
  found: RuleFinding,
  about: readonly Subject[],
  config: LintConfig,
): readonly Judged[] {
  const subject = found.subject ?? about[0]
  const subjects = found.subject === undefined ? about : [found.subject]
  const { at = [], show = 'value', what, why, remedy, related = [] } = found
  const place = outermost(found.place ?? subject?.placeOf(at, show) ?? NOWHERE)
  const owner = subject === undefined ? place.source.path : pathOf(subject.manifest)
  const level = levelAt(config, rule, owner)
  if (level === 'off') return []
  const finding: Finding = {
    rule: rule.id,
    severity: level ?? found.severity ?? rule.severity,
    place,
    object: subject === undefined ? place.source.path : label(subject),
    pointer: found.at === undefined ? '' : jsonPointer(at),
    what,
    why,
    remedy,
    related: related.map(({ place: other, note }) => ({ place: outermost(other), note })),
  }
  const fix = fixOf(rule, found, subject)
  return [{ finding, subjects, ...(fix === undefined ? {} : { fix }) }]
}

function fixOf(
  rule: Rule,
  { fix }: RuleFinding,
  subject: Subject | undefined,
): ReadyFix | undefined {
  if (fix === undefined) return undefined
  const kind = fix.safe ? 'safe' : 'unsafe'
  invariant(
    rule.fixes?.includes(kind) === true,
    `${rule.id} does not say that it has ${kind} fixes`,
  )
  return readyFix(fix, subject)
}

/** For a rule that names neither a place nor a subject, which would be a bug of that rule. */
const NOWHERE: Place = {
  source: { path: '.', bytes: new Uint8Array() },
  span: { start: 0, end: 0 },
}

type SubjectFinder = (finding: RuleFinding) => readonly Subject[]

/** Finds the subjects whose text holds the place of a finding on a file. */
function subjectFinder({ subjects }: Repository): SubjectFinder {
  let bySource: Map<Source, { span: Span; subject: Subject }[]> | undefined
  return ({ place }) => {
    if (place === undefined) return []
    bySource ??= groupBySource(subjects)
    const { source, span: wanted } = outermost(place)
    return (bySource.get(source) ?? [])
      .filter(({ span }) => wanted.start >= span.start && wanted.start < span.end)
      .map(({ subject }) => subject)
  }
}

function groupBySource(
  subjects: readonly Subject[],
): Map<Source, { span: Span; subject: Subject }[]> {
  const groups = new Map<Source, { span: Span; subject: Subject }[]>()
  for (const subject of subjects) {
    const { source, span } = textOfManifest(subject.manifest)
    const group = groups.get(source)
    if (group === undefined) groups.set(source, [{ span, subject }])
    else group.push({ span, subject })
  }
  return groups
}

/** A whole document with its comments, or the item of a list, in the outermost source. */
export function textOfManifest({ document, root }: Manifest): Place {
  const item = root.length === 0 ? undefined : document.locate(root)?.value
  return outermost({ source: document.source, span: item ?? document.span })
}

/**
 * A file that several carriers apply gives the same words about the same place for each of them,
 * but for the object's name. They are one finding; the other objects are named beside it.
 */
function withoutRepeats(judged: readonly Judged[]): readonly Judged[] {
  const distinct = new Map<string, Judged[]>()
  for (const one of judged) {
    const { rule, severity, place, object, what, why } = one.finding
    const words = [what, why].map((text) => text.replaceAll(object, ''))
    const key = JSON.stringify([rule, severity, place.source.path, place.span.start, ...words])
    const group = distinct.get(key)
    if (group === undefined) distinct.set(key, [one])
    else group.push(one)
  }
  return [...distinct.values()].map(merged)
}

function merged(group: readonly Judged[]): Judged {
  const [first] = group
  invariant(first !== undefined, 'a group of findings is empty')
  if (group.length === 1) return first
  const named = new Set([first.finding.object])
  const others: Finding['related'][number][] = []
  for (const { finding, subjects } of group) {
    if (named.has(finding.object)) continue
    named.add(finding.object)
    const carrier = subjects[0]?.carrier
    const place = carrier === undefined ? finding.place : outermost(placeOf(carrier, []))
    others.push({ place, note: `the same for ${finding.object}` })
  }
  return {
    finding: { ...first.finding, related: [...first.finding.related, ...others] },
    subjects: [...new Set(group.flatMap(({ subjects }) => subjects))],
    // What is right for one carrier and not for the other is right for neither.
    ...(first.fix !== undefined && group.every(({ fix }) => isSameFix(fix, first.fix))
      ? { fix: first.fix }
      : {}),
  }
}

function suppress(
  judged: readonly Judged[],
  suppressions: readonly Suppression[],
): {
  readonly open: readonly Judged[]
  readonly suppressed: readonly SuppressedFinding[]
  readonly used: ReadonlySet<Suppression>
} {
  const open: Judged[] = []
  const suppressed: SuppressedFinding[] = []
  const used = new Set<Suppression>()
  for (const one of judged) {
    const { finding, subjects } = one
    const manifests: readonly (Manifest | undefined)[] =
      subjects.length === 0 ? [undefined] : subjects.map(({ manifest }) => manifest)
    const matching = suppressions.filter(
      ({ rule, covers }) =>
        rule === finding.rule && manifests.every((manifest) => covers(finding.place, manifest)),
    )
    for (const suppression of matching) used.add(suppression)
    const first = matching[0]
    if (first === undefined) open.push(one)
    else {
      const { reason, until, place } = first
      suppressed.push({ finding, reason, ...(until === undefined ? {} : { until }), by: place })
    }
  }
  return { open, suppressed, used }
}

/** Without its rule a suppression cannot show whether it is still needed. */
function isOn({ rule: id, place }: Suppression, all: readonly Rule[], config: LintConfig): boolean {
  const rule = all.find((one) => one.id === id)
  return rule !== undefined && levelAt(config, rule, place.source.path) !== 'off'
}

function unusedFinding({ rule, reason, place, removal }: Suppression): RuleFinding {
  return {
    place,
    ...(removal === undefined ? {} : { fix: removal }),
    what: `nothing is left here that ${rule} would report`,
    why: `the suppression ("${reason}") would hide the next fault of this kind without a word`,
    remedy: 'remove the suppression',
  }
}

function suppressibleIds(all: readonly Rule[]): readonly string[] {
  return all
    .filter((rule) => rule !== suppressionInvalid && rule !== suppressionUnused)
    .map(({ id }) => id)
}

function countBySeverity(findings: readonly Finding[]): Readonly<Record<Severity, number>> {
  const counts = { error: 0, warning: 0, info: 0 }
  for (const { severity } of findings) counts[severity] += 1
  return counts
}

function byPlace({ finding: one }: Judged, { finding: other }: Judged): number {
  return (
    compareText(one.place.source.path, other.place.source.path) ||
    one.place.span.start - other.place.span.start ||
    compareText(one.rule, other.rule) ||
    compareText(one.what, other.what)
  )
}

function pathOf({ document: { source, span } }: Manifest): string {
  return outermost({ source, span }).source.path
}
