import { at, stringAt } from '../core/json.ts'
import { isTemplated } from '../core/templates.ts'
import type { Subject } from '../ownership/subject.ts'
import { covers, type Expression } from './expressions.ts'
import { imagesOf, podTemplatePath, podTemplateText } from './pods.ts'
import { expressionReader } from './templating.ts'
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
  const read = expressionReader(subject)
  const inName = read(name)
  if (inName.some(({ whole }) => !whole)) return undefined
  const covered = unique(inName.flatMap(({ inputs }) => inputs))
  const hashed = inName.some(hashes)
  const ofImages = inputsOf(imagesOf(subject).flatMap(({ image }) => read(image)))
  if (!hashed && !ofImages.some((input) => covers(covered, input))) return undefined
  const languages = new Set(inName.map(({ language }) => language))
  // Substitution variables look like those of a shell, and often differ between clusters only.
  const inputs = languages.has('variable')
    ? ofImages
    : inputsOf(podExpressions(subject, read).filter(({ language }) => languages.has(language)))
  return {
    by: hashed ? 'hash' : 'version',
    covered,
    missing: unique(inputs).filter((input) => !isCovered(covered, input)),
  }
}

/** An input whose own parts are in the name may only be asked whether it is there. */
function isCovered(covered: readonly string[], input: string): boolean {
  return (
    input === '.Values' || covers(covered, input) || covered.some((one) => covers([input], one))
  )
}

function podExpressions(
  subject: Subject,
  read: (text: string) => readonly Expression[],
): readonly Expression[] {
  const values = stringsBelow(at(subject.object, podTemplatePath(subject)))
  // The text also has the actions between the fields; in embedded text it may be escaped.
  return [podTemplateText(subject), ...values.map(({ text }) => text)].flatMap(read)
}

function inputsOf(expressions: readonly Expression[]): readonly string[] {
  return expressions.flatMap(({ inputs }) => inputs)
}

function hashes({ calls }: Expression): boolean {
  return [...calls].some((call) => HASH_FUNCTION.test(call))
}

const HASH_FUNCTION = /^(?:sha1sum|sha256sum|sha512sum|adler32sum|hash\.\w+|random\.seededString)$/

function unique(inputs: readonly string[]): readonly string[] {
  return [...new Set(inputs)].sort()
}
