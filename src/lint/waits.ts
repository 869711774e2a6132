import { isObject, listAt, stringAt, type Json, type Path } from '../core/json.ts'
import { commandOf, nameKey, podSpecPath } from './references.ts'
import type { Companion } from '../ownership/subject.ts'

/**
 * Where a container of the workload waits for a Job of one of the names: its command names the
 * Job, and a word beside it says that a Job is meant or that it waits. Init containers only, as
 * they are what holds up a pod.
 */
export function waitFor(workload: Companion, names: readonly string[]): Path | undefined {
  const base = [...podSpecPath(workload.kind), 'initContainers']
  const wanted = names.map(nameKey)
  for (const [index, container] of listAt(workload.object, base).entries()) {
    if (!isObject(container) || !waits(container)) continue
    const found = textsOf(container).find(({ text }) => wanted.some((name) => holdsName(text, name)))
    if (found !== undefined) return [...base, index, ...found.path]
  }
  return undefined
}

const WAITS = /\bjobs?\b|wait/i

function waits(container: Json): boolean {
  const image = stringAt(container, ['image']) ?? ''
  const name = stringAt(container, ['name']) ?? ''
  return [...commandOf(container), image, name].some((text) => WAITS.test(text))
}

/** Arguments and the values of variables. */
function textsOf(container: Json): readonly { readonly text: string; readonly path: Path }[] {
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

