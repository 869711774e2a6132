import { isObject, objectAt, stringAt, type JsonObject } from '../../../core/json.ts'
import type { Io } from '../../../cluster/actor.ts'
import type { Reader } from '../../../cluster/actor.ts'
import type { Answer, Request, WatchEvent } from '../../../cluster/api/request.ts'
import { base64Of, textOfBase64 } from '../../../cluster/kinds/base64.ts'
import type { ResourceId } from '../../../cluster/object.ts'
import type { Stored } from './state.ts'

const SECRETS: ResourceId = { group: '', version: 'v1', resource: 'secrets' }
const USER = 'Terraform'
/** The commit that the next run is about: what wakes whoever skips idle runs. */
const REVISION = 'semel.dev/revision'

/**
 * The state file stands in the cluster, as the backend `kubernetes` keeps it; so it survives a run
 * that is killed, and goes back in time with etcd.
 */
export interface StateFile {
  readonly namespace: string
  readonly name: string
}

export function stateFile(namespace: string): StateFile {
  return { namespace, name: 'tfstate-default-state' }
}

export function load(read: Reader, { namespace, name }: StateFile): ReadonlyMap<string, Stored> {
  const data = objectAt(read.get(SECRETS, namespace, name), ['data'])
  const text = textOfBase64(stringAt(data, ['tfstate']) ?? '') ?? ''
  if (text === '') return new Map()
  const parsed = JSON.parse(text) as { readonly [address: string]: Stored }
  return new Map(Object.entries(parsed))
}

interface Asking {
  readonly read: Reader
  readonly request: (request: Request) => Answer
}

export function save(io: Io<never>, file: StateFile, stored: ReadonlyMap<string, Stored>): void {
  const tfstate = base64Of(JSON.stringify(Object.fromEntries(stored)))
  put({ read: io.read, request: (asked) => io.request(asked) }, file, { data: { tfstate } })
}

/** Other files stand in Git: the next run reads them. */
export function announce(asking: Asking, file: StateFile, revision: string): void {
  put(asking, file, { metadata: { annotations: { [REVISION]: revision } } })
}

function put({ read, request }: Asking, { namespace, name }: StateFile, body: JsonObject): void {
  const place = { resource: SECRETS, namespace, user: USER }
  if (read.get(SECRETS, namespace, name) !== undefined) {
    request({ verb: 'patch', ...place, name, patch: { type: 'merge', body } })
    return
  }
  const metadata = { ...objectAt(body, ['metadata']), name, labels: { tfstate: 'true' } }
  request({
    verb: 'create',
    ...place,
    body: { apiVersion: 'v1', kind: 'Secret', ...body, metadata },
  })
}

export function isAnnounced({ resource, object, before }: WatchEvent, file: StateFile): boolean {
  if (resource.resource !== SECRETS.resource || object.metadata.name !== file.name) return false
  return revisionOf(object) !== revisionOf(before)
}

function revisionOf(object: JsonObject | undefined): string | undefined {
  const annotations = objectAt(object, ['metadata', 'annotations'])
  return isObject(annotations) ? stringAt(annotations, [REVISION]) : undefined
}
