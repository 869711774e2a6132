import type { Change } from './change.ts'
import type { ReloaderSettings } from './settings.ts'

export type Annotations = { readonly [key: string]: string }

const PREFIX = 'reloader.stakater.com'

/**
 * RL-2: whether a change concerns a workload. The annotations of the workload count; only when it
 * has none of Reloader's do those of its pod template. `auto`: also whether the template has to use
 * the object (RL-3).
 */
export function concerns(
  change: Change,
  own: Annotations,
  template: Annotations,
  { autoReloadAll }: ReloaderSettings,
): 'auto' | 'named' | undefined {
  if (change.isIgnored) return undefined
  const type = change.kind === 'Secret' ? 'secret' : 'configmap'
  const keys = {
    named: `${type}.${PREFIX}/reload`,
    search: `${PREFIX}/search`,
    auto: `${PREFIX}/auto`,
    typed: `${type}.${PREFIX}/auto`,
  }
  const isMarked = Object.values(keys).some((key) => own[key] !== undefined)
  const marks = isMarked ? own : template
  if (isListed(own[`${type}s.exclude.${PREFIX}/reload`], change.name)) return undefined
  if (isNamed(marks[keys.named], change.name)) return 'named'
  if (marks[keys.search] === 'true' && change.isMatch) return 'auto'
  const switches = [marks[keys.auto], marks[keys.typed]]
  if (switches.some(isTrue)) return 'auto'
  return autoReloadAll && switches.every((one) => one === undefined || one === '')
    ? 'auto'
    : undefined
}

function isListed(list: string | undefined, name: string): boolean {
  return (list ?? '').split(',').some((one) => one.trim() === name)
}

/** Names, separated by commas, each a regular expression for the whole name. */
function isNamed(list: string | undefined, name: string): boolean {
  return (list ?? '').split(',').some((one) => {
    try {
      return new RegExp(`^${one.trim()}$`).test(name)
    } catch {
      return false
    }
  })
}

/** As Go reads a truth value. */
function isTrue(text: string | undefined): boolean {
  return ['1', 't', 'T', 'true', 'TRUE', 'True'].includes(text ?? '')
}
