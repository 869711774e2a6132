import { isObject, listAt, stringAt, type Json, type Path } from '../core/json.ts'
import type { Companion } from '../ownership/subject.ts'
import { commandOf, nameKey, podSpecPath } from './references.ts'

/** An object that a container waits for, with the place that names it. */
export interface Awaited {
  readonly name: string
  readonly path: Path
}

/**
 * Where an init container of the workload waits for a Job of one of the names: its command names
 * the Job, and a word beside it says that a Job is meant or that it waits.
 */
export function waitFor(workload: Companion, names: readonly string[]): Path | undefined {
  const wanted = names.map(nameKey)
  return waitingTexts(workload).find(({ text }) => wanted.some((name) => holdsName(text, name)))
    ?.path
}

/** The words of such commands that pass a test. */
export function namedIn(
  workload: Companion,
  isWanted: (word: string) => boolean,
): readonly Awaited[] {
  return waitingTexts(workload).flatMap(({ text, path }) =>
    text
      .split(/[^\w.-]+/)
      .filter(isWanted)
      .map((name) => ({ name, path })),
  )
}

interface Text {
  readonly text: string
  readonly path: Path
}

/** Init containers hold up a pod until they are done. */
function waitingTexts(workload: Companion): readonly Text[] {
  const base = [...podSpecPath(workload.kind), 'initContainers']
  return listAt(workload.object, base).flatMap((container, index) =>
    isObject(container) && waits(container)
      ? textsOf(container).map(({ text, path }) => ({ text, path: [...base, index, ...path] }))
      : [],
  )
}

const WAITS = /\bjobs?\b|wait/i

function waits(container: Json): boolean {
  const image = stringAt(container, ['image']) ?? ''
  const name = stringAt(container, ['name']) ?? ''
  return [...commandOf(container), image, name].some((text) => WAITS.test(text))
}

/** Arguments and the values of variables. */
function textsOf(container: Json): readonly Text[] {
  const lists = ['command', 'args'].flatMap((field) =>
    listAt(container, [field]).flatMap((text, index) =>
      typeof text === 'string' ? [{ text, path: [field, index] }] : [],
    ),
  )
  const values = listAt(container, ['env']).flatMap((variable, index) => {
    const text = stringAt(variable, ['value'])
    return text === undefined ? [] : [{ text, path: ['env', index, 'value'] }]
  })
  return [...lists, ...values]
}

/** The name as a word of its own. */
function holdsName(text: string, name: string): boolean {
  const key = nameKey(text)
  for (let from = key.indexOf(name); from >= 0; from = key.indexOf(name, from + 1)) {
    if (!isPart(key[from - 1]) && !isPart(key[from + name.length])) return true
  }
  return false
}

function isPart(sign: string | undefined): boolean {
  return sign !== undefined && /[\w.{}-]/.test(sign)
}
