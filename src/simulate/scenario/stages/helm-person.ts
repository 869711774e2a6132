import { at, isObject, stringAt, type Json, type JsonObject } from '../../../core/json.ts'
import type { Kind } from '../../../cluster/api/kind.ts'
import type { AnyActor, Cluster } from '../../../cluster/cluster.ts'
import { helmClient, type HelmCall, type HelmVersion } from '../../engines/helm/index.ts'
import { kindFinder } from '../../engines/kinds.ts'
import { spanSeconds } from '../span.ts'
import type { Files } from '../stage.ts'

/** Somebody who types Helm commands when events say so, one after the other. */
export interface HelmPerson {
  readonly actor: AnyActor
  version: HelmVersion
  type(cluster: Cluster, command: string, given?: Given): void
}

interface Given {
  readonly chart?: Files
  readonly values?: JsonObject
  readonly files?: Files
  /** The client is killed so long after it began (H-15). */
  readonly killedAfterMs?: number
}

export interface PersonOptions {
  /** Of the actor, unique in its cluster; begins with `person`. */
  readonly name: string
  readonly namespace: string
  readonly kinds: readonly Kind[]
  readonly version: HelmVersion
  /** From what a watch tells to the next write, and from a command to its first request. */
  readonly reactionMs?: number
  readonly startMs?: number
}

/** The version of Helm that counts where nobody says one. */
export const HELM: HelmVersion = { major: 4, minor: 2 }

export function helmPerson({
  name,
  namespace,
  kinds,
  version,
  reactionMs,
  startMs,
}: PersonOptions): HelmPerson {
  const person: HelmPerson = {
    actor: helmClient({
      name,
      calls: [],
      namespace,
      ports: { kindOf: kindFinder(kinds) },
      ...(reactionMs === undefined ? {} : { reactionMs }),
    }),
    version,
    type(cluster, command, { killedAfterMs, chart = {}, ...given } = {}) {
      const kill = killedAfterMs === undefined ? {} : { killAt: cluster.now + killedAfterMs }
      const call: HelmCall = {
        command,
        chart,
        version: person.version,
        at: cluster.now,
        ...(startMs === undefined ? {} : { startMs }),
        ...given,
        ...kill,
      }
      cluster.wake(name, { kind: 'type', call })
    },
  }
  return person
}

/** What an event says of a command: that it is run, its flags, or all of it. */
export interface Said {
  readonly flags: string
  /** The whole of it: `helm upgrade --install app ./chart`. */
  readonly command?: string
  readonly revision?: number
  readonly values?: JsonObject
  readonly killedAfterMs?: number
}

/** `true`; `--wait --timeout 2m`; `helm rollback app 3`; `{flags, revision, values, killed}`. */
export function saidOf(value: Json | undefined): Said | undefined {
  if (value === undefined || value === false || value === null) return undefined
  if (typeof value === 'number') return { flags: '', revision: value }
  if (typeof value === 'string') {
    return value.startsWith('helm ') ? { flags: '', command: value } : { flags: value }
  }
  const command = stringAt(value, ['command'])
  const revision = at(value, ['revision'])
  const values = at(value, ['values'])
  const killed = spanSeconds(stringAt(value, ['killed']) ?? '')
  return {
    flags: stringAt(value, ['flags']) ?? '',
    ...(command === undefined ? {} : { command }),
    ...(typeof revision === 'number' ? { revision } : {}),
    ...(isObject(values) ? { values } : {}),
    ...(killed === undefined ? {} : { killedAfterMs: killed * 1000 }),
  }
}

/** `4.1.3`, `v3.17`: what Helm's version decides in the model. */
export function helmVersionOf(text: string | undefined): HelmVersion | undefined {
  const [, major, minor = '0'] = /^v?([34])(?:\.(\d+))?/.exec(text ?? '') ?? []
  if (major === undefined) return undefined
  const isBare = !(text ?? '').includes('.')
  if (major === '3') return { major: 3, minor: isBare ? 21 : Number(minor) }
  return { major: 4, minor: isBare ? HELM.minor : Number(minor) }
}
