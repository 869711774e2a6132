import { at, objectAt, type JsonObject, type Path } from '../core/json.ts'
import { placeOf, type Manifest } from '../core/manifest.ts'
import { outermost, type Place, type Source } from '../core/source.ts'
import type { YamlDocument } from '../core/yaml/document.ts'
import type { Repository } from '../ownership/subject.ts'
import { semelComments, type Comment } from './comments.ts'
import { isDate, isPast } from './dates.ts'
import type { RuleFix } from './fix.ts'
import { didYouMean } from './nearest.ts'

/**
 * What a repository asks to leave out, by comment or by annotation:
 *   # semel-ignore RULE[,RULE]: reason [until YYYY-MM-DD]
 *   # semel-ignore-file RULE[,RULE]: reason [until YYYY-MM-DD]
 *   metadata.annotations: semel.dev/ignore.RULE: reason [until YYYY-MM-DD]
 * A reason is a must. Whatever is wrong with one makes it ineffective and is itself reported.
 */
export interface Suppression {
  readonly rule: string
  readonly reason: string
  readonly until?: string
  /** In the outermost source: where the comment or the annotation stands. */
  readonly place: Place
  /** `place` is that of the finding, in the outermost source; `manifest` that of its subject. */
  readonly covers: (place: Place, manifest: Manifest | undefined) => boolean
  /** How to take it away; undefined where it does not stand in the object's own manifest. */
  readonly removal?: RuleFix
}

export interface Wrong {
  readonly place: Place
  readonly what: string
  readonly why: string
  readonly remedy: string
}

export interface SuppressionReading {
  readonly suppressions: readonly Suppression[]
  readonly wrong: readonly Wrong[]
}

export interface SuppressionOptions {
  /** Ids that may be suppressed. */
  readonly rules: ReadonlySet<string>
  readonly today: string
}

const IGNORE_ANNOTATION = 'semel.dev/ignore.'

export function readSuppressions(
  repository: Repository,
  options: SuppressionOptions,
): SuppressionReading {
  const requests = [...commentRequests(repository), ...annotationRequests(repository)]
  const suppressions: Suppression[] = []
  const wrong: Wrong[] = []
  for (const request of requests) {
    const fault = wrongWith(request, options)
    if (fault !== undefined) wrong.push({ place: request.place, ...fault })
    else suppressions.push(...request.rules.map((rule) => suppressionOf(request, rule)))
  }
  return { suppressions, wrong }
}

/** A suppression as it was written, before anybody asked whether it makes sense. */
interface Request {
  readonly form: string
  readonly place: Place
  readonly rules: readonly string[]
  readonly reason: string
  readonly until?: string
  readonly covers: Suppression['covers']
  /** Set when the directive itself is none of ours. */
  readonly unknownWord?: string
  readonly removal?: (rule: string) => RuleFix
}

function suppressionOf(request: Request, rule: string): Suppression {
  const { reason, until, place, covers, removal } = request
  return {
    rule,
    reason,
    ...(until === undefined ? {} : { until }),
    place,
    covers,
    ...(removal === undefined ? {} : { removal: removal(rule) }),
  }
}

