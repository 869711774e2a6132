import { stringAt, type Json } from '../../core/json.ts'
import type { Io } from '../../cluster/actor.ts'
import { succeeded, type Answer, type Request } from '../../cluster/api/request.ts'
import type { KubeObject, ResourceId } from '../../cluster/object.ts'
import { shortWords } from './words.ts'

export interface Teller {
  readonly actor: string
  readonly carrier: string
  /** Of a write; `verb` as in requests. */
  readonly rule: (verb: Request['verb']) => string
  /** Behind `deleted Job`: ` to replace it`. */
  readonly deletion?: string
}

export interface Heard {
  /** Ahead of the first cause: what began it. */
  readonly before?: () => void
  /** The cluster is another one now. */
  readonly wrote?: () => void
}

export interface ToldIo<Wake> extends Io<Wake> {
  request(request: Omit<Request, 'user'> & { readonly user?: string }): Answer
}

/**
 * The same io, of which every write tells its cause: created, patched, replaced or deleted, and
 * refused.
 */
export function toldIo<Wake>(
  io: Io<Wake>,
  teller: Teller,
  { before, wrote }: Heard = {},
): ToldIo<Wake> {
  let isOpen = false
  const tell = (verb: Request['verb'], effect: string, object: string): void => {
    if (!isOpen) before?.()
    isOpen = true
    const { actor, carrier, rule } = teller
    io.cause({ at: io.now, actor, rule: rule(verb), effect, object, carrier })
  }
  return {
    ...io,
    now: io.now,
    request(request) {
      const { verb, resource, namespace, name, options, subresource } = request
      const isWrite = verb !== 'get' && verb !== 'list'
      const live = name === undefined ? undefined : io.read.get(resource, namespace, name)
      const answer = io.request(request)
      if (!isWrite || options?.dryRun === true || subresource !== undefined) return answer
      const kind = kindOf(resource, request, live)
      const told = name ?? stringAt(answer.body, ['metadata', 'name']) ?? nameOf(request)
      const object = `${kind} ${namespace === undefined ? told : `${namespace}/${told}`}`
      if (!succeeded(answer)) {
        const message = stringAt(answer.body, ['message']) ?? `HTTP ${answer.code}`
        tell(verb, `refused ${kind}: ${shortWords(message)}`, object)
        return answer
      }
      const effect = effectOf(verb, live, answer.body)
      if (effect === undefined) return answer
      wrote?.()
      const why = verb === 'delete' ? (teller.deletion ?? '') : ''
      tell(verb, `${effect} ${kind}${why}`, object)
      return answer
    },
  }
}

/** Undefined where nothing changed. */
function effectOf(
  verb: Request['verb'],
  live: KubeObject | undefined,
  after: Json,
): string | undefined {
  if (verb === 'delete') return 'deleted'
  if (live === undefined) return 'created'
  if (!isOther(live, after)) return undefined
  return verb === 'update' ? 'replaced' : 'patched'
}

function isOther(before: KubeObject, after: Json): boolean {
  return before.metadata.resourceVersion !== stringAt(after, ['metadata', 'resourceVersion'])
}

function nameOf({ body }: Pick<Request, 'body'>): string {
  const prefix = stringAt(body, ['metadata', 'generateName'])
  return stringAt(body, ['metadata', 'name']) ?? (prefix === undefined ? '' : `${prefix}*`)
}

function kindOf(
  { resource }: ResourceId,
  { body, patch }: Pick<Request, 'body' | 'patch'>,
  live: KubeObject | undefined,
): string {
  const patched = patch === undefined || Array.isArray(patch.body) ? undefined : patch.body
  return live?.kind ?? stringAt(body, ['kind']) ?? stringAt(patched, ['kind']) ?? resource
}
