import { applyEdits, sortEdits, type Edit } from '../core/edits.ts'
import { at, type Json, type Path } from '../core/json.ts'
import type { FileReading, YamlDocument } from '../core/yaml/document.ts'
import type { FileReader } from '../core/yaml/read-file.ts'
import { readerOf, type Part } from './parts.ts'
import type { StampOptions } from './stamp-types.ts'
import { isSame, withValue } from './values.ts'

/**
 * The parts that change: their edits, and what their documents shall say afterwards. Both are kept
 * side by side, so that a part can be read again as it will be written and compared: no edit may
 * change a value that was not meant.
 */
export class Drafts {
  private readonly drafts = new Map<Part, Draft>()
  private readonly reader: FileReader

  constructor(options: StampOptions) {
    this.reader = readerOf(options)
  }

  edit(part: Part, reading: FileReading, edits: readonly Edit[]): void {
    this.of(part, reading).edits.push(...edits)
  }

  /** What shall stand at a path afterwards, made of what shall stand there so far. */
  expect(
    part: Part,
    reading: FileReading,
    { document, path }: Where,
    change: (before: Json | undefined) => Json,
  ): void {
    const draft = this.of(part, reading)
    const index = reading.documents.indexOf(document)
    const value = draft.values[index]
    draft.values[index] = withValue(value, path, change(at(value, path)))
  }

  /** The parts that would not say what they should. */
  wrong(): readonly Part[] {
    return [...this.drafts].flatMap(([part, draft]) => (this.isRight(part, draft) ? [] : [part]))
  }

  /** By file, with offsets in the file. */
  editsOf(file: number): readonly Edit[] {
    const edits = [...this.drafts].flatMap(([part, draft]) =>
      part.file === file
        ? draft.edits.map(({ start, end, text }) => ({
            start: start + part.offset,
            end: end + part.offset,
            text,
          }))
        : [],
    )
    return sortEdits(edits)
  }

  private of(part: Part, reading: FileReading): Draft {
    const before = this.drafts.get(part)
    if (before !== undefined) return before
    const values = reading.documents.map((document) => document.value())
    const draft: Draft = { edits: [], values }
    this.drafts.set(part, draft)
    return draft
  }

  private isRight(part: Part, { edits, values }: Draft): boolean {
    if (edits.length === 0) return true
    const after = this.reader.read({
      path: part.source.path,
      bytes: applyEdits(part.source.bytes, sortEdits(edits)),
    })
    return (
      after.errors.length === 0 &&
      after.needsFullParser !== true &&
      after.documents.length === values.length &&
      after.documents.every((document, index) => isSame(document.value(), values[index]))
    )
  }
}

interface Where {
  readonly document: YamlDocument
  readonly path: Path
}

interface Draft {
  readonly edits: Edit[]
  readonly values: Json[]
}
