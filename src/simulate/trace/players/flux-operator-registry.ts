import { isObject, listAt, stringAt, type JsonObject } from '../../../core/json.ts'
import { sha256Hex } from '../../../core/hash.ts'
import type { LookUp } from '../../engines/flux-operator/index.ts'
import { isSatisfied, newestFirst } from '../../engines/flux-operator/semver.ts'
import type { Trace, TraceEvent } from '../format.ts'

/** The registries of a recording: what they hold is no answer of the model but its input. */
export interface Registry {
  readonly lookUp: LookUp
  /** A note of the trace that says what was pushed. */
  note(event: TraceEvent): void
}

/**
 * Tags come with the notes that say so (`tag: 1.1.0`); those that a provider was seen to export
 * without one were there from the start. A registry that did not answer is known by the error.
 */
export function registryOf(trace: Trace): Registry {
  const pushed = trace.events
    .filter((event) => event.do === 'note')
    .map((event) => stringAt(event, ['tag']))
  const revisions = new Map<string, number>()
  for (const tag of exportedTags(trace)) if (!pushed.includes(tag)) revisions.set(tag, 0)
  const faults = faultsOf(trace)
  return {
    lookUp: (provider) => {
      const place = (stringAt(provider, ['spec', 'url']) ?? '').replace(/^[a-z]+:\/\//, '')
      const fault = faults.get(place)
      if (fault !== undefined) return { fault }
      const filter = provider['spec']
      const semver = stringAt(filter, ['filter', 'semver'])
      const limit = isObject(filter) ? numberAt(filter, 'limit') : undefined
      const tags = [...revisions.keys()].filter(
        (tag) => semver === undefined || isSatisfied(tag, semver),
      )
      return newestFirst(tags)
        .slice(0, limit ?? 100)
        .map((tag) => inputOf(place, tag, revisions.get(tag) ?? 0))
    },
    note: (event) => {
      const tag = stringAt(event, ['tag'])
      if (tag !== undefined) revisions.set(tag, (revisions.get(tag) ?? -1) + 1)
    },
  }
}

function inputOf(place: string, tag: string, revision: number): JsonObject {
  const digest = `sha256:${sha256Hex(`${place} ${tag} ${revision}`)}`
  return { id: String(Number.parseInt(sha256Hex(tag).slice(0, 8), 16)), tag, digest }
}

function numberAt(spec: JsonObject, name: string): number | undefined {
  const filter = spec['filter']
  const value = isObject(filter) ? filter[name] : undefined
  return value === undefined ? undefined : Number(value)
}

function exportedTags(trace: Trace): ReadonlySet<string> {
  const found = (trace.observed.engine ?? []).flatMap((state) => listAt(state, ['exportedInputs']))
  return new Set(found.flatMap((input) => stringAt(input, ['tag']) ?? []))
}

/** `failed to list OCI tags for 'HOST/PATH': ...`, by that place. */
function faultsOf(trace: Trace): ReadonlyMap<string, string> {
  const faults = new Map<string, string>()
  for (const state of trace.observed.engine ?? []) {
    for (const condition of listAt(state, ['conditions'])) {
      const message = stringAt(condition, ['message']) ?? ''
      const place = /^failed to call .* tags for '([^']+)'/.exec(message)?.[1]
      if (place !== undefined) faults.set(place, message)
    }
  }
  return faults
}