function wrongWith(
  request: Request,
  options: SuppressionOptions,
): Omit<Wrong, 'place'> | undefined {
  const { form, rules, reason, until, unknownWord } = request
  if (unknownWord !== undefined) {
    return {
      what: `${unknownWord} is no comment that Semel knows`,
      why: 'so it suppresses nothing',
      remedy: `write ${COMMENT_FORM}, or semel-ignore-file for the whole file`,
    }
  }
  if (rules.length === 0) {
    return {
      what: 'this suppression names no rule',
      why: 'a suppression covers the rules it names, never all of them',
      remedy: `write ${form}`,
    }
  }
  const unknown = rules.find((rule) => !options.rules.has(rule))
  if (unknown !== undefined) return unknownRule(unknown, options.rules)
  if (reason === '') {
    return {
      what: `the suppression of ${rules.join(', ')} gives no reason`,
      why: 'without a reason nobody can tell later whether it still holds',
      remedy: `write ${form}`,
    }
  }
  if (until === undefined) return undefined
  if (!isDate(until)) {
    return {
      what: `the suppression of ${rules.join(', ')} ends at "${until}", which is no date`,
      why: 'a suppression with an end needs a day to end on',
      remedy: 'write the day as until YYYY-MM-DD, for example until 2027-01-31',
    }
  }
  if (isPast(until, options.today)) {
    return {
      what: `the suppression of ${rules.join(', ')} ended on ${until}`,
      why: `its reason was given for a time that is over: "${reason}"`,
      remedy: 'fix what it covered and remove it, or give it a new end and a reason for that',
    }
  }
  return undefined
}

function unknownRule(rule: string, known: ReadonlySet<string>): Omit<Wrong, 'place'> {
  if (NOT_SUPPRESSIBLE.includes(rule)) {
    return {
      what: `${rule} cannot be suppressed in place`,
      why: 'it reports on suppressions themselves',
      remedy: `remove or correct the suppression it names, or set rules.${rule} in semel.yaml`,
    }
  }
  return {
    what: `there is no rule ${rule}.${didYouMean(rule, known)}`,
    why: 'so this suppression covers nothing',
    remedy: 'correct the rule id; `semel explain` lists all of them',
  }
}

const NOT_SUPPRESSIBLE = ['suppression-invalid', 'suppression-unused']
const COMMENT_FORM = '# semel-ignore RULE: reason'
const FILE_FORM = '# semel-ignore-file RULE: reason'

function commentRequests(repository: Repository): readonly Request[] {
  const documents = documentsBySource(repository)
  return [...documents].flatMap(([source, own]) =>
    semelComments(source, [...own]).flatMap((comment) => commentRequest(comment) ?? []),
  )
}

function commentRequest(comment: Comment): Request | undefined {
  const { place, text, target } = comment
  const [, word = '', payload = ''] = /^(semel-[a-z-]*[a-z])(?=[\s:]|$)\s*(.*)$/s.exec(text) ?? []
  if (word !== 'semel-ignore' && !word.startsWith('semel-ignore-')) return undefined
  const isFile = word === 'semel-ignore-file'
  const covers = (found: Place): boolean =>
    found.source === place.source && (isFile || (target !== undefined && within(found, target)))
  const known = isFile || word === 'semel-ignore'
  return {
    form: isFile ? FILE_FORM : COMMENT_FORM,
    place,
    covers,
    ...(known ? {} : { unknownWord: word }),
    ...payloadOf(payload),
    removal: (rule) => ({
      safe: true,
      title: `remove the suppression of ${rule}`,
      edits: [{ op: 'unsuppress', comment: place, rule }],
    }),
  }
}

function payloadOf(payload: string): Pick<Request, 'rules' | 'reason' | 'until'> {
  const colon = payload.indexOf(':')
  const names = colon < 0 ? payload : payload.slice(0, colon)
  const rules = names.split(/[\s,]+/).filter((name) => name !== '')
  return { rules, ...reasonOf(colon < 0 ? '' : payload.slice(colon + 1)) }
}

/** `until` counts as an end only before a word that starts with a digit: "until it is gone". */
function reasonOf(text: string): Pick<Request, 'reason' | 'until'> {
  const trimmed = text.trim()
  const end = /[\s,;([]*\buntil\s+(\d[^\s)\]]*)[)\].]*$/s.exec(trimmed.slice(-END_LENGTH))
  if (end?.[1] === undefined) return { reason: trimmed }
  return { reason: trimmed.slice(0, trimmed.length - end[0].length).trim(), until: end[1] }
}

/** Longer than any ` [until YYYY-MM-DD]`; keeps the search short in comments of any length. */
const END_LENGTH = 40

