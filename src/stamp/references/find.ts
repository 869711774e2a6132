import { isList, isObject, type Json, type JsonObject, type Path } from '../../core/json.ts'
import { annotationMentions } from './annotations.ts'
import { argumentMentions } from './arguments.ts'
import { fieldMentions } from './fields.ts'
import type { IsName, Mention } from './mention.ts'
import { textMentions } from './text.ts'

/**
 * Every place of a document that names a Job or CronJob of the stream, in document order. What is
 * certain by its field is found first; any other text is searched for what looks like a name.
 */
export function mentionsIn(value: Json, isName: IsName): readonly Mention[] {
  const search = new Search(isName)
  search.visit(value, [])
  return search.found
}

/** What nobody applies, or what repeats the object itself. */
const SKIPPED: ReadonlySet<string> = new Set(['managedFields', 'status'])

class Search {
  readonly found: Mention[] = []
  private readonly isName: IsName
  /** Where a certain reference stands: the same text is no doubt then. */
  private readonly certain = new Set<string>()

  constructor(isName: IsName) {
    this.isName = isName
  }

  visit(value: Json | undefined, path: Path): void {
    if (typeof value === 'string') this.visitText(value, path)
    else if (isList(value)) value.forEach((item, index) => this.visit(item, [...path, index]))
    else if (isObject(value)) this.visitObject(value, path)
  }

  private visitText(text: string, path: Path): void {
    for (const mention of textMentions(path, text, this.isName)) {
      if (!this.certain.has(keyOf(mention))) this.found.push(mention)
    }
  }

  private visitObject(object: JsonObject, path: Path): void {
    this.take(fieldMentions(object, path, this.isName))
    this.take(argumentMentions(object, path, this.isName))
    for (const [key, value] of Object.entries(object)) {
      if (value === undefined || SKIPPED.has(key)) continue
      const here = [...path, key]
      if (key === 'annotations' && isObject(value)) this.visitAnnotations(value, here)
      else this.visit(value, here)
    }
  }

  private visitAnnotations(annotations: JsonObject, path: Path): void {
    for (const [key, value] of Object.entries(annotations)) {
      if (typeof value !== 'string' || isOwn(key)) continue
      const here = [...path, key]
      const found = annotationMentions(key, value, here, this.isName)
      this.take(found)
      if (found.length === 0) this.visitText(value, here)
    }
  }

  private take(mentions: readonly Mention[]): void {
    for (const mention of mentions) {
      const key = keyOf(mention)
      if (this.certain.has(key)) continue
      this.certain.add(key)
      this.found.push(mention)
    }
  }
}

function keyOf({ path, start }: Mention): string {
  return JSON.stringify([...path, start])
}

/** Ours speak of the object itself, and the last applied configuration repeats it. */
function isOwn(key: string): boolean {
  return key.startsWith('semel.dev/') || key === 'kubectl.kubernetes.io/last-applied-configuration'
}
