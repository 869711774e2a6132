import {
  isList,
  isObject,
  stringAt,
  type Json,
  type JsonObject,
  type Path,
} from '../../core/json.ts'
import {
  commandMentions,
  simpleWords,
  type CommandMention,
  type CommandPlace,
  type Word,
} from './command.ts'
import type { IsName, Mention } from './mention.ts'

/**
 * Jobs that a container's command and arguments name, and those of any other object with these
 * fields (a probe, a hook of the container). An argument that is one simple command by itself is
 * read like a list of arguments. A longer script is left to the search for doubts.
 */
export function argumentMentions(
  object: JsonObject,
  path: Path,
  isName: IsName,
): readonly Mention[] {
  if (object['command'] === undefined && object['args'] === undefined) return []
  const items = [...itemsOf(object, path, 'command'), ...itemsOf(object, path, 'args')]
  if (items.length === 0) return []
  const lines = items.map(({ text }, index) =>
    /\s/.test(text.trim()) ? simpleWords(text, index) : undefined,
  )
  const words = items.flatMap(({ text }, item): readonly Word[] =>
    /\s/.test(text.trim()) ? [] : [{ text, start: 0, item }],
  )
  const found = [
    ...commandMentions(words, isName, placeOf(object)),
    ...lines.flatMap((line) => (line === undefined ? [] : commandMentions(line, isName, 'text'))),
  ]
  return found.flatMap((mention) => toMention(mention, items))
}

interface Item {
  readonly path: Path
  readonly text: string
}

function itemsOf(object: JsonObject, path: Path, key: string): readonly Item[] {
  const list: Json | undefined = object[key]
  if (!isList(list)) return []
  return list.flatMap((text, index) =>
    typeof text === 'string' ? [{ path: [...path, key, index], text }] : [],
  )
}

function placeOf(object: JsonObject): CommandPlace {
  if (isList(object['command']) && object['command'].length > 0) return 'text'
  const image = isObject(object) ? (stringAt(object, ['image']) ?? '') : ''
  const [repository = ''] = image.split(/[:@]/)
  return /(?:^|[/-])(?:kubectl|k8s-wait-for)$/.test(repository) ? 'kubectl' : 'arguments'
}

function toMention(
  { item, start, end, kind, namespace, role }: CommandMention,
  items: readonly Item[],
): readonly Mention[] {
  const found = items[item]
  return found === undefined ? [] : [{ ...found, start, end, kind, namespace, role }]
}
