import { fieldPath, type Json, type Path } from '../../core/json.ts'
import type { AmbiguousScalar, YamlDocument } from '../../core/yaml/document.ts'
import type { Repository } from '../../ownership/subject.ts'
import { linkName, linkPlace } from '../chain.ts'
import { documentsOf, ownerFinder, type ReadObject } from '../documents.ts'
import type { RuleFix } from '../fix.ts'
import type { Rule, RuleFinding } from '../rule.ts'

/**
 * Some plain scalars mean one thing to kubectl, Helm and Argo CD and another to kustomize, which
 * Flux uses: `yes`, `on`, `n`, dates. One file then makes two different objects.
 * Silent for quoted text, for everything that both read alike, and in documents without a Job, a
 * CronJob or an object that carries one.
 */
export const ambiguousScalar: Rule = {
  id: 'ambiguous-scalar',
  severity: 'warning',
  summary: 'A value that kubectl and kustomize read differently.',
  kinds: ['Job', 'CronJob'],
  fixes: ['safe', 'unsafe'],
  checkRepository,
}

function checkRepository(repository: Repository): readonly RuleFinding[] {
  const ownerOf = ownerFinder(repository)
  return [...documentsOf(repository)].flatMap((document) =>
    document.ambiguousScalars().flatMap((scalar) => {
      const owner = ownerOf(document, scalar.path)
      return owner === undefined ? [] : [finding(document, scalar, owner)]
    }),
  )
}

function finding(document: YamlDocument, scalar: AmbiguousScalar, owner: ReadObject): RuleFinding {
  const { text, kubernetes, kustomize, span, isKey } = scalar
  const path = scalar.path.slice(owner.manifest.root.length)
  const fix = fixOf(document, scalar, owner)
  const where = path.length === 0 ? owner.label : `${fieldPath(path)} of ${owner.label}`
  return {
    place: { source: document.source, span },
    ...(owner.subject === undefined ? {} : { subject: owner.subject }),
    what: `${isKey ? `the key ${text} in ${where}` : `${text} (${where})`} has two meanings without quotes`,
    why:
      `kubectl, Helm and Argo CD folders read ${said(kubernetes)}, kustomize and so Flux ${said(kustomize)}; ` +
      applied(owner, kubernetes, path),
    remedy: `write what is meant: ${remedyFor(text, kubernetes)}`,
    related: owner.kustomize === undefined ? [] : linkPlace(owner.kustomize),
    ...(fix === undefined ? {} : { fix }),
  }
}

/**
 * Writes what its reader takes it for today, so that nothing changes but that all agree. Text that
 * is refused today for being no text will be taken, so that is no safe change.
 * None for keys, and where nobody knows the reader or there are several.
 */
function fixOf(
  document: YamlDocument,
  { path, isKey, text, kubernetes, kustomize }: AmbiguousScalar,
  { reader, subject }: ReadObject,
): RuleFix | undefined {
  if (isKey || reader === 'unknown' || (subject?.rivals.length ?? 0) > 0) return undefined
  const read = reader === 'kustomize' ? kustomize : kubernetes
  const isRefused = reader === 'kubernetes' && typeof read !== 'string' && holdsText(path)
  const value = isRefused ? text : read
  if (value === null || typeof value === 'object') return undefined
  const spelling = typeof value === 'string' ? JSON.stringify(value) : String(value)
  return {
    safe: !isRefused,
    title: `write ${spelling}`,
    document,
    edits: [{ op: 'set', path, value }],
  }
}

function applied({ reader, kustomize }: ReadObject, value: Json, path: Path): string {
  if (reader === 'kustomize')
    return `here kustomize reads it (${kustomize === undefined ? '' : linkName(kustomize)})`
  if (reader === 'unknown') return 'which one counts depends on who applies the file'
  return typeof value !== 'string' && holdsText(path)
    ? `here the first one counts, and the API server refuses ${JSON.stringify(value)} where it wants text`
    : 'here the first one counts'
}

/** Fields whose values must be strings: env values, args, commands, labels, annotations. */
function holdsText(path: Path): boolean {
  const [last, parent] = [path.at(-1), path.at(-2)]
  if (last === 'value') return path.at(-3) === 'env'
  if (typeof last === 'number') return parent === 'args' || parent === 'command'
  return parent === 'labels' || parent === 'annotations' || parent === 'matchLabels'
}

function remedyFor(text: string, kubernetes: Json): string {
  const quoted = `"${text}" for the text`
  if (typeof kubernetes === 'boolean') return `${quoted}, ${String(kubernetes)} for the truth value`
  if (typeof kubernetes === 'string') return quoted
  return `${quoted}, or the plain decimal number`
}

function said(value: Json): string {
  if (typeof value === 'string') return `the text "${value}"`
  if (typeof value === 'number' || typeof value === 'bigint') return `the number ${value}`
  return typeof value === 'boolean' ? `the truth value ${String(value)}` : 'nothing (null)'
}
