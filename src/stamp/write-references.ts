import type { Finding } from '../core/findings.ts'
import { jsonPointer } from '../core/json.ts'
import type { Decisions, Verdict } from './decide.ts'
import type { Drafts } from './drafts.ts'
import { referenceEdits, referenceSpan, whyNotWritable } from './reference-edits.ts'
import type { Reference } from './references/collect.ts'
import type { RewrittenReference, StampNote } from './stamp-types.ts'
import { labelOf, namePlace, type Target } from './targets.ts'
import { withParts, type Replacement } from './values.ts'

/** The rule under which references that a person has to look at are reported. */
const REFERENCE_RULE = 'reference-to-hashed-name'

export interface ReferenceOutcome {
  readonly rewritten: readonly RewrittenReference[]
  readonly findings: readonly Finding[]
  readonly notes: readonly StampNote[]
}

/** Lets references follow the new names; what cannot follow for certain becomes a finding. */
export function writeReferences(
  references: readonly Reference[],
  { verdicts }: Decisions,
  drafts: Drafts,
): ReferenceOutcome {
  const rewritten: RewrittenReference[] = []
  const findings: Finding[] = []
  const notes: StampNote[] = []
  const texts = new TextGroups()
  for (const reference of references) {
    const verdict = verdicts.get(reference)
    if (verdict === undefined || verdict.kind === 'right') continue
    const why = verdict.kind === 'doubt' ? verdict.why : whyNotWritable(reference)
    if (why === undefined) {
      texts.add(reference, verdict.name)
      rewritten.push(rewrittenReference(reference, verdict.name))
      if (reference.fixed !== undefined) notes.push(fixedName(reference, reference.fixed))
    } else {
      findings.push(findingOf(reference, verdict, why))
    }
  }
  for (const { reference, replacements } of texts.groups()) {
    const { part, reading, document, mention } = reference
    drafts.edit(part, reading, referenceEdits(reference, replacements))
    const where = { document, path: mention.path }
    drafts.expect(part, reading, where, () => withParts(mention.text, replacements))
  }
  return { rewritten, findings, notes }
}

interface TextGroup {
  readonly reference: Reference
  readonly replacements: Replacement[]
}

/** The references that stand in one and the same text. */
class TextGroups {
  private readonly byDocument = new Map<Reference['document'], Map<string, TextGroup>>()

  add(reference: Reference, name: string): void {
    const { document, mention } = reference
    const groups = this.byDocument.get(document) ?? new Map<string, TextGroup>()
    this.byDocument.set(document, groups)
    const key = JSON.stringify(mention.path)
    const group = groups.get(key) ?? { reference, replacements: [] }
    groups.set(key, group)
    group.replacements.push({ start: mention.start, end: mention.end, text: name })
  }

  groups(): readonly TextGroup[] {
    return [...this.byDocument.values()].flatMap((groups) => [...groups.values()])
  }
}

function rewrittenReference(reference: Reference, to: string): RewrittenReference {
  const { document, mention } = reference
  return {
    place: { source: document.source, span: referenceSpan(reference) },
    object: holderText(reference),
    role: mention.role,
    from: mention.text.slice(mention.start, mention.end),
    to,
  }
}

/** The reference has to follow, and the Job around it cannot be changed under its name. */
function fixedName({ document, mention }: Reference, fixed: Target): StampNote {
  const name = mention.text.slice(mention.start, mention.end)
  const span = document.locate(mention.path)?.value ?? document.span
  return {
    code: 'fixed-name',
    severity: 'warning',
    place: { source: document.source, span },
    object: labelOf(fixed),
    text: `it refers to ${mention.kind} ${name}, whose name changes, while its own name stays: Kubernetes refuses to change what a Job runs under one name`,
    remedy: 'have it stamped too',
  }
}

function findingOf(
  reference: Reference,
  verdict: Exclude<Verdict, { readonly kind: 'right' }>,
  why: string,
): Finding {
  const { mention, document, holder, targets } = reference
  const name = mention.text.slice(mention.start, mention.end)
  const becomes =
    targets.length > 1 ? 'which gets a new name' : `which is now called ${verdict.name}`
  return {
    rule: REFERENCE_RULE,
    severity: 'warning',
    place: { source: document.source, span: referenceSpan(reference) },
    object: holderText(reference),
    pointer: jsonPointer(mention.path.slice(holder.path.length)),
    what: `${mention.role} seems to name ${mention.kind} ${name}, ${becomes}`,
    why: `it was not rewritten: ${why}`,
    remedy: remedyOf(reference),
    related: targets.map((target) => ({
      place: namePlace(target),
      note: `${labelOf(target)} is stamped`,
    })),
  }
}

function remedyOf({ mention, within, targets }: Reference): string {
  if (within !== undefined && targets.includes(within)) {
    return "let the pod read its Job's name from the field metadata.labels['batch.kubernetes.io/job-name']"
  }
  if (targets.length > 1)
    return 'stamp the objects of one environment at a time, or write the namespaces on them'
  return mention.doubt === undefined
    ? 'write the name there yourself, or refer to the Job by a label'
    : 'refer to the Job by a label (kubectl wait --for=condition=complete job -l ...), or name it in an argument of its own; if no Job is meant, nothing is to be done'
}

/** `Role shop/waiter`, or the path of the file where no object is around. */
function holderText({ holder, document }: Reference): string {
  const { kind, name, namespace } = holder
  if (kind === undefined) return document.source.path
  const full = namespace === undefined ? name : `${namespace}/${name}`
  return name === undefined ? kind : `${kind} ${full}`
}
