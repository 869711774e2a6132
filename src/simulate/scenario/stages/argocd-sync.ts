import {
  booleanAt,
  isObject,
  listAt,
  objectAt,
  stringAt,
  type Json,
  type JsonObject,
} from '../../../core/json.ts'
import { defaultKinds } from '../../../cluster/kinds/index.ts'

/**
 * The operation that a person asks for: `sync: true`, or `sync: {by, resources, prune, force,
 * replace, strategy, revision}`. Options and retries are those of the Application, as `argocd app
 * sync` takes them; a sync of named resources runs no hooks.
 */
export function operationOf(
  event: JsonObject,
  app: JsonObject,
  head: string | undefined,
): JsonObject {
  const said = objectAt(event, ['sync']) ?? {}
  const policy = objectAt(app, ['spec', 'syncPolicy'])
  const given = listAt(policy, ['syncOptions']).filter((one) => typeof one === 'string')
  const options = booleanAt(said, ['replace']) === true ? [...given, 'Replace=true'] : given
  const resources = resourcesOf(said['resources'] ?? event['resources'])
  const revision = stringAt(said, ['revision']) ?? head
  const force = booleanAt(said, ['force']) === true
  const way = stringAt(said, ['strategy']) === 'apply' ? 'apply' : 'hook'
  const retry = objectAt(policy, ['retry'])
  return {
    initiatedBy: { username: stringAt(said, ['by']) ?? 'person' },
    sync: {
      ...(revision === undefined ? {} : { revision }),
      ...(booleanAt(said, ['prune']) === true ? { prune: true } : {}),
      ...(resources.length === 0 ? {} : { resources }),
      ...(options.length === 0 ? {} : { syncOptions: options }),
      ...(force || way === 'apply' ? { syncStrategy: { [way]: force ? { force } : {} } } : {}),
    },
    ...(retry === undefined ? {} : { retry }),
  }
}

function resourcesOf(named: Json | undefined): readonly JsonObject[] {
  const list = Array.isArray(named)
    ? (named as readonly Json[])
    : named === undefined
      ? []
      : [named]
  return list.flatMap((one) => {
    if (isObject(one)) return [one]
    const found = typeof one === 'string' ? resourceOf(one) : undefined
    return found === undefined ? [] : [found]
  })
}

/**
 * `Job/shop/migrate`, `Job/migrate`, `batch/Job/shop/migrate`, and as argocd spells it:
 * `batch:Job:migrate`, `batch:Job:shop/migrate`, `:ConfigMap:conf`.
 */
function resourceOf(text: string): JsonObject | undefined {
  if (text.includes(':')) {
    const [group = '', kind = '', place = ''] = text.split(':')
    return made(group, kind, place.split('/'))
  }
  const parts = text.split('/')
  const at = parts.findIndex((part) => /^[A-Z]/.test(part))
  if (at < 0) return undefined
  const kind = parts[at] ?? ''
  const group = at > 0 ? (parts[0] ?? '') : groupOf(kind)
  return made(group, kind, parts.slice(at + 1))
}

function made(group: string, kind: string, place: readonly string[]): JsonObject {
  const name = place.at(-1) ?? ''
  const namespace = place.length > 1 ? place[0] : undefined
  return {
    ...(group === '' ? {} : { group }),
    kind,
    ...(namespace === undefined ? {} : { namespace }),
    name,
  }
}

function groupOf(kind: string): string {
  return defaultKinds.find((one) => one.kind === kind)?.group ?? ''
}
