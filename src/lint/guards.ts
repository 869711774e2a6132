import type { Path } from '../core/json.ts'
import { placeOf, type Manifest } from '../core/manifest.ts'
import { textOf, type Span } from '../core/source.ts'
import { findActions, HELM, RESOURCE_SET, type Action } from '../core/yaml/actions.ts'

/** A condition or a loop of a template around a place. */
export interface Guard {
  readonly word: string
  /** As written, without trim marks: equal texts at the top of a chart mean the same. */
  readonly text: string
}

/** What must hold so that the field at `path` is rendered; empty outside of templates. */
export function guardsOf(
  manifest: Pick<Manifest, 'document' | 'root' | 'file'>,
  path: Path,
  which: 'key' | 'value' = 'key',
): readonly Guard[] {
  const { template } = manifest.file
  if (template === undefined) return []
  const { source, span } = placeOf(manifest, path, which)
  const actions = findActions(source.bytes, template === 'helm' ? HELM : RESOURCE_SET)
  const say = (one: Span): string => plainText(textOf(source, one))
  return actions.flatMap((action) => {
    const { closedBy, word } = action
    if (closedBy === undefined || word === 'else') return []
    if (action.end > span.start || closedBy.start <= span.start) return []
    const branch = lastElse(actions, action, span.start)
    return [{ word, text: branch === undefined ? say(action) : `${say(action)} ${say(branch)}` }]
  })
}

/** Those of `guards` that do not stand among `others`. */
export function beyond(guards: readonly Guard[], others: readonly Guard[]): readonly Guard[] {
  return guards.filter(({ text }) => others.every((other) => other.text !== text))
}

/** In a loop, a `with` or a `define` one text may stand for several values. */
export function isRebound(guards: readonly Guard[]): boolean {
  return guards.some(({ word }) => word !== 'if')
}

/** A condition for a sentence: `with .Values.hooks.enabled`. */
export function whenHeld({ text }: Guard): string {
  return `with \`${conditionIn(text)}\``
}

export function whenNotHeld({ text }: Guard): string {
  return `without \`${conditionIn(text)}\``
}

/** An `else` branch is named as a whole. */
function conditionIn(text: string): string {
  return text.includes(' else') ? text : text.replace(/^if /, '')
}

function lastElse(actions: readonly Action[], block: Action, before: number): Action | undefined {
  return actions.findLast(
    ({ word, opens, end }) => word === 'else' && opens === block && end <= before,
  )
}

function plainText(action: string): string {
  return action.replace(/^(?:\{\{|<<)-?\s*|\s*-?(?:\}\}|>>)$/g, '').replaceAll(/\s+/g, ' ')
}
