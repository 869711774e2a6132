import type { ScenarioEvent } from './format.ts'
import type { Repository } from './git.ts'

/**
 * Commits that are told in words: `crm-flags round=1` sets a key of a ConfigMap's data,
 * `liquibase image v17 -> v18` changes the tag of an image, `only spec.replicas of X changes (3,
 * 4, ...)` counts up. Anything else is a remark, and no commit.
 */
export function commitOfNote(
  event: ScenarioEvent,
  repository: Repository,
  nth: number,
): string | undefined {
  const note = event.note ?? ''
  const image = /^(?:\S+ )?([\w./-]+) image (\S+) -> (\S+)/.exec(note)
  if (image !== null) {
    const [, , from = '', to = ''] = image
    const tag = new RegExp(`(image:\\s*"?[^\\s"]*:)${escaped(from)}("?\\s*)$`, 'gm')
    return repository.rewrite(event, (_, text) => text.replace(tag, `$1${to}$2`))
  }
  const counted = /only ([\w.]+) of (\S+) changes \((\d+)/.exec(note)
  if (counted !== null) {
    const [, field = '', name = '', first = '0'] = counted
    const key = field.split('.').at(-1) ?? ''
    const line = new RegExp(`^(\\s*${escaped(key)}:).*$`, 'm')
    return repository.rewrite(event, (_, text) =>
      text.includes(`name: ${name}`) ? text.replace(line, `$1 ${Number(first) + nth}`) : text,
    )
  }
  const data = /^([\w.-]+) ([\w.-]+)=(\S+)$/.exec(note)
  if (data === null) return undefined
  const [, name = '', key = '', value = ''] = data
  const line = new RegExp(`^(\\s*${escaped(key)}:).*$`, 'm')
  return repository.rewrite(event, (_, text) =>
    text.includes(`name: ${name}`) ? text.replace(line, `$1 "${value}"`) : text,
  )
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
