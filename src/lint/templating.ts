import { isTemplated } from '../core/templates.ts'
import { textOf } from '../core/source.ts'
import type { Subject } from '../ownership/subject.ts'
import {
  expressionsIn,
  variablesOf,
  type Expression,
  type Mark,
  type Variables,
} from './expressions.ts'

/**
 * Reads the actions of texts of the subject: those that its engine acts upon. The variables of its
 * file are read once, and only when a text has actions.
 */
export function expressionReader(subject: Subject): (text: string) => readonly Expression[] {
  const marks = marksOf(subject)
  let variables: Variables | undefined
  return (text) => {
    if (!isTemplated(text)) return []
    variables ??= variablesOf(fileText(subject), marks)
    return expressionsIn(text, variables, marks)
  }
}

/** `<<` begins an action in objects of flux-operator only; elsewhere it is a here-document. */
function marksOf({ carrier }: Subject): readonly Mark[] {
  const isOperator = carrier?.apiVersion.startsWith('fluxcd.controlplane.io/') === true
  return isOperator ? ['{{', '<<', '${'] : ['{{', '${']
}

function fileText({ manifest }: Subject): string {
  const { source } = manifest.document
  return textOf(source, { start: 0, end: source.bytes.length })
}
