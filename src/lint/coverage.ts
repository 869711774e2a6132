import { at, stringAt } from '../core/json.ts'
import { isTemplated } from '../core/templates.ts'
import type { Subject } from '../ownership/subject.ts'
import { covers, expressionsIn, type Expression } from './expressions.ts'
import { fileVariables, imagesOf, podTemplatePath, podTemplateText } from './pods.ts'
import { stringsBelow } from './values.ts'

/** A templated name that follows some of the inputs, and the inputs that it does not follow. */
export interface Coverage {
  /** `hash`: of a hash function; `version`: an input of the image, used as it is. */
  readonly by: 'hash' | 'version'
  readonly covered: readonly string[]
  /** Read by the pod template, with no say in the name. */
  readonly missing: readonly string[]
}

/**
 * Undefined when the name follows nothing, or when something outside its text has a say in it: an
 * include, a loop variable, the cluster.
 */
export function coverageOf(subject: Subject): Coverage | undefined {
  const name = stringAt(subject.object, ['metadata', 'name'])
  if (name === undefined || !isTemplated(name)) return undefined
  const variables = fileVariables(subject)
  const inName = expressionsIn(name, variables)
  if (inName.some(({ whole }) => !whole)) return undefined
  const covered = unique(inName.flatMap(({ inputs }) => inputs))
  const hashed = inName.some(hashes)
  const images = imagesOf(subject).flatMap(({ image }) => expressionsIn(image, variables))
  const imageInputs = images.flatMap(({ inputs }) => inputs)
  if (!hashed && !imageInputs.some((input) => covers(covered, input))) return undefined
  const read = hashed || !isSubstituted(inName) ? allInputs(subject) : imageInputs
  return {
    by: hashed ? 'hash' : 'version',
    covered,
    missing: unique(read).filter((input) => !isCovered(covered, input)),
  }
}

/** An input whose own parts are in the name may only be asked whether it is there. */
function isCovered(covered: readonly string[], input: string): boolean {
  return (
    input === '.Values' || covers(covered, input) || covered.some((one) => covers([input], one))
  )
}

/** Substitution variables often differ between clusters only, so only those of images count. */
function isSubstituted(expressions: readonly Expression[]): boolean {
  return expressions.every(({ language }) => language === 'variable')
}

function allInputs(subject: Subject): readonly string[] {
  const variables = fileVariables(subject)
  const written = podTemplateText(subject)
  // Text inside a template (a ResourceSet, an RGD) may be escaped; the decoded values are not.
  const texts = [
    written,
    ...stringsBelow(at(subject.object, podTemplatePath(subject))).map(({ text }) => text),
  ]
  return texts.flatMap((text) => expressionsIn(text, variables)).flatMap(({ inputs }) => inputs)
}

export function hashes({ calls }: Expression): boolean {
  return [...calls].some((call) => HASH_FUNCTION.test(call))
}

const HASH_FUNCTION = /^(?:sha1sum|sha256sum|sha512sum|adler32sum|hash\.\w+|random\.seededString)$/

function unique(inputs: readonly string[]): readonly string[] {
  return [...new Set(inputs)].sort()
}
