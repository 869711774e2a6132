import type { Decision } from './decide.ts'
import { isPatch } from './references/names.ts'
import { positionOf, outermost, type Place } from '../core/source.ts'
import type { StampFault } from './stamp-types.ts'
import { labelOf, namePlace, type Target } from './targets.ts'

/**
 * Objects of one name: within a file always, between files only where their names differed before,
 * because files of a repository may be for different clusters.
 */
export function collisions(
  targets: readonly Target[],
  decisions: ReadonlyMap<Target, Decision>,
): readonly StampFault[] {
  const seen = new Map<string, { target: Target; name: string }[]>()
  const faults: StampFault[] = []
  for (const target of targets) {
    if (isPatch(target)) continue
    const name = target.choice.kind === 'stamp' ? decisions.get(target)?.name : target.name
    if (name === undefined) continue
    const key = JSON.stringify([target.kind, target.namespace ?? '', name])
    const before = seen.get(key) ?? []
    const first = before.find((other) => collides(other.target, target))
    if (first !== undefined) faults.push(fault(first.target, target, name))
    seen.set(key, [...before, { target, name }])
  }
  return faults
}

function collides(one: Target, other: Target): boolean {
  if (one.choice.kind === 'leave' && other.choice.kind === 'leave') return false
  return one.part.file === other.part.file || one.name !== other.name
}

function fault(first: Target, second: Target, name: string): StampFault {
  const isSame = first.name === second.name
  return {
    code: 'NAME_COLLISION',
    place: namePlace(second),
    object: labelOf(second),
    what: `it would be called ${name}, like ${labelOf(first)} at ${textOf(namePlace(first))}`,
    why: isSame
      ? 'both have the same name and do the same, so only one of them would run'
      : 'Kubernetes knows an object by its kind, namespace and name, so only one of the two would run',
    remedy: isSame
      ? 'remove one of them, or give it another name'
      : `give one of them another base name, or set semel.dev/salt on it`,
  }
}

/** `jobs/migrate.yaml:3:9`. */
function textOf(place: Place): string {
  const { source, span } = outermost(place)
  const { line, column } = positionOf(source, span.start)
  return `${source.path}:${line}:${column}`
}
