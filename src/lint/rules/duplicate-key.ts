import { at, fieldPath, isList, isObject } from '../../core/json.ts'
import { lineText, outermost, positionOf, type Place } from '../../core/source.ts'
import type { DuplicateKey, YamlDocument } from '../../core/yaml/document.ts'
import type { Repository } from '../../ownership/subject.ts'
import { linkName, linkPlace } from '../chain.ts'
import { documentsOf, ownerFinder, type ReadObject } from '../documents.ts'
import type { RuleFix } from '../fix.ts'
import type { Rule, RuleFinding } from '../rule.ts'

/**
 * A key that stands twice in one mapping: kubectl, Helm and Argo CD take the last one without a
 * word, kustomize (and so Flux) refuses the file.
 * Silent in documents without a Job, a CronJob or an object that carries one.
 */
export const duplicateKey: Rule = {
  id: 'duplicate-key',
  severity: 'error',
  summary: 'A key that stands twice: the first value is lost, or the build fails.',
  kinds: ['Job', 'CronJob'],
  fixes: ['safe', 'unsafe'],
  checkRepository,
}

function checkRepository(repository: Repository): readonly RuleFinding[] {
  const ownerOf = ownerFinder(repository)
  return [...documentsOf(repository)].flatMap((document) =>
    document.duplicateKeys.flatMap((twice) => {
      const owner = ownerOf(document, twice.path)
      return owner === undefined ? [] : [finding(document, twice, owner)]
    }),
  )
}

function finding(document: YamlDocument, twice: DuplicateKey, owner: ReadObject): RuleFinding {
  const { source } = document
  const again: Place = { source, span: twice.again }
  const first: Place = { source, span: twice.first }
  const { reader, kustomize } = owner
  const path = fieldPath([...twice.path.slice(owner.manifest.root.length), twice.key])
  const kept = lineOf(again)
  const equal = kept === lineOf(first)
  const fix = fixOf(document, twice, owner)
  return {
    place: again,
    ...(owner.subject === undefined ? {} : { subject: owner.subject }),
    what: `${path} of ${owner.label} stands twice, in line ${lineNumber(first)} and line ${lineNumber(again)}`,
    why:
      reader === 'kustomize'
        ? `kustomize (${kustomize === undefined ? '' : linkName(kustomize)}) refuses a key that stands twice: the build fails and nothing of it is applied`
        : equal
          ? 'the last one counts without a word (kubectl, Helm, Argo CD); with kustomize or Flux the build fails'
          : `the last one counts without a word (kubectl, Helm, Argo CD), so "${lineOf(first)}" is lost; with kustomize or Flux the build fails`,
    remedy: 'keep one of the two',
    related: [
      { place: first, note: `the first ${twice.key}` },
      ...(kustomize === undefined ? [] : linkPlace(kustomize)),
    ],
    ...(equal && reader !== 'kustomize' ? { severity: 'warning' as const } : {}),
    ...(fix === undefined ? {} : { fix }),
  }
}

/**
 * Removes what is lost anyway. Where kustomize refuses the file nobody knows which one was meant,
 * unless both say the same.
 */
function fixOf(
  document: YamlDocument,
  { path, key, first, again }: DuplicateKey,
  { reader, subject }: ReadObject,
): RuleFix | undefined {
  const { source } = document
  const value = at(document.value(), [...path, key])
  const isScalar = !isObject(value) && !isList(value)
  const isEqual = isScalar && lineOf({ source, span: first }) === lineOf({ source, span: again })
  if (reader === 'kustomize' && !isEqual) return undefined
  const isLost = reader === 'kubernetes' && (subject?.rivals.length ?? 0) === 0
  return {
    safe: isEqual || isLost,
    title: `remove the first ${key}, which is lost`,
    document,
    edits: [{ op: 'remove-hidden', path, key: first }],
  }
}

function lineNumber(place: Place): number {
  const { source, span } = outermost(place)
  return positionOf(source, span.start).line
}

function lineOf(place: Place): string {
  return lineText(outermost(place).source, lineNumber(place)).trim()
}