/** Annotations that a kustomization adds to many objects are one request for all of them. */
function annotationRequests(repository: Repository): readonly Request[] {
  const found = new Map<string, { request: Request; manifests: Set<Manifest> }>()
  const sources = new Map<Source, number>()
  const add = (manifest: Manifest, key: string, value: unknown, place: Place): void => {
    const rule = key.slice(IGNORE_ANNOTATION.length)
    const where = outermost(place)
    if (!sources.has(where.source)) sources.set(where.source, sources.size)
    const id = `${sources.get(where.source)} ${where.span.start} ${key} ${String(value)}`
    const known = found.get(id)
    if (known !== undefined) {
      known.manifests.add(manifest)
      return
    }
    const manifests = new Set([manifest])
    const covers: Suppression['covers'] = (foundAt, subject) =>
      (subject !== undefined && manifests.has(subject)) ||
      [...manifests].some((holder) => holds(holder, foundAt))
    const request = {
      form: `the annotation as ${key}: reason`,
      place: where,
      rules: rule === '' ? [] : [rule],
      covers,
      ...reasonOf(typeof value === 'string' ? value : ''),
      ...annotationRemoval(manifest, key, where),
    }
    found.set(id, { request, manifests })
  }
  for (const subject of repository.subjects) {
    for (const [key, value] of ignoreAnnotations(subject.object)) {
      add(subject.manifest, key, value, subject.placeOf(annotationPath(key), 'key'))
    }
  }
  const judged = new Set(repository.subjects.map(({ manifest }) => manifest))
  for (const manifest of repository.manifests) {
    if (judged.has(manifest)) continue
    for (const [key, value] of ignoreAnnotations(manifest.object)) {
      add(manifest, key, value, placeOf(manifest, annotationPath(key), 'key'))
    }
  }
  return [...found.values()].map(({ request }) => request)
}

/** Nothing where the annotation was added on the way, as it then reaches other objects too. */
function annotationRemoval(
  { document, root }: Manifest,
  key: string,
  place: Place,
): Pick<Request, 'removal'> {
  const path = [...root, ...annotationPath(key)]
  const own = document.locate(path)?.key
  if (document.source !== place.source || own?.start !== place.span.start) return {}
  return {
    removal: (rule) => ({
      safe: true,
      title: `remove the annotation that suppresses ${rule}`,
      document,
      edits: [{ op: 'remove', path }],
    }),
  }
}

function ignoreAnnotations(object: JsonObject): readonly (readonly [string, unknown])[] {
  const annotations = objectAt(object, ['metadata', 'annotations'])
  if (annotations === undefined) return []
  return Object.keys(annotations)
    .filter((key) => key.startsWith(IGNORE_ANNOTATION))
    .map((key) => [key, at(annotations, [key])])
}

function annotationPath(key: string): Path {
  return ['metadata', 'annotations', key]
}

/** True when the place lies in the text of the manifest. */
function holds(manifest: Manifest, place: Place): boolean {
  const { document, root } = manifest
  const span = document.locate(root)?.value ?? document.span
  const own = outermost({ source: document.source, span })
  return own.source === place.source && within(place, own.span)
}

function within({ span }: Place, target: { start: number; end: number }): boolean {
  return span.start >= target.start && span.start < target.end
}

/** All documents that were read of each file, embedded ones included. */
function documentsBySource(repository: Repository): ReadonlyMap<Source, ReadonlySet<YamlDocument>> {
  const found = new Map<Source, Set<YamlDocument>>()
  const add = (document: YamlDocument): void => {
    const { source } = outermost({ source: document.source, span: document.span })
    const known = found.get(source)
    if (known === undefined) found.set(source, new Set([document]))
    else known.add(document)
  }
  for (const { documents } of repository.files) for (const document of documents) add(document)
  for (const { document } of repository.manifests) add(document)
  return found
}
