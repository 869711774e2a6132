import { objectAt, stringAt, type JsonObject } from '../../../core/json.ts'
import { byText, newestOf } from '../choose.ts'
import type { Tag } from '../registry.ts'

/** IA-2: the tag that an ImagePolicy chooses, or undefined where it can make no choice. */
export function chosenBy(policy: JsonObject, tags: readonly Tag[]): Tag | undefined {
  const spec = objectAt(policy, ['spec']) ?? {}
  const values = filtered(spec, tags)
  const choice = objectAt(spec, ['policy']) ?? {}
  const wanted = newestValue(choice, [...values.keys()])
  return wanted === undefined ? undefined : values.get(wanted)
}

/** What the policy compares, and the tag that it stands for; of two alike the later one. */
function filtered(spec: JsonObject, tags: readonly Tag[]): ReadonlyMap<string, Tag> {
  const pattern = stringAt(spec, ['filterTags', 'pattern'])
  if (pattern === undefined) return new Map(tags.map((tag) => [tag.name, tag]))
  const extract = stringAt(spec, ['filterTags', 'extract']) ?? ''
  const regex = compiled(pattern)
  const values = new Map<string, Tag>()
  for (const tag of tags) {
    const found = regex?.exec(tag.name)
    if (found === null || found === undefined) continue
    values.set(extract === '' ? tag.name : expanded(extract, found), tag)
  }
  return values
}

function compiled(pattern: string): RegExp | undefined {
  try {
    // Go names a group `(?P<ts>…)`.
    return new RegExp(pattern.replaceAll('(?P<', '(?<'))
  } catch {
    return undefined
  }
}

/** `$ts`, `${ts}`, `$1` */
function expanded(template: string, found: RegExpExecArray): string {
  return template.replaceAll(
    /\$\{?(\w+)\}?/g,
    (_, name: string) => found.groups?.[name] ?? found[Number(name)] ?? '',
  )
}

function newestValue(choice: JsonObject, values: readonly string[]): string | undefined {
  const range = stringAt(choice, ['semver', 'range'])
  if (range !== undefined) {
    const named = values.map((name) => ({ name, digest: '', pushedAt: 0 }))
    return newestOf(named, 'semver', range)?.name
  }
  const numerical = objectAt(choice, ['numerical'])
  if (numerical !== undefined) {
    // One value that is no number spoils the choice.
    if (values.some((value) => value === '' || Number.isNaN(Number(value)))) return undefined
    return last(values, (a, b) => Number(a) - Number(b), numerical)
  }
  const alphabetical = objectAt(choice, ['alphabetical'])
  return alphabetical === undefined ? undefined : last(values, byText, alphabetical)
}

function last(
  values: readonly string[],
  order: (a: string, b: string) => number,
  choice: JsonObject,
): string | undefined {
  const sorted = values.toSorted(order)
  return stringAt(choice, ['order']) === 'desc' ? sorted[0] : sorted.at(-1)
}
