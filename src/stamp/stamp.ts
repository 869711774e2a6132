import { isObject, objectAt, type JsonObject } from '../core/json.ts'
import { manifestsOf } from '../core/manifest.ts'
import type { Source } from '../core/source.ts'
import { FIELDS, annotationOf } from './annotations.ts'
import { collisions } from './collisions.ts'
import { ConfigIndex } from './configs.ts'
import { decide, type Decision } from './decide.ts'
import { Drafts } from './drafts.ts'
import { templateNotes } from './embedded.ts'
import { changedFields, parseFields } from './fields.ts'
import { tellChoice, tellDecision, type Told } from './notes.ts'
import { withPatches } from './patches.ts'
import { readParts, type Part, type Parts } from './parts.ts'
import { collectReferences } from './references/collect.ts'
import { NameIndex } from './references/names.ts'
import type {
  StampFault,
  StampNote,
  StampOptions,
  StampResult,
  StampState,
  StampedObject,
} from './stamp-types.ts'
import { labelOf, namePlace, targetsOf, type Target } from './targets.ts'
import { wishOf } from './wishes.ts'
import { metadataEdits, RefusedEdit, type MetadataWish } from './write/metadata.ts'
import { writeReferences } from './write-references.ts'

/**
 * Gives every Job whose name shall follow its content the name `<base>-<hash>`, writes down what
 * the name was made from, and lets references in the same stream follow. The result holds edits of
 * the bytes; nothing else in the files changes. With any fault there are none.
 * Stamping what was stamped changes nothing.
 */
export function stamp(sources: readonly Source[], options: StampOptions = {}): StampResult {
  const read = readParts(sources, options)
  if (read.needsFullParser) return withoutParser(sources, read)
  return new Stamper(read, options).run(sources)
}

function withoutParser(sources: readonly Source[], { documentsSeen }: Parts): StampResult {
  return {
    files: sources.map((source) => ({ source, edits: [] })),
    objects: [],
    references: [],
    notes: [],
    findings: [],
    faults: [],
    needsFullParser: true,
    documentsSeen,
  }
}

class Stamper {
  private readonly read: Parts
  private readonly options: StampOptions
  private readonly faults: StampFault[]
  private readonly notes: StampNote[]
  private readonly drafts: Drafts

  constructor(read: Parts, options: StampOptions) {
    this.read = read
    this.options = options
    this.faults = [...read.faults]
    this.notes = [...read.notes]
    this.drafts = new Drafts(options)
  }

  run(sources: readonly Source[]): StampResult {
    const { options, faults, drafts } = this
    const { parts, documentsSeen } = this.read
    const targets = withPatches(
      parts.flatMap((part) => targetsOf(part, options, (fault) => faults.push(fault))),
    )
    for (const target of targets) this.tell(tellChoice(target, options))
    for (const { reading } of parts) {
      if (reading !== undefined) this.notes.push(...manifestsOf(reading).flatMap(templateNotes))
    }
    const configs = new ConfigIndex(parts, targets, options)
    const references = collectReferences(parts, targets, new NameIndex(targets), options)
    const decisions = decide(targets, references, configs, options)
    faults.push(...decisions.faults, ...collisions(targets, decisions.byTarget))
    const { rewritten, findings, notes } = writeReferences(references, decisions, drafts)
    this.notes.push(...notes)
    const objects = targets.flatMap((target) => {
      const decision = decisions.byTarget.get(target)
      return decision === undefined ? [] : [this.stampOne(decision)]
    })
    if (faults.length === 0) this.refuseWrong(targets)
    const isDone = faults.length === 0
    return {
      files: sources.map((source, file) => ({ source, edits: isDone ? drafts.editsOf(file) : [] })),
      objects,
      references: rewritten,
      notes: this.notes,
      findings,
      faults,
      needsFullParser: false,
      documentsSeen,
    }
  }

  private stampOne(decision: Decision): StampedObject {
    const { target, content, fingerprint, inputs, name } = decision
    const isChanged = this.write(target, wishOf(decision))
    this.tell(tellDecision(decision, this.options))
    const recorded = parseFields(annotationOf(target.manifest.object, FIELDS) ?? '')
    const isComparable = recorded !== undefined && target.recorded?.policy === fingerprint.policy
    return {
      kind: target.kind,
      namespace: target.namespace,
      name: target.name,
      newName: name,
      base: target.base,
      place: namePlace(target),
      content,
      fingerprint,
      inputs,
      recorded: target.recorded,
      changes: isComparable ? changedFields(recorded, fingerprint.fields) : [],
      state: stateOf(decision, isChanged),
    }
  }

  /** True when anything would have to be written, also where that is refused. */
  private write(target: Target, wish: MetadataWish): boolean {
    const { manifest, part } = target
    try {
      const edits = metadataEdits(manifest, wish)
      if (edits.length === 0) return false
      this.drafts.edit(part, manifest.file, edits)
      this.expect(target, wish)
      return true
    } catch (error) {
      if (!(error instanceof RefusedEdit)) throw error
      const { span, what, why, remedy } = error.refusal
      const place = { source: manifest.document.source, span }
      this.faults.push({ code: 'STAMP_UNSAFE', place, object: labelOf(target), what, why, remedy })
      return true
    }
  }

  private expect({ manifest, part }: Target, wish: MetadataWish): void {
    const { document, root, file } = manifest
    const where = { document, path: [...root, 'metadata'] }
    this.drafts.expect(part, file, where, (before) => {
      const metadata = isObject(before) ? before : {}
      const { generateName: _, ...named } = metadata
      return {
        ...(metadata['name'] === undefined ? named : metadata),
        name: wish.name,
        ...merged('annotations', metadata, wish.annotations),
        ...merged('labels', metadata, wish.labels),
      }
    })
  }

  /** Whatever an edit did that was not meant must stop everything. */
  private refuseWrong(targets: readonly Target[]): void {
    for (const part of this.drafts.wrong()) {
      const target = targets.find((one) => one.part === part)
      this.faults.push({
        code: 'STAMP_UNSAFE',
        place: target === undefined ? startOf(part) : namePlace(target),
        object: target && labelOf(target),
        what: 'the new name or annotation cannot be written into this document alone',
        why: 'read again, the document would say something else than it should',
        remedy: 'write its metadata as plain YAML: one key a line, without anchors and tags',
      })
    }
  }

  private tell({ notes, faults }: Told): void {
    this.notes.push(...notes)
    this.faults.push(...faults)
  }
}

function merged(
  field: 'annotations' | 'labels',
  metadata: JsonObject,
  entries: ReadonlyMap<string, string>,
): JsonObject {
  if (entries.size === 0) return {}
  return { [field]: { ...objectAt(metadata, [field]), ...Object.fromEntries(entries) } }
}

function startOf(part: Part): StampFault['place'] {
  return { source: part.source, span: { start: 0, end: 0 } }
}

function stateOf({ target, name }: Decision, isChanged: boolean): StampState {
  if (!isChanged) return 'current'
  if (target.recorded === undefined) return 'unstamped'
  return target.name === name ? 'annotated' : 'renamed'
}
