import { integerAt, stringAt, type JsonObject } from '../../../core/json.ts'
import { base64Of, textOfBase64 } from '../../../cluster/kinds/base64.ts'
import type { Io } from '../../../cluster/actor.ts'
import type { KubeObject, ResourceId } from '../../../cluster/object.ts'
import type { Release } from './contract.ts'

const SECRETS: ResourceId = { group: '', version: 'v1', resource: 'secrets' }
const TYPE = 'helm.sh/release.v1'
const USER = 'Helm'

/**
 * Releases in the Secrets of their namespace, named as Helm names them; within, plain JSON in
 * place of Helm's compressed form. Oldest first.
 */
export function historyOf(io: Io<never>, namespace: string, name: string): readonly Release[] {
  return io.read
    .list(SECRETS, namespace)
    .filter((secret) => secret['type'] === TYPE && secret.metadata.labels?.['name'] === name)
    .map(releaseOf)
    .sort((one, other) => one.version - other.version)
}

export function lastOf(history: readonly Release[]): Release | undefined {
  return history.at(-1)
}

/** The newest that is deployed. */
export function deployedOf(history: readonly Release[]): Release | undefined {
  return history.findLast(({ status }) => status === 'deployed')
}

/** Writes a revision, new or known. */
export function store(io: Io<never>, release: Release): void {
  const body = secretOf(release)
  const place = { resource: SECRETS, namespace: release.namespace, user: USER }
  const name = nameOf(release)
  const isKnown = io.read.get(SECRETS, release.namespace, name) !== undefined
  io.request(
    isKnown
      ? { verb: 'update', ...place, name, body }
      : { verb: 'create', ...place, body, options: { fieldManager: 'helm' } },
  )
}

export function forget(io: Io<never>, release: Release): void {
  io.request({
    verb: 'delete',
    resource: SECRETS,
    namespace: release.namespace,
    name: nameOf(release),
    user: USER,
    options: { propagationPolicy: 'Background' },
  })
}

/** Keeps the newest `max`, and never forgets the deployed one (`--history-max`). */
export function prune(io: Io<never>, history: readonly Release[], max: number): void {
  if (max <= 0) return
  const deployed = deployedOf(history)
  let surplus = history.length - max
  for (const release of history) {
    if (surplus <= 0) return
    if (release.version === deployed?.version) continue
    forget(io, release)
    surplus -= 1
  }
}

function nameOf({ name, version }: Release): string {
  return `sh.helm.release.v1.${name}.v${version}`
}

function secretOf(release: Release): JsonObject {
  const { name, namespace, version, status } = release
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: nameOf(release),
      namespace,
      labels: { name, owner: 'helm', status, version: String(version) },
    },
    type: TYPE,
    data: { release: base64Of(JSON.stringify(release)) },
  }
}

/** Objects are never changed in place, so each is read once. */
const READ = new WeakMap<KubeObject, Release>()

function releaseOf(secret: KubeObject): Release {
  const known = READ.get(secret)
  if (known !== undefined) return known
  const release = readRelease(secret)
  READ.set(secret, release)
  return release
}

function readRelease(secret: KubeObject): Release {
  const text = textOfBase64(stringAt(secret, ['data', 'release']) ?? '')
  const release = JSON.parse(text ?? '{}') as Release
  return integerAt(release as unknown as JsonObject, ['version']) === undefined
    ? { ...release, version: 0 }
    : release
}
