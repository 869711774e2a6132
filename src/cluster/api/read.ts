import type { Call, Host, Result } from './host.ts'
import { inVersion } from './registry.ts'
import { badRequest, notFound, tooLargeVersion, type Refusal } from './status.ts'

/** GET of one object. */
export function get(host: Host, { request, kind }: Call): Result | Refusal {
  const name = request.name ?? ''
  const { resourceVersion = '' } = request.options ?? {}
  if (resourceVersion !== '') {
    if (!/^\d+$/.test(resourceVersion)) {
      const value = JSON.stringify(resourceVersion)
      const why = `strconv.ParseUint: parsing ${value}: invalid syntax`
      return badRequest(
        `invalid resource version: resourceVersion: Invalid value: ${value}: ${why}`,
      )
    }
    const version = Number(resourceVersion)
    if (version > host.store.version) return tooLargeVersion(version, host.store.version)
  }
  const found = host.store.get(kind, request.namespace, name)
  return found === undefined ? notFound(kind, name) : { code: 200, body: inVersion(kind, found) }
}
