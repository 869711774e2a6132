import type { JsonObject } from '../../../core/json.ts'
import { type Complaints, numberOf, objectOf, objectsOf, textOf } from '../complaints.ts'
import type { PodContext } from './context.ts'
import { checkNotReserved } from './paths.ts'
import { checkDownwardFile, checkKeyToPath } from './files.ts'

const LONGEST_SECONDS = 2 ** 32

/** Several sources that share one folder. Trust bundles and certificates are off by default. */
export function checkProjections(
  out: Complaints,
  volume: JsonObject,
  path: string,
  _pod: PodContext,
): void {
  const taken = new Set<string>()
  const take = (file: string, shown: string): void => {
    if (taken.has(file)) out.invalid(path, shown, 'conflicting duplicate paths')
    taken.add(file)
  }
  objectsOf(volume, 'sources').forEach((projection, at) => {
    const here = `${path}.sources[${at}]`
    let count = 0
    for (const kind of ['secret', 'configMap']) {
      const source = objectOf(projection, kind)
      if (source === undefined) continue
      count += 1
      const name = textOf(source, 'name')
      if (name === '') out.required(`${here}.${kind}.name`)
      objectsOf(source, 'items').forEach((item, index) => {
        checkKeyToPath(out, item, `${here}.${kind}.items[${index}]`)
        const file = textOf(item, 'path')
        if (file !== '') take(file, name)
      })
    }
    const downward = objectOf(projection, 'downwardAPI')
    if (downward !== undefined) {
      count += 1
      for (const item of objectsOf(downward, 'items')) {
        checkDownwardFile(out, item, `${here}.downwardAPI`)
        const file = textOf(item, 'path')
        if (file !== '') take(file, file)
      }
    }
    const token = objectOf(projection, 'serviceAccountToken')
    if (token !== undefined) {
      count += 1
      checkToken(out, token, `${here}.serviceAccountToken`, path)
    }
    if (count > 1) out.forbidden(here, 'may not specify more than 1 volume type per source')
  })
}

function checkToken(out: Complaints, token: JsonObject, path: string, volume: string): void {
  const seconds = numberOf(token, 'expirationSeconds')
  const here = `${path}.expirationSeconds`
  if (seconds < 600) {
    out.invalid(here, seconds, 'may not specify a duration less than 10 minutes')
  }
  if (seconds > LONGEST_SECONDS) {
    out.invalid(here, seconds, 'may not specify a duration larger than 2^32 seconds')
  }
  const file = textOf(token, 'path')
  if (file === '') out.required(`${volume}.path`)
  else checkNotReserved(out, file, `${volume}.path`)
}
